//! The words that a human wrote in an app that takes signs for formatting: Telegram's apps make
//! `__init__.py` an italic "init", and the underscores are no longer in the text.
//!
//! Not here: how they are read, and what they do to a draft.

use crate::Question;
use alloc::borrow::ToOwned;
use alloc::string::String;

/// The words that a human wrote, without and with the signs that stand for formatting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenText {
    /// The words without the signs: a number or a label in bold is the same number or label.
    pub plain: String,
    /// The words with the signs: what an agent gets.
    pub full: String,
    /// Whether some of it is struck out: text that was taken back chooses nothing.
    pub is_struck: bool,
}

impl WrittenText {
    /// Returns the form that goes to the agent as the answer to this question: with the signs,
    /// unless what is asked for is a number or the like and only the words without them are one.
    pub(super) fn fitting(&self, question: &Question) -> &str {
        let format = question.limits.as_ref().map(|limits| limits.format);
        let is_formatted = |text: &str| format.is_none_or(|format| format.fits(text));

        if !is_formatted(&self.full) && is_formatted(&self.plain) {
            &self.plain
        } else {
            &self.full
        }
    }
}

impl From<&str> for WrittenText {
    fn from(text: &str) -> Self {
        Self {
            plain: text.to_owned(),
            full: text.to_owned(),
            is_struck: false,
        }
    }
}

impl From<String> for WrittenText {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}
