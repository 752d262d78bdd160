//! The time for which agents waited for their human, day by day.

use super::AnswerPlace;
use serde::{Deserialize, Serialize};

/// The answer to `GET /history/activity`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// The days; the last of them is today, by the clock of this machine.
    pub days: Vec<ActivityDay>,
    /// The median of the waits of all days together, in milliseconds: half of those who were
    /// answered waited no longer.
    pub median_ms: Option<i64>,
}

/// A day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActivityDay {
    /// The date, like `2026-11-23`.
    pub date: String,
    /// The time for which agents waited within that day, in milliseconds. Two that wait at once
    /// wait twice as long.
    pub waited_ms: i64,
    /// The number of asks that were answered on that day …
    pub answered: u32,
    /// … and the median of their waits, in milliseconds: half of them had waited no longer.
    pub median_ms: Option<i64>,
    /// The places where they were answered, the most frequent first.
    pub by: Vec<AnswersAt>,
}

/// The number of answers in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnswersAt {
    /// The place.
    pub place: AnswerPlace,
    /// The number of answers.
    pub count: u32,
}

/// The time for which agents waited, in minutes, to a tenth; a part of `status --json`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockedMinutes {
    /// The minutes since midnight.
    pub today: f64,
    /// The minutes of today and of the six days before.
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
