//! The frames of `GET /global/event`, in the form of OpenCode's.
//!
//! Not here: which news becomes which frame (`events.rs`), and how frames of servers are read
//! (`sources/opencode/wire`).

use crate::sources::opencode::peer::PeerRequest;
use crate::sources::opencode::wire::{PermissionRequest, QuestionRequest};
use serde::Serialize;

/// A frame of `GET /global/event`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct DialectFrame {
    /// The session's directory; absent for an event without a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) directory: Option<String>,
    /// The event.
    pub(super) payload: DialectEvent,
}

/// An event of the desk.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "properties")]
pub(in crate::api) enum DialectEvent {
    /// The first frame. Everything that happens after it is sent.
    #[serde(rename = "server.connected")]
    Connected {},
    /// A sign of life, every ten seconds.
    #[serde(rename = "server.heartbeat")]
    Heartbeat {},
    /// A question is new, asks something else, or waits again.
    #[serde(rename = "question.asked")]
    QuestionAsked(QuestionRequest),
    /// A permission is new, has changed, or waits again.
    #[serde(rename = "permission.asked")]
    PermissionAsked(PermissionRequest),
    /// An ask for which OpenCode's dialect has no word is new, has changed, or waits again.
    #[serde(rename = "ask.asked")]
    OtherAsked(PeerRequest),
    /// A question was answered.
    #[serde(rename = "question.replied")]
    QuestionReplied(RepliedRequest),
    /// A question ended without an answer.
    #[serde(rename = "question.rejected")]
    QuestionRejected(RequestIds),
    /// A permission ended.
    #[serde(rename = "permission.replied")]
    PermissionReplied(DecidedRequest),
    /// An ask for which OpenCode's dialect has no word was answered.
    #[serde(rename = "ask.replied")]
    OtherReplied(RepliedRequest),
    /// An ask for which OpenCode's dialect has no word ended without an answer.
    #[serde(rename = "ask.rejected")]
    OtherRejected(RequestIds),
}

/// The ids of a request.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct RequestIds {
    /// The session's id.
    #[serde(rename = "sessionID")]
    pub(super) session: String,
    /// The request's id.
    #[serde(rename = "requestID")]
    pub(super) request: String,
}

/// A request with its answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct RepliedRequest {
    /// The request's ids.
    #[serde(flatten)]
    pub(super) ids: RequestIds,
    /// A list of labels and texts for each question.
    pub(super) answers: Vec<Vec<String>>,
}

/// A permission with its decision.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct DecidedRequest {
    /// The request's ids.
    #[serde(flatten)]
    pub(super) ids: RequestIds,
    /// The decision: `once`, `always` or `reject`; an agent may have a word of its own.
    pub(super) reply: String,
}
