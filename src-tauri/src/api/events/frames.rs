//! The frames of `/global/event`, as OpenCode would say them.
//!
//! Not here: which news becomes which (`events.rs`), and how frames of others are read
//! (`sources/opencode/wire`).

use crate::sources::opencode::peer::PeerRequest;
use crate::sources::opencode::wire::{PermissionRequest, QuestionRequest};
use serde::Serialize;

/// A frame of `GET /global/event`
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct DialectFrame {
    /// That of the session; absent on what is of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) directory: Option<String>,
    /// What has happened.
    pub(super) payload: DialectEvent,
}

/// What has happened.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", content = "properties")]
pub(in crate::api) enum DialectEvent {
    /// The first frame: what happens from now on is told.
    #[serde(rename = "server.connected")]
    Connected {},
    /// Every ten seconds.
    #[serde(rename = "server.heartbeat")]
    Heartbeat {},
    /// A question is new, asks something else, or waits again.
    #[serde(rename = "question.asked")]
    QuestionAsked(QuestionRequest),
    /// The same of a permission.
    #[serde(rename = "permission.asked")]
    PermissionAsked(PermissionRequest),
    /// The same of what OpenCode's dialect has no word for.
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
    /// What OpenCode's dialect has no word for was answered.
    #[serde(rename = "ask.replied")]
    OtherReplied(RepliedRequest),
    /// The same ended without an answer.
    #[serde(rename = "ask.rejected")]
    OtherRejected(RequestIds),
}

/// Which request.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct RequestIds {
    /// Its session.
    #[serde(rename = "sessionID")]
    pub(super) session: String,
    /// Its own id.
    #[serde(rename = "requestID")]
    pub(super) request: String,
}

/// A request with its answer.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct RepliedRequest {
    /// Which.
    #[serde(flatten)]
    pub(super) ids: RequestIds,
    /// A list of labels and texts for each question.
    pub(super) answers: Vec<Vec<String>>,
}

/// A permission with what was decided.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::api) struct DecidedRequest {
    /// Which.
    #[serde(flatten)]
    pub(super) ids: RequestIds,
    /// `once`, `always` or `reject`; an agent may have a word of its own.
    pub(super) reply: String,
}
