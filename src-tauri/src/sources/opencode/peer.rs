//! What Beckons say to each other beyond OpenCode's dialect: what that has no word for, what is
//! known of an ask besides, and answers by index, which name what their human saw.

use super::api::dialect::ApiDialect;
use super::api::{OpenCodeApi, PeerInfo};
use super::lenient::LenientItems;
use super::requests::{RequestContext, shown};
use super::wire::{ToolRef, or_default};
use crate::platform::percent::segment;
use crate::wire::{ProblemCode, VerdictState, WireWord};
use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, CallRef, DeliveryFailure, Entry, InvalidAnswer,
    ReturnReason, Session, SourceId, Surface, Timestamp, UnknownAsk, UnknownShape,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Before it in [`Session::api`]: what was seen of an ask of another Beckon.
const SEEN: &str = "seen:";

/// What a Beckon tells of an ask besides what the dialect knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct PeerDetails {
    /// Stands for all that is asked: an answer brings it back, and meets nothing else.
    pub seen: String,
    /// The session's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The agent's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session that started this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The agent's last words before it asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_words: Option<String>,
}

impl PeerDetails {
    /// Of an ask.
    pub fn of(ask: &Ask) -> Self {
        let Session { title, agent, parent, last_words, .. } = ask.session.clone();
        Self { seen: ask.fingerprint().to_string(), title, agent, parent, last_words }
    }

    /// Noted on the session, from where an answer takes it.
    pub(super) fn fill(self, session: &mut Session) {
        session.api = Some(format!("{SEEN}{}", self.seen));
        let Self { title, agent, parent, last_words, .. } = self;
        (session.title, session.agent, session.parent) = (title, agent, parent);
        session.last_words = last_words;
    }
}

/// An item of `GET /ask`, and the content of `ask.asked`: whatever OpenCode's dialect has no word for.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PeerRequest {
    /// The request id.
    pub id: String,
    /// The session that waits.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Its directory.
    #[serde(default)]
    pub directory: String,
    /// What is asked, as Beckons of the same age know it.
    pub kind: Value,
    /// The same in words, for those that do not.
    #[serde(default)]
    pub text: String,
    /// The call that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolRef>,
    /// The Beckons that it came through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// What else is known of it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub beckon: Option<PeerDetails>,
}

impl PeerRequest {
    /// As an ask of that source. One of a kind that this Beckon does not know is shown, and can be
    /// answered only there.
    pub fn into_ask(self, source: &SourceId, now: Timestamp) -> Ask {
        let kind = serde_json::from_value(self.kind);
        let kind = kind.unwrap_or_else(|_| {
            AskContent::Unknown(UnknownAsk {
                asked: UnknownShape::Question,
                raw: shown(&self.text),
            })
        });
        let (id, directory, via) = (self.session_id, self.directory, self.via);
        let mut session = Session { id, directory, via, ..Session::default() };
        if let Some(beside) = self.beckon {
            beside.fill(&mut session);
        }
        let id = AskId { source: source.clone(), own: self.id };
        Ask { id, kind, session, call: self.tool.map(CallRef::from), asked_at: now }
    }
}

/// Did it come through another Beckon?
pub(super) fn is_from_kin(session: &Session) -> bool {
    !session.via.is_empty()
}

/// How far an answer has come at the other Beckon.
pub(super) enum PeerProgress {
    /// It is on its way to the agent.
    Sent,
    /// The agent has it.
    Taken,
    /// That Beckon is too old to be answered by index.
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
    let seen = ask.session.api.as_deref().and_then(|api| api.strip_prefix(SEEN));
    let again = matches!(entry.state, AskState::Answering { attempts: 2.., .. });
    let body = json!({ "answer": answer, "by": Surface::Api, "seen": seen, "again": again });
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

/// What a peer says under that name: it may be of any version.
fn read<T: DeserializeOwned>(body: Option<&Value>, name: &str) -> Option<T> {
    T::deserialize(body?.get(name)?).ok()
}

/// May the answer travel by the labels of what was chosen? Only where each stands for one choice:
/// an old Beckon tells no two of them apart, and not what stands behind them.
pub(super) fn travels_as_text(ask: &Ask, answer: &Answer) -> Result<(), DeliveryFailure> {
    let Answer::Replies(replies) = answer else { return Ok(()) };
    let pairs = ask.questions().iter().zip(replies).enumerate();
    let mut clear = pairs.map(|(index, (question, reply))| {
        let labels: Vec<&str> = question.choices.iter().map(|it| it.label.as_str()).collect();
        let unclear = reply
            .choices
            .iter()
            .filter_map(|&choice| labels.get(choice))
            .any(|label| labels.iter().filter(|twin| *twin == label).count() > 1);
        (unclear, InvalidAnswer::AmbiguousLabel { question: index + 1 })
    });
    match clear.find(|(unclear, _)| *unclear) {
        Some((_, why)) => Err(DeliveryFailure::Returned(ReturnReason::Refused(why.to_string()))),
        None => Ok(()),
    }
}

/// What another Beckon's list has that the dialect has no word for.
pub(super) async fn others(api: &OpenCodeApi, source: &SourceId) -> anyhow::Result<Vec<Ask>> {
    let items: LenientItems = api.read("/ask", None).await?;
    let found = RequestContext { source, directory: "", dialect: ApiDialect::First };
    Ok(items.iter().map(|item| found.other(item.get())).collect())
}

/// Where none of them could be read, nothing of any directory is known whole.
pub(super) fn all_of(directories: &BTreeSet<String>, known: &BTreeSet<String>) -> BTreeSet<String> {
    directories.union(known).cloned().collect()
}
