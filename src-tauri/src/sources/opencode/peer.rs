//! The exchange between Beckons beyond OpenCode's dialect: asks that it has no word for, more about
//! each ask, and answers by index, which name what their human saw.

use super::api::OpenCodeApi;
use super::api::sending::PeerInfo;
use super::dialect::ApiDialect;
use super::requests::RequestContext;
use super::wire::lenient::LenientItems;
use super::wire::peer::SEEN;
pub(super) use super::wire::peer::is_from_peer;
pub(crate) use super::wire::peer::{PeerDetails, PeerRequest};
use crate::platform::account;
use beckon_client::platform::percent::segment;
use beckon_client::wire::{ClaimedResponder, ProblemCode, VerdictState, WireWord};
use beckon_core::{
    Answer, Ask, AskState, DeliveryFailure, Entry, InvalidAnswer, ReturnReason, SourceId, Surface,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The progress of an answer at the other Beckon.
pub(super) enum PeerProgress {
    /// The answer is on its way to the agent.
    Sent,
    /// The agent has it.
    Taken,
    /// The other Beckon is too old to be answered by index.
    TooOld,
}

/// Sends an answer by its indices.
pub(super) async fn post(
    api: &OpenCodeApi,
    entry: &Entry,
    answer: &Answer,
) -> Result<PeerProgress, DeliveryFailure> {
    let ask = &entry.ask;
    let id = segment(&ask.id.own);
    let seen = ask
        .session
        .api
        .as_deref()
        .and_then(|api| api.strip_prefix(SEEN));
    let again = matches!(entry.state, AskState::Answering { attempts: 2.., .. });
    let responder = ClaimedResponder::of(entry.responder.as_ref(), account::machine());
    let body = json!({
        "answer": answer, "by": Surface::Api, "seen": seen, "again": again,
        "responder": responder,
    });
    let PeerInfo { status, body } = api.speak(&format!("/answer/{id}?wait=2"), &body).await?;
    let state: Option<WireWord<VerdictState>> = read(body.as_ref(), "state");
    let code: Option<WireWord<ProblemCode>> = read(body.as_ref(), "code");
    let message: Option<String> = read(body.as_ref(), "message");
    match (status.as_u16(), state, code) {
        (200, Some(WireWord::Known(VerdictState::Taken)), _) => Ok(PeerProgress::Taken),
        (200, Some(WireWord::Known(VerdictState::Sent)), _) => Ok(PeerProgress::Sent),
        (200, ..) => Err(DeliveryFailure::NotFound),
        (404 | 405, _, None) => Ok(PeerProgress::TooOld),
        (409, _, Some(WireWord::Known(ProblemCode::Changed))) => {
            Err(DeliveryFailure::Returned(ReturnReason::Changed))
        }
        (404 | 410, ..) | (409, _, Some(WireWord::Known(ProblemCode::AlreadyAnswered))) => {
            Err(DeliveryFailure::NotFound)
        }
        (401, ..) => Err(DeliveryFailure::Returned(ReturnReason::Unauthorized)),
        (400 | 409 | 502, _, Some(_)) => {
            let why = message.unwrap_or_default();
            let why = why.trim_end_matches(['.', '。']).to_owned();
            Err(DeliveryFailure::Returned(ReturnReason::Refused(why)))
        }
        _ => Err(DeliveryFailure::Other(format!("it answers {status}"))),
    }
}

/// Reads a field of a peer's reply leniently, since the peer may be of any version.
fn read<T: DeserializeOwned>(body: Option<&Value>, name: &str) -> Option<T> {
    T::deserialize(body?.get(name)?).ok()
}

/// Checks whether the answer may travel by the labels of what was chosen. It may only where each
/// label stands for one choice, since an old Beckon does not tell two equal ones apart, and does
/// not know the values behind them.
pub(super) fn travels_as_text(ask: &Ask, answer: &Answer) -> Result<(), DeliveryFailure> {
    let Answer::Replies(replies) = answer else {
        return Ok(());
    };
    let pairs = ask.questions().iter().zip(replies).enumerate();
    let mut clear = pairs.map(|(index, (question, reply))| {
        let labels: Vec<&str> = question
            .choices
            .iter()
            .map(|it| it.label.as_str())
            .collect();
        let unclear = reply
            .choices
            .iter()
            .filter_map(|&choice| labels.get(choice))
            .any(|label| labels.iter().filter(|twin| *twin == label).count() > 1);
        (
            unclear,
            InvalidAnswer::AmbiguousLabel {
                question: index + 1,
            },
        )
    });
    match clear.find(|(unclear, _)| *unclear) {
        Some((_, why)) => Err(DeliveryFailure::Returned(ReturnReason::Refused(
            why.to_string(),
        ))),
        None => Ok(()),
    }
}

/// Reads the asks of another Beckon that the dialect has no word for.
pub(super) async fn others(api: &OpenCodeApi, source: &SourceId) -> anyhow::Result<Vec<Ask>> {
    let items: LenientItems = api.read("/ask", None).await?;
    let found = RequestContext {
        source,
        directory: "",
        dialect: ApiDialect::First,
    };
    Ok(items.iter().map(|item| found.other(item.get())).collect())
}

/// Returns all directories, to be marked as unread: where the other asks could not be read, no
/// directory is known whole.
pub(super) fn all_of(directories: &BTreeSet<String>, known: &BTreeSet<String>) -> BTreeSet<String> {
    directories.union(known).cloned().collect()
}
