//! The receipts of a process that passes an answer of Beckon's on. Not here: what proves it.

use crate::api::ReceiptBody;
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::connection::{Client, ClientError, encode};
use beckon_client::platform::paths::Paths;
use beckon_client::wire::ProblemCode;
use reqwest::StatusCode;
use std::time::Duration;

/// The fate of a report to Beckon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum ReceiptFate {
    /// Beckon has taken the receipt and saved it.
    Counted,
    /// The proof that it names counts for another answer already.
    ProofUsed,
    /// The ask has ended, or this Beckon knows no receipts.
    Refused,
    /// No Beckon hears the receipt now.
    Unheard,
}

impl ReceiptFate {
    fn of(heard: &Result<bool, ClientError>) -> Self {
        match heard {
            Ok(_) => Self::Counted,
            Err(ClientError::Problem(_, problem))
                if problem.code.known() == Some(ProblemCode::ProofUsed) =>
            {
                Self::ProofUsed
            }
            Err(ClientError::Problem(status, _) | ClientError::Odd(status))
                if !is_of_a_moment(*status) =>
            {
                Self::Refused
            }
            Err(_) => Self::Unheard,
        }
    }
}

/// Whether Beckon may take the same receipt a moment later: it is ending, or its disk refuses.
fn is_of_a_moment(status: StatusCode) -> bool {
    [
        StatusCode::SERVICE_UNAVAILABLE,
        StatusCode::INSUFFICIENT_STORAGE,
    ]
    .contains(&status)
}

/// Reports the fate of an ask, with its proof.
pub(in crate::cli) async fn receipt(paths: &Paths, id: &str, said: &ReceiptBody) -> ReceiptFate {
    let Ok(client) = Client::new(paths) else {
        return ReceiptFate::Unheard;
    };
    let path = format!("/question/{}", encode(id));
    let place = format!("{path}/receipt");
    let heard = client.post::<_, bool>(&place, said, Duration::ZERO).await;
    let fate = ReceiptFate::of(&heard);
    if fate == ReceiptFate::Refused && said.receipt != AskerReceipt::Taken {
        // An older Beckon that still runs knows no receipts.
        let _ = client.delete::<bool>(&path).await;
    }
    fate
}
