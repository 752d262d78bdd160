//! The answers to asks. Whether one fits its ask is in `answer/check.rs` (the servers validate
//! nothing, so this must), what it is in texts in `answer/texts.rs`, and which choice a text means
//! in `answer/named.rs`.

mod check;
mod decimal;
mod invalid;
mod limits;
mod named;
mod number;
mod pattern;
mod texts;

pub use decimal::NumberBound;
pub use invalid::InvalidAnswer;
pub use limits::{AnswerLimits, LimitMeasure, TextFormat};
pub(crate) use number::digit;
pub use number::{number, whole_number};

use crate::{Ask, AskContent, Outcome, Question};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A human's complete answer to an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The replies to a question set, one per question, in the order of the questions.
    Replies(Vec<Reply>),
    /// The decision about a permission.
    Grant(Grant),
    /// The answer "go on" to a confirm.
    Continue,
    /// The answer "stop" to a confirm.
    Cancel,
    /// The rejection of the whole question set.
    Dismiss,
}

/// The reply to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reply {
    /// Indices into the question's choices, from 0.
    #[serde(default)]
    pub choices: Vec<usize>,
    /// The person's own text.
    #[serde(default)]
    pub text: Option<String>,
}

/// The reply to a permission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Grant {
    /// Allows it, this once.
    Once,
    /// Allows everything that the permission's `always` patterns match.
    Always,
    /// Refuses it, with the human's reason for the agent.
    Reject {
        /// The reason, which goes to the agent as feedback.
        reason: Option<String>,
    },
}

impl Reply {
    /// Makes a reply with a single choice, by its index from 0.
    pub fn choice(index: usize) -> Self {
        Self {
            choices: vec![index],
            text: None,
        }
    }

    /// Makes a reply of own text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            choices: Vec::new(),
            text: Some(text.into()),
        }
    }
}

impl Answer {
    /// Whether the agent gets to go on by it. An answer that refuses needs no second person.
    pub fn allows(&self) -> bool {
        match self {
            Self::Replies(_) | Self::Grant(Grant::Once | Grant::Always) | Self::Continue => true,
            Self::Grant(Grant::Reject { .. }) | Self::Cancel | Self::Dismiss => false,
        }
    }
}

impl Ask {
    /// Returns the questions, empty for the other kinds.
    pub fn questions(&self) -> &[Question] {
        match &self.kind {
            AskContent::Questions(questions) => questions,
            AskContent::Permission(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => &[],
        }
    }

    /// Whether an answer lets something run.
    pub fn is_consent(&self) -> bool {
        let of_question = |question: &Question| question.consent.is_some();
        self.questions().iter().any(of_question)
    }

    /// Returns true if these replies may let something run, as own words may.
    pub fn consents_by(&self, replies: &[Reply]) -> bool {
        let gives = |(question, reply): (&Question, &Reply)| {
            let in_words = question.consent.is_some() && reply.text.is_some();
            in_words || reply.choices.iter().any(|&it| question.consents_by(it))
        };
        self.questions().iter().zip(replies).any(gives)
    }

    /// Returns the answer that counted, wherever it was given, as far as it is known.
    pub fn final_answer(&self, outcome: &Outcome) -> Option<Answer> {
        match outcome {
            Outcome::Answered { answer, .. } => Some(answer.clone()),
            Outcome::Elsewhere { answers } => self.from_source_texts(answers.as_ref()?),
            Outcome::DismissedElsewhere => Some(self.refusal()),
            Outcome::Expired | Outcome::Gone => None,
        }
    }

    /// Returns the answer of a human who will have nothing to do with it.
    pub fn refusal(&self) -> Answer {
        match self.kind {
            // An ask of unknown form takes no answer, but it may have been dismissed elsewhere.
            AskContent::Questions(_) | AskContent::Unknown(_) => Answer::Dismiss,
            AskContent::Permission(_) => Answer::Grant(Grant::Reject { reason: None }),
            AskContent::Confirm(_) => Answer::Cancel,
        }
    }
}
