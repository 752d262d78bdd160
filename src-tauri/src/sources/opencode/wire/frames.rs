//! The shapes of the stream's frames. What a frame means is in `events`.

use super::or_default;
use super::sessions::{MessageTime, SessionInfo};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A frame of `/global/event`.
#[derive(Debug, Deserialize)]
pub(crate) struct GlobalFrame<'a> {
    /// The directory; absent on `server.connected` and heartbeats.
    pub directory: Option<String>,
    /// The event.
    #[serde(borrow)]
    pub payload: FramePayload<'a>,
}

/// The event of a frame.
#[derive(Debug, Deserialize)]
pub(crate) struct FramePayload<'a> {
    /// The name of the event.
    #[serde(rename = "type")]
    pub kind: String,
    /// The event's content, parsed once it is known what it is.
    #[serde(borrow)]
    pub properties: Option<&'a RawValue>,
}

/// The content of `session.status`, `session.idle` and `session.error`.
#[derive(Debug, Deserialize)]
pub(crate) struct SessionNews {
    /// The session; absent on an error that belongs to no session.
    #[serde(rename = "sessionID", default)]
    pub session_id: Option<String>,
    /// The status, if the event is one.
    #[serde(default)]
    pub status: Option<SessionStatus>,
    /// The error, if the event is one.
    #[serde(default)]
    pub error: Option<ErrorInfo>,
}

/// The status of a session.
#[derive(Debug, Deserialize)]
pub(crate) struct SessionStatus {
    /// The kind: `busy`, `retry` or `idle`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The error with which a turn ended.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ErrorInfo {
    /// The name: `APIError`, `MessageAbortedError`, …
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// The details of the error.
    #[serde(default, deserialize_with = "or_default")]
    pub data: ErrorDetails,
}

/// Details of an error.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ErrorDetails {
    /// The message, as its maker put it.
    #[serde(default)]
    pub message: Option<String>,
    /// The status code that a provider answered, if the error is that.
    #[serde(rename = "statusCode", default)]
    pub status_code: Option<u16>,
}

/// The content of `session.created`, `session.updated` and `session.deleted`.
#[derive(Debug, Deserialize)]
pub(crate) struct SessionChanged {
    /// The session as it is now.
    pub info: SessionInfo,
}

/// The content of `server.instance.disposed`.
#[derive(Debug, Deserialize)]
pub(crate) struct InstanceDisposed {
    /// The directory of the instance.
    #[serde(default)]
    pub directory: Option<String>,
}

/// The content of `message.updated`.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageChanged {
    /// The message as it is now.
    pub info: MessageState,
}

/// The state of a message.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageState {
    /// The session of the message.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// The role: `user` or `assistant`.
    pub role: String,
    /// The message that an assistant answers.
    #[serde(rename = "parentID", default)]
    pub parent_id: Option<String>,
    /// The finish of an assistant who has said everything: `stop`, `tool-calls`, …
    #[serde(default)]
    pub finish: Option<String>,
    /// The times, by the server's clock.
    pub time: MessageTime,
}
