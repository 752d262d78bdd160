//! Sessions, what was said in them, and the directories they run in; those of the second core in `v2`.

use super::lenient;
use serde::Deserialize;

/// When a message was made, by the server's clock, in milliseconds of the epoch.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageTime {
    /// Begun.
    pub created: i64,
    /// Ended; absent until then, and on what a user says.
    #[serde(default)]
    pub completed: Option<i64>,
}

/// `GET /session/{id}`
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SessionInfo {
    /// The session.
    pub id: String,
    /// Its title.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub title: Option<String>,
    /// Its directory.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub directory: Option<String>,
    /// The session that started it.
    #[serde(
        rename = "parentID",
        default,
        deserialize_with = "lenient::if_understood"
    )]
    pub parent_id: Option<String>,
    /// Newer servers.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub agent: Option<String>,
}

/// An item of `GET /project`
#[derive(Debug, Deserialize)]
pub(crate) struct ListedProject {
    /// `/` for everything outside a repository.
    pub worktree: String,
    /// Other worktrees of the same repository.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub sandboxes: Vec<String>,
}

/// `GET /path`
#[derive(Debug, Deserialize)]
pub(crate) struct PathInfo {
    /// The server's own working directory.
    pub directory: String,
}

/// `GET /session/{id}/message/{id}`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionMessage {
    /// About it.
    pub info: MessageInfo,
    /// What it consists of.
    #[serde(default)]
    pub parts: Vec<MessagePart>,
}

/// About a message.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct MessageInfo {
    /// The message.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub id: String,
    /// `user` or `assistant`.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub role: Option<String>,
    /// Why it was broken off; only that there is something counts.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub error: Option<serde_json::Value>,
    /// Who speaks.
    #[serde(default)]
    pub agent: Option<String>,
    /// When.
    #[serde(default)]
    pub time: Option<MessageTime>,
}

/// A part of a message; only text and tool parts are of interest.
#[derive(Debug, Deserialize)]
pub(crate) struct MessagePart {
    /// `text`, `tool`, …
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Of a text.
    #[serde(default)]
    pub text: Option<String>,
    /// Of a tool.
    #[serde(rename = "callID", default)]
    pub call_id: Option<String>,
    /// Of a tool: which.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub tool: Option<String>,
    /// Of a tool.
    #[serde(default)]
    pub state: Option<ToolState>,
}

/// How far a tool call is.
#[derive(Debug, Deserialize)]
pub(crate) struct ToolState {
    /// `pending`, `running`, `completed`, `error`.
    #[serde(default)]
    pub status: String,
    /// What the tool is called with; empty while that is still being written (`pending`).
    #[serde(default)]
    pub input: Option<serde_json::Value>,
    /// Why it failed.
    #[serde(default)]
    pub error: Option<String>,
    /// Of an answered question: `answers`.
    #[serde(default)]
    pub metadata: Option<serde_json::Value>,
}
