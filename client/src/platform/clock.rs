//! The wall clock and the time zone, which the resident reads here only, and the watch that notices
//! that somebody has set the clock.

use beckon_core::{Span, Timestamp};
use jiff::tz::TimeZone;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Returns the current time.
pub fn now() -> Timestamp {
    timestamp(SystemTime::now())
}

/// Converts a time of the system, such as a file's.
pub fn timestamp(time: SystemTime) -> Timestamp {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Returns the time until then; zero if it has passed.
pub fn until(at: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from((at - now()).0).unwrap_or(0))
}

/// Returns the time zone of this machine. It is read anew every few minutes, as the machine may
/// travel.
pub fn zone() -> TimeZone {
    TimeZone::system()
}

/// Returns how far local time is ahead of UTC now.
pub fn utc_offset() -> Span {
    offset_at(&zone(), now())
}

fn offset_at(zone: &TimeZone, at: Timestamp) -> Span {
    let at = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    Span::seconds(i64::from(zone.to_offset(at).seconds()))
}

/// The least difference that counts as a setting of the clock. A smaller one comes from a clock
/// that is slewed.
const SET: Span = Span::seconds(1);

/// The wall clock, compared with a clock that nobody sets.
#[derive(Clone, Copy, Debug)]
pub struct ClockWatch {
    wall: Timestamp,
    steady: Span,
}

impl ClockWatch {
    /// Begins with both clocks as they are now.
    pub fn start() -> Self {
        Self {
            wall: now(),
            steady: steady(),
        }
    }

    /// Returns by how much the wall clock was set since the last look; `None` if it was not.
    pub fn look(&mut self) -> Option<Span> {
        self.advance(Self::start())
    }

    fn advance(&mut self, now: Self) -> Option<Span> {
        let by = Span((now.wall - self.wall).0 - (now.steady.0 - self.steady.0));
        *self = now;
        (by <= Span(-SET.0) || by >= SET).then_some(by)
    }
}

/// Returns the time since some beginning. This clock goes on while the machine sleeps
/// (<https://man7.org/linux/man-pages/man2/clock_gettime.2.html>; macOS has no `CLOCK_BOOTTIME`,
/// its `CLOCK_MONOTONIC` does the same).
#[cfg(unix)]
pub fn steady() -> Span {
    #[cfg(target_os = "linux")]
    let clock = rustix::time::ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    let clock = rustix::time::ClockId::Monotonic;
    let time = rustix::time::clock_gettime(clock);
    Span::millis(
        time.tv_sec
            .saturating_mul(1_000)
            .saturating_add(time.tv_nsec / 1_000_000),
    )
}

/// Returns the time since some beginning. The counter behind `Instant` goes on while the machine
/// sleeps
/// (<https://learn.microsoft.com/windows/win32/sysinfo/acquiring-high-resolution-time-stamps>).
#[cfg(not(unix))]
pub fn steady() -> Span {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    Span::millis(i64::try_from(START.elapsed().as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(wall: i64, steady: i64) -> ClockWatch {
        ClockWatch {
            wall: Timestamp(wall * 1_000),
            steady: Span::seconds(steady),
        }
    }

    #[test]
    fn a_clock_that_goes_is_not_set_also_over_a_sleep() {
        let mut watch = at(1_000, 0);
        assert_eq!(watch.advance(at(1_010, 10)), None);
        assert_eq!(watch.advance(at(9_010, 8_010)), None);
    }

    #[test]
    fn a_clock_that_is_set_is_seen_once_by_how_much() {
        let mut watch = at(10_000, 0);
        assert_eq!(watch.advance(at(2_810, 10)), Some(Span::seconds(-7_200)));
        assert_eq!(watch.advance(at(2_820, 20)), None);
        assert_eq!(watch.advance(at(10_020, 20)), Some(Span::seconds(7_200)));
    }

    #[test]
    fn summer_and_winter_have_an_offset_of_their_own() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let offset = |text: &str| {
            let at: jiff::Timestamp = text.parse().unwrap();
            offset_at(&berlin, Timestamp(at.as_millisecond()))
        };
        assert_eq!(offset("2026-01-15T22:30:00Z"), Span::minutes(60));
        assert_eq!(offset("2026-07-15T22:30:00Z"), Span::minutes(120));
    }

    /// Checks the zone of Windows, which names it, but brings none that jiff can read.
    #[test]
    #[cfg(windows)]
    fn the_zone_of_a_windows_is_known() {
        assert!(!zone().is_unknown(), "{:?}", zone());
    }
}
