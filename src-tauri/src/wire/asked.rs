//! What an asker reads of its ask.

use super::Question;
use crate::asking::{End, Seen};
use beckon_core::Channel;
use serde::{Deserialize, Serialize};

/// How an ask that was made through Beckon stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The ask.
    pub id: String,
    /// How it stands.
    pub state: AskedState,
    /// One list of texts per question, once it is answered.
    pub answers: Option<Vec<Vec<String>>>,
    /// What is asked, as long as it is open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<Question>,
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
pub struct Noted {
    /// `desktop` or `telegram`; nothing when it is shown nowhere now.
    pub shown: Option<Channel>,
}

impl Noted {
    /// Shown there.
    pub fn on(shown: Option<Channel>) -> Self {
        Self { shown }
    }
}

impl Asked {
    /// The JSON for an ask as it stands.
    pub fn new(id: String, seen: Seen) -> Self {
        let questions = seen.questions.iter().filter(|_| seen.end.is_none());
        let questions = questions.map(super::list::question).collect();
        let (state, answers) = match seen.end {
            None => (AskedState::Open, None),
            Some(End::Answered(answers)) => (AskedState::Answered, Some(answers)),
            Some(End::Dismissed) => (AskedState::Dismissed, None),
            Some(End::TimedOut) => (AskedState::TimedOut, None),
            Some(End::Gone) => (AskedState::Gone, None),
        };
        Self { id, state, answers, questions }
    }
}
