//! The shapes of the second core of 1.18, which 2.x has kept for sessions and permissions. A
//! question looks as in the first core; a permission does not.

use super::lenient;
use super::or_default;
use super::sessions::{MessageInfo, MessagePart, SessionInfo, SessionMessage, ToolState};
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::requests::arguments;
use beckon_client::platform::percent::segment;
use beckon_core::{
    AlwaysUntil, Ask, AskContent, AskId, CallRef, Permission, RejectionReach, Session, SourceId,
    Timestamp,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns the path of a session below `/api`.
pub(in crate::sources::opencode) fn session_path(session: &str) -> String {
    format!("/api/session/{}", segment(session))
}

/// The envelope of most answers below `/api`.
#[derive(Debug, Deserialize)]
pub(in crate::sources::opencode) struct DataEnvelope<T> {
    pub(in crate::sources::opencode) data: T,
}

/// An item of `GET /api/permission/request`, and the content of `permission.v2.asked`.
#[derive(Debug, Deserialize)]
pub(in crate::sources::opencode) struct PermissionRequest {
    id: String,
    #[serde(
        rename = "sessionID",
        default,
        deserialize_with = "lenient::if_understood"
    )]
    session_id: String,
    /// The action: `bash`, `edit`, …
    #[serde(default, deserialize_with = "or_default")]
    action: String,
    /// The resources for which leave is asked.
    #[serde(default, deserialize_with = "or_default")]
    resources: Vec<String>,
    /// The rules that "always" would allow.
    #[serde(default, deserialize_with = "or_default")]
    save: Vec<String>,
    #[serde(default, deserialize_with = "lenient::exact_fields")]
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

/// The answer of `GET /api/session/{id}`.
#[derive(Debug, Deserialize)]
pub(in crate::sources::opencode) struct SessionDetails {
    id: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(rename = "parentID", default)]
    parent_id: Option<String>,
    #[serde(default)]
    agent: Option<String>,
    pub(in crate::sources::opencode) location: Location,
}

/// The place where something happens.
#[derive(Debug, Deserialize)]
pub(in crate::sources::opencode) struct Location {
    pub(in crate::sources::opencode) directory: String,
}

/// The answer of `GET /api/session/{id}/message/{id}`.
#[derive(Debug, Deserialize)]
pub(in crate::sources::opencode) struct MessageDetails {
    #[serde(default)]
    agent: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    content: Vec<MessageContent>,
}

#[derive(Debug, Deserialize)]
struct MessageContent {
    #[serde(rename = "type", default)]
    kind: String,
    /// The id of the call, if the part is a tool's.
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
    /// The arguments of the call; a text while they are still being written.
    #[serde(default, deserialize_with = "lenient::exact_value")]
    input: Option<Value>,
    /// The structured result; of an answered question it has `answers`.
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
    /// Makes an ask of that source and directory, by one of the APIs below `/api`.
    pub(in crate::sources::opencode) fn into_ask(
        self,
        dialect: ApiDialect,
        source: &SourceId,
        directory: &str,
        now: Timestamp,
    ) -> Ask {
        let text = |key: &str| {
            self.metadata
                .get(key)
                .filter(|it| !it.is_null())
                .map(lenient::text)
        };
        let shell = matches!(self.action.as_str(), "bash" | "shell");
        let resources = || (shell && !self.resources.is_empty()).then(|| self.resources.join("\n"));
        let (command, diff) = (text("command").or_else(resources), text("diff"));
        // 1.18 saves it for the project (docs/measured.md). How long it holds in 2.x, nobody has
        // measured.
        let always_until = match dialect {
            ApiDialect::Second => AlwaysUntil::TakenBack,
            ApiDialect::First | ApiDialect::Forms => AlwaysUntil::Unsaid,
        };
        let directory = directory.to_owned();
        let files = arguments::files(self.metadata.get("files"), &self.resources);
        let mut permission = Permission {
            permission: self.action,
            patterns: self.resources,
            always: self.save,
            command,
            diff,
            files,
            rejects: RejectionReach::PerhapsSession,
            always_until,
            ..Permission::default()
        };
        permission.input = arguments::of_metadata(&permission, self.metadata.iter());
        dialect.marks(Ask {
            id: AskId {
                source: source.clone(),
                own: self.id,
            },
            kind: AskContent::Permission(permission),
            session: Session {
                id: self.session_id,
                directory,
                ..Session::default()
            },
            call: self.source.map(
                |CallSource {
                     message_id: message,
                     call_id: call,
                 }| CallRef { message, call },
            ),
            asked_at: now,
        })
    }
}

impl From<SessionDetails> for SessionInfo {
    fn from(details: SessionDetails) -> Self {
        let SessionDetails {
            id,
            title,
            parent_id,
            agent,
            location,
        } = details;
        Self {
            id,
            title,
            directory: Some(location.directory),
            parent_id,
            agent,
        }
    }
}

impl From<MessageDetails> for SessionMessage {
    fn from(details: MessageDetails) -> Self {
        let info = MessageInfo {
            agent: details.agent,
            ..MessageInfo::default()
        };
        Self {
            info,
            parts: details.content.into_iter().map(MessagePart::from).collect(),
        }
    }
}

impl From<MessageContent> for MessagePart {
    fn from(content: MessageContent) -> Self {
        let MessageContent {
            kind,
            id,
            text,
            state,
        } = content;
        let state = state.map(
            |ContentState {
                 status,
                 input,
                 structured,
                 error,
             }| ToolState {
                status,
                input,
                error: error.map(|error| error.message),
                metadata: structured,
            },
        );
        Self {
            kind,
            text,
            call_id: id,
            tool: None,
            state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn permission(asked: Value) -> Ask {
        let asked: PermissionRequest = serde_json::from_value(asked).unwrap();
        asked.into_ask(
            ApiDialect::Second,
            &SourceId("local".into()),
            "/a",
            Timestamp(0),
        )
    }

    #[test]
    fn a_permission_says_what_is_to_be_run_and_what_always_would_allow() {
        let ask = permission(
            json!({ "id": "per_1", "sessionID": "ses_1", "action": "bash",
            "resources": ["echo hi"], "save": ["echo *"], "source": { "type": "tool",
            "messageID": "msg_1", "callID": "call_1" } }),
        );
        let AskContent::Permission(permission) = &ask.kind else {
            panic!("{ask:?}")
        };
        assert_eq!(permission.command.as_deref(), Some("echo hi"));
        assert_eq!(permission.always, ["echo *"]);
        assert_eq!(
            (ask.session.id.as_str(), ask.session.directory.as_str()),
            ("ses_1", "/a")
        );
        assert_eq!(ask.call.map(|call| call.call).as_deref(), Some("call_1"));
        assert_eq!(ApiDialect::of(&ask.session), ApiDialect::Second);
    }

    #[test]
    fn an_edit_shows_its_change_and_is_no_command() {
        let ask = permission(
            json!({ "id": "per_1", "sessionID": "ses_1", "action": "edit",
            "resources": ["a.txt"], "metadata": { "diff": "+a" } }),
        );
        let AskContent::Permission(permission) = ask.kind else {
            panic!("{:?}", ask.kind)
        };
        assert_eq!(
            (permission.command, permission.diff.as_deref()),
            (None, Some("+a"))
        );
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

    #[test]
    fn a_session_is_one_segment_of_its_path_whatever_it_is_called() {
        assert_eq!(session_path("ses_1"), "/api/session/ses_1");
        assert!(
            !session_path("a/../b").contains("a/"),
            "{}",
            session_path("a/../b")
        );
    }
}
