//! The shapes of sessions, of what was said in them, and of the directories they run in; those of
//! the second core are in `v2`.

use super::lenient;
use serde::Deserialize;

/// The times of a message, by the server's clock, in milliseconds of the epoch.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageTime {
    /// The time at which it was begun.
    pub created: i64,
    /// The time at which it ended; absent until then, and on what a user says.
    #[serde(default)]
    pub completed: Option<i64>,
}

/// The answer of `GET /session/{id}`.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SessionInfo {
    /// The session.
    pub id: String,
    /// The title of the session.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub title: Option<String>,
    /// The directory of the session.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub directory: Option<String>,
    /// The session that started it.
    #[serde(
        rename = "parentID",
        default,
        deserialize_with = "lenient::if_understood"
    )]
    pub parent_id: Option<String>,
    /// The agent, which newer servers tell.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub agent: Option<String>,
}

/// An item of `GET /project`.
#[derive(Debug, Deserialize)]
pub(crate) struct ListedProject {
    /// The worktree; `/` for everything outside a repository.
    pub worktree: String,
    /// Other worktrees of the same repository.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub sandboxes: Vec<String>,
}

/// The answer of `GET /path`.
#[derive(Debug, Deserialize)]
pub(crate) struct PathInfo {
    /// The server's own working directory.
    pub directory: String,
}

/// The answer of `GET /session/{id}/message/{id}`.
#[derive(Debug, Deserialize)]
pub(crate) struct SessionMessage {
    /// The information about the message.
    pub info: MessageInfo,
    /// The parts of the message.
    #[serde(default)]
    pub parts: Vec<MessagePart>,
}

/// The information about a message.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct MessageInfo {
    /// The id of the message.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub id: String,
    /// The role: `user` or `assistant`.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub role: Option<String>,
    /// The error with which it was broken off; only that there is one counts.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub error: Option<serde_json::Value>,
    /// The agent who speaks.
    #[serde(default)]
    pub agent: Option<String>,
    /// The times of the message.
    #[serde(default)]
    pub time: Option<MessageTime>,
}

/// A part of a message; only text and tool parts are of interest.
#[derive(Debug, Deserialize)]
pub(crate) struct MessagePart {
    /// The kind: `text`, `tool`, …
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The text, if the part is one.
    #[serde(default)]
    pub text: Option<String>,
    /// The id of the call, if the part is a tool's.
    #[serde(rename = "callID", default)]
    pub call_id: Option<String>,
    /// The name of the tool, if the part is a tool's.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub tool: Option<String>,
    /// The state of the call, if the part is a tool's.
    #[serde(default)]
    pub state: Option<ToolState>,
}

/// The state of a tool call.
#[derive(Debug, Deserialize)]
pub(crate) struct ToolState {
    /// The status: `pending`, `running`, `completed` or `error`.
    #[serde(default)]
    pub status: String,
    /// The arguments of the call; empty while they are still being written (`pending`).
    #[serde(default, deserialize_with = "lenient::exact_value")]
    pub input: Option<serde_json::Value>,
    /// The reason for which it failed.
    #[serde(default)]
    pub error: Option<String>,
    /// The metadata; of an answered question it has `answers`.
    #[serde(default)]
    pub metadata: Option<serde_json::Value>,
}
