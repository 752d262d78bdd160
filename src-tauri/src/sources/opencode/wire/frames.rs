//! What the frames of the stream carry. What a frame means is in `events`.

use super::or_default;
use super::sessions::{MessageTime, SessionInfo};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A frame of `/global/event`.
#[derive(Debug, Deserialize)]
pub(crate) struct GlobalFrame<'a> {
    /// Absent on `server.connected` and heartbeats.
    pub directory: Option<String>,
    /// The event.
    #[serde(borrow)]
    pub payload: FramePayload<'a>,
}

/// The event of a frame.
#[derive(Debug, Deserialize)]
pub(crate) struct FramePayload<'a> {
    /// Its name.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its content, parsed once it is known what it is.
    #[serde(borrow)]
    pub properties: Option<&'a RawValue>,
}

/// `session.status`, `session.idle`, `session.error`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionNews {
    /// Absent on an error that belongs to no session.
    #[serde(rename = "sessionID", default)]
    pub session_id: Option<String>,
    /// Of a status.
    #[serde(default)]
    pub status: Option<SessionStatus>,
    /// Of an error.
    #[serde(default)]
    pub error: Option<ErrorInfo>,
}

/// The content of `session.status`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionStatus {
    /// `busy`, `retry`, `idle`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Why a turn ended.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ErrorInfo {
    /// `APIError`, `MessageAbortedError`, …
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// Its details.
    #[serde(default, deserialize_with = "or_default")]
    pub data: ErrorDetails,
}

/// Details of an error.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ErrorDetails {
    /// As its maker put it.
    #[serde(default)]
    pub message: Option<String>,
    /// Of a provider that answers so.
    #[serde(rename = "statusCode", default)]
    pub status_code: Option<u16>,
}

/// `session.created`, `session.updated`, `session.deleted`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionChanged {
    /// The session as it is now.
    pub info: SessionInfo,
}

/// `server.instance.disposed`
#[derive(Debug, Deserialize)]
pub(crate) struct InstanceDisposed {
    /// Of which directory.
    #[serde(default)]
    pub directory: Option<String>,
}

/// `message.updated`
#[derive(Debug, Deserialize)]
pub(crate) struct MessageChanged {
    /// The message as it is now.
    pub info: MessageState,
}

/// How far a message is.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageState {
    /// Its session.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// `user`, `assistant`.
    pub role: String,
    /// Of an assistant: the message that it answers.
    #[serde(rename = "parentID", default)]
    pub parent_id: Option<String>,
    /// Of an assistant who has said everything: `stop`, `tool-calls`, …
    #[serde(default)]
    pub finish: Option<String>,
    /// By the server's clock.
    pub time: MessageTime,
}
