//! What a check of one leg found.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// An item of `doctor --json`, and of the self-test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// Which leg, in a word for programs.
    pub leg: String,
    /// It works.
    pub ok: bool,
    /// It needs nothing, but is worth knowing.
    #[serde(default)]
    pub note: bool,
    /// In words.
    pub text: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub hint: Option<String>,
}

/// The test question waits so long: whoever tries it sits before the screen.
pub const TEST_QUESTION_WITHIN: Duration = Duration::from_secs(120);
