//! What an asker reads of its ask.

use crate::sources::local_asks::messages::{AnsweredQuestions, AskEnd, AskProgress};
use crate::sources::opencode::wire::PermissionReply;
use crate::wire::{Permission, Question};
use beckon_core::{AskContent, Channel, Reply};
use serde::{Deserialize, Serialize};

/// How an ask that was made through Beckon stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

impl LocalAskStatus {
    /// The JSON for an ask as it stands.
    pub fn new(id: String, seen: AskProgress) -> Self {
        if let Some(end) = seen.end {
            return Self::ended(id, end);
        }
        let (questions, permission) = match &seen.kind {
            AskContent::Questions(questions) => {
                (questions.iter().map(crate::wire::list::question).collect(), None)
            }
            kind => (Vec::new(), crate::wire::list::permission(kind).map(Box::new)),
        };
        let state = AskedState::Open;
        Self { id, state, answers: None, replies: None, decision: None, questions, permission }
    }

    /// The JSON for one that has ended.
    pub fn ended(id: String, end: AskEnd) -> Self {
        let without_answer = |state| Self {
            id,
            state,
            answers: None,
            replies: None,
            decision: None,
            questions: Vec::new(),
            permission: None,
        };
        match end {
            AskEnd::Answered(AnsweredQuestions { texts, replies }) => {
                Self { answers: Some(texts), replies, ..without_answer(AskedState::Answered) }
            }
            AskEnd::Granted(grant) => {
                let decision = Some(PermissionReply::from(&grant));
                Self { decision, ..without_answer(AskedState::Answered) }
            }
            AskEnd::Dismissed => without_answer(AskedState::Dismissed),
            AskEnd::TimedOut => without_answer(AskedState::TimedOut),
            AskEnd::Gone => without_answer(AskedState::Gone),
        }
    }
}
