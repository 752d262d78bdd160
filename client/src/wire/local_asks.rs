//! What an asker reads of its ask.

use super::codes::{PermissionDecision, WireWord};
use crate::wire::{Permission, Question};
use beckon_core::{Channel, Grant, Reply};
use serde::{Deserialize, Serialize};

/// How an ask that was made through Beckon stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalAskStatus {
    /// The ask.
    pub id: String,
    /// How it stands.
    pub state: AskedState,
    /// One list of texts per question, once it is answered.
    pub answers: Option<Vec<Vec<String>>>,
    /// The same by index, one per question: of equal labels the texts do not tell which one was
    /// chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replies: Option<Vec<Reply>>,
    /// The human's decision about a permission, in the words of OpenCode's own reply.
    #[serde(flatten)]
    pub decision: Option<PermissionReply>,
    /// What is asked, as long as it is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
    /// What is to be allowed, as long as it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission: Option<Box<Permission>>,
}

/// The states of an ask, for its asker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AskedState {
    /// It waits for the human.
    Open,
    /// The human answered.
    Answered,
    /// The human will not answer.
    Dismissed,
    /// Nobody answered in time.
    TimedOut,
    /// It was withdrawn, or its asker was missed.
    Gone,
}

/// What became of `POST /notify`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NotifyResult {
    /// `desktop` or `telegram`; nothing when it is shown nowhere now.
    pub shown: Option<Channel>,
}

impl NotifyResult {
    /// Shown there.
    pub fn on(shown: Option<Channel>) -> Self {
        Self { shown }
    }
}

/// The body of `POST /permission/{id}/reply`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PermissionReply {
    /// What is decided.
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
