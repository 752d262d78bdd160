//! The asks of one agent in Beckon. They stand beside the conversation of editor and agent, which
//! never waits for them: Beckon may be away, hang or be killed meanwhile.
//!
//! Not here: what is asked, and when an ask is over.

use super::permission::AcpAsk;
use super::table::AskNumber;
use crate::api::ReceiptBody;
use crate::cli::ask::receipts::{ReceiptFate, receipt};
use crate::cli::ask::waiting::{PERMISSION, UNREADABLE, returned, until_it_ends_anywhere};
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::connection::ClientError;
use beckon_client::platform::paths::Paths;
use beckon_client::wire::LocalAskStatus;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::{JoinHandle, JoinSet};

/// The first pause until a receipt is sent again that Beckon has not heard …
const TOLD_AGAIN: Duration = Duration::from_millis(250);
/// … and the longest one.
const SLOWEST: Duration = Duration::from_secs(5);
/// How long the last receipts may take: the editor waits for the end of this process. Beckon misses
/// an asker that could not tell it.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(500);

/// The end of an ask in Beckon.
pub(super) type Ended = (AskNumber, LocalAskStatus);

#[derive(Debug)]
pub(super) struct Asker {
    paths: Paths,
    ended: UnboundedSender<Ended>,
    asks: BTreeMap<AskNumber, RunningAsk>,
    receipts: JoinSet<()>,
}

#[derive(Debug)]
struct RunningAsk {
    id: String,
    task: JoinHandle<()>,
}

impl Asker {
    pub(super) fn new(paths: Paths, ended: UnboundedSender<Ended>) -> Self {
        Self {
            paths,
            ended,
            asks: BTreeMap::new(),
            receipts: JoinSet::new(),
        }
    }

    /// Asks, until somebody has answered in Beckon or [`Self::end`] is called.
    pub(super) fn ask(&mut self, number: AskNumber, ask: AcpAsk) {
        let id = ask.id.clone();
        let paths = self.paths.clone();
        let ended = self.ended.clone();
        let task = tokio::spawn(async move {
            if let Some(asked) = until_it_ends(&paths, &ask).await {
                // The receiver lives as long as this process.
                let _ = ended.send((number, asked));
            }
        });
        self.asks.insert(number, RunningAsk { id, task });
    }

    /// Tells Beckon how an ask ended, and asks no more.
    pub(super) fn end(&mut self, number: AskNumber, receipt: AskerReceipt) {
        let Some(running) = self.asks.remove(&number) else {
            return;
        };
        while self.receipts.try_join_next().is_some() {}
        let paths = self.paths.clone();
        self.receipts.spawn(async move {
            running.task.abort();
            // The only possible result is that it was stopped.
            let _ = running.task.await;
            tell_until_heard(&paths, &running.id, receipt).await;
        });
    }

    /// Waits a moment for the receipts that are under way.
    pub(super) async fn finish(&mut self) {
        let receipts = std::mem::take(&mut self.receipts);
        let _ = tokio::time::timeout(LAST_WORDS_WITHIN, receipts.join_all()).await;
    }
}

/// Asks until there is an end; `None` if Beckon cannot be asked that. A Beckon that does not run is
/// waited for: the editor's dialog stands all the while.
async fn until_it_ends(paths: &Paths, ask: &AcpAsk) -> Option<LocalAskStatus> {
    let mut permission = ask.permission.as_ref();
    loop {
        let asked = match permission {
            Some(body) => until_it_ends_anywhere(paths, PERMISSION, body, || true).await,
            None => until_it_ends_anywhere(paths, UNREADABLE, &ask.unreadable, || true).await,
        };
        match asked {
            Ok(asked) => return Some(asked),
            Err(ClientError::NotRunning | ClientError::Unproven | ClientError::Silent(_)) => {
                returned(paths).await;
            }
            // Whatever else Beckon does not take is at least shown.
            Err(_) if permission.is_some() => permission = None,
            Err(_) => return None,
        }
    }
}

async fn tell_until_heard(paths: &Paths, id: &str, said: AskerReceipt) {
    let body = ReceiptBody {
        receipt: said,
        proof: None,
    };
    let mut pause = TOLD_AGAIN;
    while receipt(paths, id, &body).await == ReceiptFate::Unheard {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(SLOWEST);
    }
}
