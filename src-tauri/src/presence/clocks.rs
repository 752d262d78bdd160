//! A wall clock that runs ahead of a steady one: the machine has slept.
//!
//! Pure: both times are given. A virtual machine that was halted looks the same, and is the same.

use beckon_core::{Span, Timestamp};

/// What runs ahead by less is a clock being set right, not a sleep.
const JUMP: Span = Span::seconds(30);

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockPair {
    /// Of the day.
    pub(crate) wall: Timestamp,
    /// Since some beginning; stands still while the machine sleeps.
    pub(crate) steady: Span,
}

/// A sleep that has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SleepGap {
    /// For so long.
    pub(crate) span: Span,
    /// Until then, or a little later: no sooner than the clocks were last seen to agree.
    pub(crate) woke: Timestamp,
}

impl ClockPair {
    /// Looks at the clocks again.
    pub(crate) fn advance(&mut self, now: ClockPair) -> Option<SleepGap> {
        let ahead = Span((now.wall - self.wall).0 - (now.steady.0 - self.steady.0));
        let woke = self.wall + ahead;
        *self = now;
        (ahead >= JUMP).then_some(SleepGap { span: ahead, woke })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(wall: i64, steady: i64) -> ClockPair {
        ClockPair { wall: Timestamp(wall * 1_000), steady: Span::seconds(steady) }
    }

    #[test]
    fn clocks_that_agree_have_not_slept() {
        let mut clocks = at(1_000, 0);
        assert_eq!(clocks.advance(at(1_010, 10)), None);
        assert_eq!(clocks.advance(at(5_000, 4_000)), None, "a busy machine looks late");
    }

    #[test]
    fn a_wall_clock_that_ran_ahead_has_slept_once() {
        let mut clocks = at(1_000, 0);
        let slept = SleepGap { span: Span::seconds(3_600), woke: Timestamp(4_600_000) };
        assert_eq!(clocks.advance(at(4_605, 5)), Some(slept));
        assert_eq!(clocks.advance(at(4_610, 10)), None);
    }

    #[test]
    fn a_clock_that_is_set_right_or_back_is_no_sleep() {
        let mut clocks = at(1_000, 0);
        assert_eq!(clocks.advance(at(1_012, 10)), None);
        assert_eq!(clocks.advance(at(900, 20)), None);
        assert_eq!(clocks.advance(at(910, 30)), None);
    }
}
