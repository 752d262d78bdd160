//! The descriptions of a server, its projects and its sessions, as Beckon writes them in OpenCode's
//! dialect.
//!
//! Not here: the requests, which are read as well as written (`sources/opencode/wire`).

use crate::sources::opencode::wire::PeerHealth;
use beckon_core::Session;
use serde::Serialize;

/// The response of `GET /global/health`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct HealthDescription {
    /// Always true: a Beckon that is not healthy does not answer.
    pub(super) healthy: bool,
    /// Beckon's version.
    pub(super) version: &'static str,
    /// The facts for a Beckon that watches this one.
    #[serde(flatten)]
    pub(super) kin: PeerHealth,
}

/// The response of `GET /path`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct WorkingDirectory {
    /// Always empty: a Beckon works in no directory.
    pub(super) directory: &'static str,
}

/// An item of `GET /project`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct ProjectDescription {
    /// The directory.
    id: String,
    /// The directory.
    worktree: String,
    /// Always empty.
    sandboxes: Vec<String>,
}

/// An item of `GET /experimental/session`, and the response of `GET /session/{id}`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct SessionDescription {
    /// The source's id of the session.
    id: String,
    /// The session's title, once known.
    title: Option<String>,
    /// The session's directory.
    directory: String,
    /// The session's agent, once known.
    agent: Option<String>,
    /// The session that started this one.
    #[serde(rename = "parentID")]
    parent: Option<String>,
}

/// An item of `GET /session/status`, which lists only sessions that wait.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub(in crate::api) enum SessionActivity {
    /// The session waits for its human.
    Busy,
}

/// The response of `GET /session/{id}/message/{message}`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct MessageDescription {
    /// The author of the message.
    info: Author,
    /// The author's last words, if they are known.
    parts: Vec<MessagePart>,
}

/// The author of a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Author {
    /// The agent, once known.
    agent: Option<String>,
}

/// A part of a message.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
enum MessagePart {
    /// A text.
    Text {
        /// The whole text.
        text: String,
    },
}

impl ProjectDescription {
    /// Describes the project of that directory.
    pub(super) fn of(directory: String) -> Self {
        Self {
            id: directory.clone(),
            worktree: directory,
            sandboxes: Vec::new(),
        }
    }
}

impl From<&Session> for SessionDescription {
    fn from(session: &Session) -> Self {
        let Session {
            id,
            title,
            directory,
            agent,
            parent,
            ..
        } = session.clone();
        Self {
            id,
            title,
            directory,
            agent,
            parent,
        }
    }
}

impl From<Session> for MessageDescription {
    fn from(session: Session) -> Self {
        let text = session.last_words.map(|text| MessagePart::Text { text });
        Self {
            info: Author {
                agent: session.agent,
            },
            parts: text.into_iter().collect(),
        }
    }
}
