//! The body of an answer, as whoever shows an ask sends it.

use beckon_core::{Answer, Fingerprint, Surface};
use serde::{Deserialize, Serialize};

/// The body of `POST /answer/{id}`.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswerBody {
    /// The answer.
    pub answer: Answer,
    /// What was seen: refused when the ask is another by now. A program that shows nothing says
    /// nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Fingerprint>,
    /// Where it was given.
    pub by: Surface,
    /// From another Beckon: it may have been sent before, and is not to be taken for a second one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

impl AnswerBody {
    /// An answer that somebody gives for the first time.
    pub fn new(answer: Answer, seen: Option<Fingerprint>, by: Surface) -> Self {
        Self { answer, seen, by, again: false }
    }
}
