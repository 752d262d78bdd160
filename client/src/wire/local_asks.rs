//! The ask as its asker reads it.

use super::codes::{PermissionDecision, WireWord};
use crate::wire::{Permission, Question};
use beckon_core::{Channel, Grant, Reply};
use serde::{Deserialize, Serialize};

/// The state of an ask that was made through Beckon.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalAskStatus {
    /// The ask's id.
    pub id: String,
    /// The state of the ask.
    pub state: AskedState,
    /// The answers, a list of texts for each question, once it is answered.
    pub answers: Option<Vec<Vec<String>>>,
    /// The answers as indexes, one reply for each question. Where labels are equal, the texts do
    /// not tell which one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Vec<Reply>>,
    /// The human's decision about a permission, in the words of OpenCode's own reply.
    #[serde(flatten)]
    pub decision: Option<PermissionReply>,
    /// The questions, as long as the ask is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// The action that is to be allowed, as long as the ask is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission: Option<Box<Permission>>,
}

/// The states of an ask, for its asker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AskedState {
    /// The ask waits for the human.
    Open,
    /// The human answered.
    Answered,
    /// The human will not answer.
    Dismissed,
    /// The ask was not answered in time.
    TimedOut,
    /// The ask was withdrawn, or its asker was missed.
    Gone,
}

/// The response of `POST /notify`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotifyResult {
    /// The channel that shows the message, `desktop` or `telegram`; missing when it is shown
    /// nowhere now.
    pub shown: Option<Channel>,
}

impl NotifyResult {
    /// Makes the result of a message that is shown on that channel.
    pub fn on(shown: Option<Channel>) -> Self {
        Self { shown }
    }
}

/// The body of `POST /permission/{id}/reply`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PermissionReply {
    /// The decision.
    pub reply: WireWord<PermissionDecision>,
    /// The reason, for the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl From<&Grant> for PermissionReply {
    fn from(grant: &Grant) -> Self {
        let (reply, message) = match grant {
            Grant::Once => (PermissionDecision::Once, None),
            Grant::Always => (PermissionDecision::Always, None),
            Grant::Reject { reason } => (PermissionDecision::Reject, reason.clone()),
        };
        Self {
            reply: reply.into(),
            message,
        }
    }
}
