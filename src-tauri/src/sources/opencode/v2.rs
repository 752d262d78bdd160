//! The second core of 1.18 ("v2"): sessions of their own below `/api`, beside those of the first in
//! one server, on one stream. Its shapes, and its open list.
//!
//! A question looks as in the first core, a permission does not.

use super::api::OpenCodeApi;
use super::api::dialect::ApiDialect;
use super::lenient::{self, LenientItems};
use super::requests::RequestContext;
use super::wire::{MessageInfo, MessagePart, SessionInfo, SessionMessage, ToolState, or_default};
use crate::platform::percent::segment;
use anyhow::Result;
use beckon_core::{
    Ask, AskContent, AskId, CallRef, Permission, RejectionReach, Session, SourceId, Timestamp,
};
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Requests at once.
const AT_ONCE: usize = 8;

/// The path of a session below `/api`.
pub(super) fn session_path(session: &str) -> String {
    format!("/api/session/{}", segment(session))
}

/// Most answers below `/api`.
#[derive(Debug, Deserialize)]
pub(super) struct DataEnvelope<T> {
    pub(super) data: T,
}

/// An item of `GET /api/permission/request`, and the content of `permission.v2.asked`.
#[derive(Debug, Deserialize)]
pub(super) struct PermissionRequest {
    id: String,
    #[serde(rename = "sessionID", default, deserialize_with = "lenient::if_understood")]
    session_id: String,
    /// `bash`, `edit`, …
    #[serde(default, deserialize_with = "or_default")]
    action: String,
    /// What for.
    #[serde(default, deserialize_with = "or_default")]
    resources: Vec<String>,
    /// What "always" would allow.
    #[serde(default, deserialize_with = "or_default")]
    save: Vec<String>,
    #[serde(default, deserialize_with = "or_default")]
    metadata: BTreeMap<String, Value>,
    #[serde(default, deserialize_with = "lenient::if_understood")]
    source: Option<CallSource>,
}

/// The call behind a permission. Newer servers call its id `id`.
#[derive(Debug, Deserialize)]
struct CallSource {
    #[serde(rename = "messageID")]
    message_id: String,
    #[serde(rename = "callID", alias = "id")]
    call_id: String,
}

/// `GET /api/session/{id}`
#[derive(Debug, Deserialize)]
pub(super) struct SessionDetails {
    id: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(rename = "parentID", default)]
    parent_id: Option<String>,
    #[serde(default)]
    agent: Option<String>,
    location: Location,
}

/// Where something happens.
#[derive(Debug, Deserialize)]
pub(super) struct Location {
    pub(super) directory: String,
}

/// `GET /api/session/{id}/message/{id}`
#[derive(Debug, Deserialize)]
pub(super) struct MessageDetails {
    #[serde(default)]
    agent: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    content: Vec<MessageContent>,
}

#[derive(Debug, Deserialize)]
struct MessageContent {
    #[serde(rename = "type", default)]
    kind: String,
    /// Of a tool: the call's id.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    state: Option<ContentState>,
}

#[derive(Debug, Deserialize)]
struct ContentState {
    #[serde(default)]
    status: String,
    /// Of an answered question: `answers`.
    #[serde(default)]
    structured: Option<Value>,
    #[serde(default)]
    error: Option<ContentError>,
}

#[derive(Debug, Deserialize)]
struct ContentError {
    #[serde(default)]
    message: String,
}

impl PermissionRequest {
    /// As an ask of that source and directory.
    pub(super) fn into_ask(self, source: &SourceId, directory: &str, now: Timestamp) -> Ask {
        let text = |key: &str| self.metadata.get(key).filter(|it| !it.is_null()).map(lenient::text);
        let shell = matches!(self.action.as_str(), "bash" | "shell");
        let resources = || (shell && !self.resources.is_empty()).then(|| self.resources.join("\n"));
        let (command, diff) = (text("command").or_else(resources), text("diff"));
        let directory = directory.to_owned();
        ApiDialect::Second.marks(Ask {
            id: AskId { source: source.clone(), own: self.id },
            kind: AskContent::Permission(Permission {
                permission: self.action,
                patterns: self.resources,
                always: self.save,
                command,
                diff,
                rejects: RejectionReach::PerhapsSession,
            }),
            session: Session { id: self.session_id, directory, ..Session::default() },
            call: self
                .source
                .map(|CallSource { message_id: message, call_id: call }| CallRef { message, call }),
            asked_at: now,
        })
    }
}

impl From<SessionDetails> for SessionInfo {
    fn from(details: SessionDetails) -> Self {
        let SessionDetails { id, title, parent_id, agent, location } = details;
        Self { id, title, directory: Some(location.directory), parent_id, agent }
    }
}

impl From<MessageDetails> for SessionMessage {
    fn from(details: MessageDetails) -> Self {
        let info = MessageInfo { agent: details.agent, time: None };
        Self { info, parts: details.content.into_iter().map(MessagePart::from).collect() }
    }
}

impl From<MessageContent> for MessagePart {
    fn from(content: MessageContent) -> Self {
        let MessageContent { kind, id, text, state } = content;
        let state = state.map(|ContentState { status, structured, error }| ToolState {
            status,
            error: error.map(|error| error.message),
            metadata: structured,
        });
        Self { kind, text, call_id: id, state }
    }
}

/// The sessions that run, of the second core and of 2.x.
#[derive(Default)]
pub(super) struct RunningSessions {
    /// Each with its directory.
    pub(super) sessions: BTreeMap<String, String>,
    /// Why of some it is not known where they run.
    pub(super) trouble: Option<anyhow::Error>,
}

/// What was read of the second core.
#[derive(Default)]
pub(super) struct SecondCore {
    pub(super) asks: Vec<(Ask, bool)>,
    /// Why that is not all of it.
    pub(super) trouble: Option<anyhow::Error>,
}

/// None run where there is no such core, whatever the version says. One that was deleted while it
/// asked is called running for ever, and so is its question; it cannot be read any more.
pub(super) async fn running(api: &OpenCodeApi) -> Result<RunningSessions> {
    let listed =
        api.read_if_there::<DataEnvelope<BTreeMap<String, Value>>>("/api/session/active").await?;
    let listed = listed.map(|listed| listed.data).unwrap_or_default();
    let sessions = stream::iter(listed.into_keys());
    let details = sessions.map(|session| async move {
        let details =
            api.read_if_there::<DataEnvelope<SessionDetails>>(&session_path(&session)).await?;
        anyhow::Ok(details.map(|details| (session, details.data.location.directory)))
    });
    let mut details = details.buffer_unordered(AT_ONCE);
    let mut running = RunningSessions::default();
    while let Some(read) = details.next().await {
        match read {
            Ok(session) => running.sessions.extend(session),
            Err(error) => running.trouble = Some(error),
        }
    }
    Ok(running)
}

/// What waits in this core, and that it waits: only sessions that run can, and those are few. A
/// directory in which none runs is not asked.
pub(super) async fn open_asks(api: &OpenCodeApi, source: &SourceId) -> SecondCore {
    let RunningSessions { sessions, mut trouble } = match running(api).await {
        Ok(running) => running,
        Err(error) => return SecondCore { trouble: Some(error), ..SecondCore::default() },
    };
    let directories: BTreeSet<String> = sessions.values().cloned().collect();
    let lists = stream::iter(directories).map(|directory| in_directory(api, source, directory));
    let mut lists = lists.buffer_unordered(AT_ONCE);
    let mut asks = Vec::new();
    while let Some(read) = lists.next().await {
        match read {
            Ok(read) => asks.extend(read.into_iter().map(|ask| (ask, true))),
            Err(error) => trouble = Some(error),
        }
    }
    // One without a session was not understood, and is kept.
    let runs = |ask: &Ask| ask.session.id.is_empty() || sessions.contains_key(&ask.session.id);
    asks.retain(|(ask, _)| runs(ask));
    SecondCore { asks, trouble }
}

/// What waits in one directory.
pub(super) async fn in_directory(
    api: &OpenCodeApi,
    source: &SourceId,
    directory: String,
) -> Result<Vec<Ask>> {
    let (questions, permissions) = tokio::try_join!(
        api.read_at::<DataEnvelope<LenientItems>>("/api/question/request", &directory),
        api.read_at::<DataEnvelope<LenientItems>>("/api/permission/request", &directory),
    )?;
    let found = RequestContext { source, directory: &directory, dialect: ApiDialect::Second };
    let questions = questions.data.iter().map(|item| found.question(item.get()));
    let permissions = permissions.data.iter().map(|item| found.permission(item.get()));
    Ok(questions.chain(permissions).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn permission(asked: Value) -> Ask {
        let asked: PermissionRequest = serde_json::from_value(asked).unwrap();
        asked.into_ask(&SourceId("local".into()), "/a", Timestamp(0))
    }

    #[test]
    fn a_permission_says_what_is_to_be_run_and_what_always_would_allow() {
        let ask = permission(json!({ "id": "per_1", "sessionID": "ses_1", "action": "bash",
            "resources": ["echo hi"], "save": ["echo *"], "source": { "type": "tool",
            "messageID": "msg_1", "callID": "call_1" } }));
        let AskContent::Permission(permission) = &ask.kind else { panic!("{ask:?}") };
        assert_eq!(permission.command.as_deref(), Some("echo hi"));
        assert_eq!(permission.always, ["echo *"]);
        assert_eq!(ask.call.map(|call| call.call).as_deref(), Some("call_1"));
        assert_eq!(ApiDialect::of(&ask.session), ApiDialect::Second);
    }

    #[test]
    fn an_edit_shows_its_change_and_is_no_command() {
        let ask = permission(json!({ "id": "per_1", "sessionID": "ses_1", "action": "edit",
            "resources": ["a.txt"], "metadata": { "diff": "+a" } }));
        let AskContent::Permission(permission) = ask.kind else { panic!("{:?}", ask.kind) };
        assert_eq!((permission.command, permission.diff.as_deref()), (None, Some("+a")));
    }

    #[test]
    fn a_stored_message_tells_how_a_call_ended() {
        let details: MessageDetails = serde_json::from_value(json!({ "agent": "build",
            "content": [{ "type": "text", "id": "t", "text": "Let me ask." }, { "type": "tool",
            "id": "call_1", "name": "question", "state": { "status": "completed",
            "structured": { "answers": [["A"]] } } }] }))
        .unwrap();
        let message = SessionMessage::from(details);
        let state = message.parts[1].state.as_ref().unwrap();
        assert_eq!(message.parts[1].call_id.as_deref(), Some("call_1"));
        assert_eq!(state.metadata, Some(json!({ "answers": [["A"]] })));
    }
}
