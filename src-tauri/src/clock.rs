//! The only place of the resident that reads the wall clock, and the time zone.

use beckon_core::Timestamp;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Now.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// How long until then; zero when it has passed.
pub fn until(at: Timestamp) -> Duration {
    Duration::from_millis(u64::try_from((at - now()).0).unwrap_or(0))
}

/// The time zone of this machine.
pub fn zone() -> &'static jiff::tz::TimeZone {
    static ZONE: std::sync::LazyLock<jiff::tz::TimeZone> =
        std::sync::LazyLock::new(jiff::tz::TimeZone::system);
    &ZONE
}

/// How far local time is ahead of UTC now.
pub fn utc_offset() -> beckon_core::Span {
    let offset = zone().to_offset(jiff::Timestamp::now());
    beckon_core::Span::seconds(i64::from(offset.seconds()))
}
