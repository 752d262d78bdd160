//! The pauses that are offered, and when each of them ends.

use beckon_core::{Span, Timestamp};
use jiff::ToSpan;
use jiff::tz::TimeZone;

/// The length of a pause in which nothing rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseFor {
    /// A pause of 30 min.
    HalfHour,
    /// A pause until 08:00 of the next day.
    UntilTomorrow,
    /// The end of a pause: it rings again.
    End,
}

impl PauseFor {
    /// Returns the end of a pause that begins `now`; `None` for no pause.
    pub fn until(self, now: Timestamp) -> Option<Timestamp> {
        self.until_in(&TimeZone::system(), now)
    }

    /// Returns the same as [`Self::until`], in that time zone.
    pub fn until_in(self, zone: &TimeZone, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::End => None,
            Self::HalfHour => Some(now + Span::minutes(30)),
            Self::UntilTomorrow => {
                let today = jiff::Timestamp::from_millisecond(now.0)
                    .ok()?
                    .to_zoned(zone.clone());
                let morning = today.date().checked_add(1.day()).ok()?.at(8, 0, 0, 0);
                let at = morning.to_zoned(zone.clone()).ok()?;
                Some(Timestamp(at.timestamp().as_millisecond()))
            }
        }
    }
}
