//! The handler of `GET /history/activity`: how long agents waited, day by day.
//!
//! Not here: the rows (`store/history/waits.rs`).

use super::super::error::ApiError;
use super::super::{ApiState, problem};
use super::read;
use crate::store::Wait;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use beckon_client::platform::clock;
use beckon_client::wire::{Activity, ActivityDay, AnswersAt, BlockedMinutes};
use beckon_core::Timestamp;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use std::collections::BTreeMap;

/// The number of days: today, and the days before it.
const DAYS: i64 = 7;

/// A day, from its first midnight to the next.
struct Day {
    date: Date,
    from: Timestamp,
    to: Timestamp,
}

/// Handles `GET /history/activity`.
pub(in super::super) async fn activity(State(room): State<ApiState>) -> Response {
    match of_the_week(&room).await {
        Ok(activity) => Json(activity).into_response(),
        Err(error) => problem(&room, &ApiError::Database(error)),
    }
}

/// Returns the week in two figures; `None` if the database is broken: the status says so.
pub(in super::super) async fn blocked_minutes(room: &ApiState) -> Option<BlockedMinutes> {
    of_the_week(room)
        .await
        .ok()
        .as_ref()
        .map(BlockedMinutes::from)
}

async fn of_the_week(room: &ApiState) -> anyhow::Result<Activity> {
    let now = clock::now();
    let days = days(&clock::zone(), now);
    let since = days.first().map_or(now, |day| day.from);
    let waits = read(room, move |history| history.waits(since)).await?;
    Ok(sum(&waits, &days, now))
}

fn days(zone: &TimeZone, now: Timestamp) -> Vec<Day> {
    let today = jiff::Timestamp::from_millisecond(now.0)
        .unwrap_or_default()
        .to_zoned(zone.clone());
    let day = |back: i64| {
        let date = today.date().checked_sub(back.days()).ok()?;
        let midnight = |date: Date| {
            let start = date.to_zoned(zone.clone()).ok()?;
            Some(Timestamp(start.timestamp().as_millisecond()))
        };
        Some(Day {
            date,
            from: midnight(date)?,
            to: midnight(date.tomorrow().ok()?)?,
        })
    };
    (0..DAYS).rev().filter_map(day).collect()
}

fn sum(waits: &[Wait], days: &[Day], now: Timestamp) -> Activity {
    let first = days.first().map_or(now, |day| day.from);
    let answered = waits.iter().filter(|wait| wait.answered);
    let all = answered.filter(|wait| wait.until.is_some_and(|until| until >= first));
    Activity {
        median_ms: median(all.filter_map(waited).collect()),
        days: days.iter().map(|day| of_day(waits, day, now)).collect(),
    }
}

fn of_day(waits: &[Wait], day: &Day, now: Timestamp) -> ActivityDay {
    let ended = |wait: &&Wait| wait.until.is_some_and(|at| day.from <= at && at < day.to);
    let answered: Vec<&Wait> = waits
        .iter()
        .filter(|it| it.answered)
        .filter(ended)
        .collect();
    ActivityDay {
        date: day.date.to_string(),
        waited_ms: waits.iter().map(|wait| within(wait, day, now)).sum(),
        answered: u32::try_from(answered.len()).unwrap_or(u32::MAX),
        median_ms: median(answered.iter().copied().filter_map(waited).collect()),
        by: places(&answered),
    }
}

/// Returns the part of the wait that falls into the day.
fn within(wait: &Wait, day: &Day, now: Timestamp) -> i64 {
    let until = wait.until.unwrap_or(now).min(day.to);
    (until - wait.asked_at.max(day.from)).0.max(0)
}

fn waited(wait: &Wait) -> Option<i64> {
    Some((wait.until? - wait.asked_at).0.max(0))
}

fn median(mut waits: Vec<i64>) -> Option<i64> {
    waits.sort_unstable();
    waits.get(waits.len() / 2).copied()
}

fn places(answered: &[&Wait]) -> Vec<AnswersAt> {
    let mut counts = BTreeMap::new();
    for place in answered.iter().filter_map(|wait| wait.by) {
        *counts.entry(place).or_insert(0) += 1;
    }
    let mut places: Vec<_> = counts
        .into_iter()
        .map(|(place, count)| AnswersAt { place, count })
        .collect();
    places.sort_by_key(|at| std::cmp::Reverse(at.count));
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_client::wire::AnswerPlace;

    /// The time 2026-11-23 10:00 in Shanghai.
    const NOW: Timestamp = Timestamp(1_795_399_200_000);
    const MINUTE: i64 = 60_000;

    fn week() -> Vec<Day> {
        days(&TimeZone::get("Asia/Shanghai").unwrap(), NOW)
    }

    fn wait(from: i64, to: Option<i64>, by: Option<AnswerPlace>) -> Wait {
        let at = |minutes: i64| Timestamp(NOW.0 + minutes * MINUTE);
        Wait {
            asked_at: at(from),
            until: to.map(at),
            answered: by.is_some(),
            by,
        }
    }

    #[test]
    fn the_days_are_those_of_the_humans_own_clock() {
        let days = week();
        let dates: Vec<String> = days.iter().map(|day| day.date.to_string()).collect();
        assert_eq!(
            (dates[0].as_str(), dates[6].as_str()),
            ("2026-11-17", "2026-11-23")
        );
        assert_eq!((NOW - days[6].from).0, 10 * 60 * MINUTE);
    }

    #[test]
    fn a_wait_over_midnight_is_of_both_days_and_counts_where_it_ended() {
        let waits = [wait(-11 * 60, Some(-9 * 60), Some(AnswerPlace::Telegram))];
        let Activity { days, median_ms } = sum(&waits, &week(), NOW);
        let minutes = |day: &ActivityDay| day.waited_ms / MINUTE;
        assert_eq!((minutes(&days[5]), minutes(&days[6])), (60, 60));
        assert_eq!((days[5].answered, days[6].answered), (0, 1));
        assert_eq!(
            (days[6].median_ms, median_ms),
            (Some(120 * MINUTE), Some(120 * MINUTE))
        );
    }

    #[test]
    fn what_is_still_open_has_waited_until_now_and_is_no_answer() {
        let days = sum(&[wait(-30, None, None)], &week(), NOW).days;
        assert_eq!((days[6].waited_ms, days[6].answered), (30 * MINUTE, 0));
        assert_eq!((days[6].median_ms, days[6].by.len()), (None, 0));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_no_wait_negative() {
        let days = sum(&[wait(5, Some(-5), Some(AnswerPlace::Tray))], &week(), NOW).days;
        assert_eq!((days[6].waited_ms, days[6].median_ms), (0, Some(0)));
    }

    #[test]
    fn places_are_counted_the_most_frequent_first() {
        let places = [AnswerPlace::Tray, AnswerPlace::Window, AnswerPlace::Window];
        let waits = places.map(|place| wait(-2, Some(-1), Some(place)));
        let days = sum(&waits, &week(), NOW).days;
        let by: Vec<_> = days[6].by.iter().map(|at| (at.place, at.count)).collect();
        assert_eq!(by, [(AnswerPlace::Window, 2), (AnswerPlace::Tray, 1)]);
        assert_eq!(BlockedMinutes::from(&sum(&waits, &week(), NOW)).today, 3.0);
    }
}
