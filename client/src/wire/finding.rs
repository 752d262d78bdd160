//! The findings of `doctor` and of the self-test, one for each part.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// An item of `doctor --json`, and of the self-test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// The part that was checked, in a word for programs.
    pub leg: String,
    /// Whether it works.
    pub ok: bool,
    /// Whether it is only a note: nothing is to be done, but it is worth knowing.
    #[serde(default)]
    pub note: bool,
    /// The finding, in words.
    pub text: String,
    /// The advice what to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<String>,
}

/// The time for which the test question waits: the person who tries it is at the screen.
pub const TEST_QUESTION_WITHIN: Duration = Duration::from_secs(120);
