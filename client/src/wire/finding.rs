//! The result of checking one part of Beckon, such as a source or a channel.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// An item of `doctor --json`, and of the self-test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The part that was checked, as a word for programs.
    pub leg: String,
    /// Whether the part works.
    pub ok: bool,
    /// Whether nothing has to be done about the finding, which is only worth knowing.
    #[serde(default)]
    pub note: bool,
    /// The finding as a sentence for people.
    pub text: String,
    /// The advice on what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<String>,
}

/// The time limit for answering the test question. Whoever tries it sits before the screen.
pub const TEST_QUESTION_WITHIN: Duration = Duration::from_secs(120);
