//! The spellings in which a review is asked for, and answered: that of LangChain in Python, that of
//! LangChain.js, and the older one of the Agent Inbox, `HumanInterrupt`.
//!
//! - <https://docs.langchain.com/oss/python/langchain/human-in-the-loop>
//! - <https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop>
//! - <https://github.com/langchain-ai/agent-inbox>, "What do the fields mean?"

//!
//! Not here: where in a value a review stands, and what it allows (`request`).

use super::ReviewDecision;
use serde_json::{Value, json};

/// The dialect in which a review is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// `action_requests`
    Python,
    /// `actionRequests`
    JavaScript,
    /// `action_request` with a `config`
    Inbox,
}

impl Spelling {
    /// Returns the word for a decision.
    pub(super) fn word(self, decision: ReviewDecision) -> &'static str {
        match (self, decision) {
            (Self::Inbox, ReviewDecision::Approve) => "accept",
            (Self::Inbox, ReviewDecision::Reject) => "ignore",
            (Self::Inbox, ReviewDecision::Respond) => "response",
            (_, ReviewDecision::Approve) => "approve",
            (_, ReviewDecision::Edit) => "edit",
            (_, ReviewDecision::Reject) => "reject",
            (_, ReviewDecision::Respond) => "respond",
        }
    }

    /// Returns the decision that a graph's word means. Services borrow each other's words.
    pub(super) fn decision(word: &str) -> Option<ReviewDecision> {
        let word = word.trim().to_lowercase();
        let is_it = |decision: &ReviewDecision| {
            [Self::Python, Self::Inbox]
                .iter()
                .any(|spelling| spelling.word(*decision) == word)
        };
        ReviewDecision::ALL.into_iter().find(is_it)
    }

    /// Tells whether a text of the human's own can be that decision.
    pub(super) fn takes_words(self, decision: ReviewDecision) -> bool {
        match decision {
            ReviewDecision::Approve => false,
            ReviewDecision::Reject => self != Self::Inbox,
            ReviewDecision::Edit | ReviewDecision::Respond => true,
        }
    }

    /// Returns the field of a call that has its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Python | Self::JavaScript => "name",
            Self::Inbox => "action",
        }
    }

    /// Returns a yes, by the graph's word for it. The inbox gives the call back with it.
    pub(super) fn approval(self, word: &str, request: &Value) -> Value {
        match self {
            Self::Python | Self::JavaScript => json!({ "type": word }),
            Self::Inbox => json!({ "type": word, "args": request }),
        }
    }

    /// Returns a no.
    pub(super) fn rejection(self, word: &str, reason: Option<&str>) -> Value {
        match (self, reason) {
            (Self::Inbox, _) => json!({ "type": word, "args": null }),
            (_, Some(reason)) => json!({ "type": word, "message": reason }),
            (_, None) => json!({ "type": word }),
        }
    }

    /// Returns words in place of a result.
    pub(super) fn response(self, word: &str, text: &str) -> Value {
        match self {
            Self::Python | Self::JavaScript => json!({ "type": word, "message": text }),
            Self::Inbox => json!({ "type": word, "args": text }),
        }
    }

    /// Returns a yes with other arguments.
    pub(super) fn edited(self, word: &str, call: Value) -> Value {
        match self {
            Self::Python => json!({ "type": word, "edited_action": call }),
            Self::JavaScript => json!({ "type": word, "editedAction": call }),
            Self::Inbox => json!({ "type": word, "args": call }),
        }
    }

    /// Returns the decisions about all calls.
    pub(super) fn all(self, decisions: Vec<Value>) -> Value {
        match self {
            Self::Python | Self::JavaScript => json!({ "decisions": decisions }),
            Self::Inbox => Value::Array(decisions),
        }
    }
}
