//! The answers that an asker gets about its ask.

use super::codes::{PermissionDecision, WireWord};
use crate::wire::{Permission, Question};
use beckon_core::{Channel, Grant, Reply};
use serde::{Deserialize, Serialize};

/// The state of an ask that was made through Beckon.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalAskStatus {
    /// The id of the ask.
    pub id: String,
    /// The state of the ask.
    pub state: AskedState,
    /// The answers as lists of texts, one list per question, once it is answered.
    pub answers: Option<Vec<Vec<String>>>,
    /// The answers by index, one per question: if labels are equal, the texts do not tell which one
    /// was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Vec<Reply>>,
    /// The human's decision about a permission, in the words of OpenCode's own reply.
    #[serde(flatten)]
    pub decision: Option<PermissionReply>,
    /// The questions, as long as the ask is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// The permission that is asked for, as long as the ask is open.
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
    /// The human has answered.
    Answered,
    /// The human will not answer.
    Dismissed,
    /// The time limit ran out before anybody answered.
    TimedOut,
    /// The ask was withdrawn, or its asker has disappeared.
    Gone,
}

/// The answer to `POST /notify`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotifyResult {
    /// The channel that shows it, `desktop` or `telegram`; absent if it is shown nowhere now.
    pub shown: Option<Channel>,
}

impl NotifyResult {
    /// Makes the answer for that channel.
    pub fn on(shown: Option<Channel>) -> Self {
        Self { shown }
    }
}

/// The body of `POST /permission/{id}/reply`.
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
