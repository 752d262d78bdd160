//! How long agents waited for their human, day by day.

use super::AnswerPlace;
use serde::{Deserialize, Serialize};

/// `GET /history/activity`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// The last of them is today, by the clock of this machine.
    pub days: Vec<ActivityDay>,
    /// Of all of them together: half of those who were answered waited no longer, in milliseconds.
    pub median_ms: Option<i64>,
}

/// A day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActivityDay {
    /// `2026-11-23`
    pub date: String,
    /// So long agents waited within that day, in milliseconds: two that wait at once wait twice as
    /// long.
    pub waited_ms: i64,
    /// So many were answered on that day …
    pub answered: u32,
    /// … and half of them had waited no longer, in milliseconds.
    pub median_ms: Option<i64>,
    /// Where, the most frequent first.
    pub by: Vec<AnswersAt>,
}

/// How much was answered in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswersAt {
    /// The place.
    pub place: AnswerPlace,
    /// So many.
    pub count: u32,
}

/// Of `status --json`: how long agents waited, in minutes, to a tenth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockedMinutes {
    /// Since midnight.
    pub today: f64,
    /// Today and on the six days before.
    pub week: f64,
}

impl From<&Activity> for BlockedMinutes {
    fn from(activity: &Activity) -> Self {
        let sum = |days: &[ActivityDay]| days.iter().map(|day| day.waited_ms).sum();
        let last = activity.days.len().saturating_sub(1);
        Self {
            today: minutes(sum(&activity.days[last..])),
            week: minutes(sum(&activity.days)),
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "minutes of a week, to a tenth")]
fn minutes(ms: i64) -> f64 {
    (ms as f64 / 6_000.0).round() / 10.0
}
