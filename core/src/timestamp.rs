//! Points and lengths of time as plain numbers. Reading a clock is the caller's business.

use core::ops::{Add, Sub};
use serde::{Deserialize, Serialize};

/// Wall-clock time in milliseconds since 1970-01-01 UTC; wall clock because it must survive a
/// restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Timestamp(pub i64);

/// A length of time in milliseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Span(pub i64);

impl Span {
    /// Returns a span of `n` milliseconds.
    pub const fn millis(n: i64) -> Self {
        Self(n)
    }

    /// Returns a span of `n` seconds.
    pub const fn seconds(n: i64) -> Self {
        Self(n * 1_000)
    }

    /// Returns a span of `n` minutes.
    pub const fn minutes(n: i64) -> Self {
        Self::seconds(n * 60)
    }
}

impl Timestamp {
    /// Returns the minute since midnight, 0 to 1439, of a time that already has its zone's offset
    /// added.
    pub const fn minute_of_day(self) -> u16 {
        // The result is below 1440, so it fits.
        (self.0.div_euclid(60_000)).rem_euclid(24 * 60) as u16
    }
}

impl Add<Span> for Timestamp {
    type Output = Self;

    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub for Timestamp {
    type Output = Span;

    fn sub(self, earlier: Self) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}
