//! The comparison of three clocks, which tells a sleep of the machine from a clock that was set.
//!
//! Pure: all times are given. After a virtual machine was halted, the next look shows a clock that
//! was set, and nothing more can be known of it.

use beckon_core::{Span, Timestamp};

/// The shortest sleep that is told; less is not worth telling of.
const SLEEP: Span = Span::seconds(30);
/// The shortest step by which the wall clock counts as set; less is a clock being slewed.
const SET: Span = Span::seconds(1);

/// The clocks at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClockPair {
    /// The wall clock.
    pub(crate) wall: Timestamp,
    /// The time since some beginning; it goes on while the machine sleeps, and cannot be set.
    pub(crate) steady: Span,
    /// The time since some beginning; it stands still while the machine sleeps.
    pub(crate) awake: Span,
}

/// The changes of the clocks between two looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passed {
    /// The span by which the wall clock was set forth, or back.
    pub(crate) set: Option<Span>,
    /// The sleep of the machine, if it has slept.
    pub(crate) slept: Option<SleepGap>,
}

/// A sleep that has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SleepGap {
    /// The length of the sleep.
    pub(crate) span: Span,
    /// The end of the sleep, or a little later: no sooner than the clocks were last looked at, and
    /// as the wall clock shows it now.
    pub(crate) woke: Timestamp,
}

impl ClockPair {
    /// Takes the clocks of a new look. Returns what has changed since the last one.
    pub(crate) fn advance(&mut self, now: ClockPair) -> Passed {
        let passed = now.steady.0 - self.steady.0;
        let set = Span((now.wall - self.wall).0 - passed);
        let span = Span(passed - (now.awake.0 - self.awake.0));
        let woke = self.wall + set + span;
        *self = now;
        Passed {
            set: (set <= Span(-SET.0) || set >= SET).then_some(set),
            slept: (span >= SLEEP).then_some(SleepGap { span, woke }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(wall: i64, steady: i64, awake: i64) -> ClockPair {
        let (steady, awake) = (Span::seconds(steady), Span::seconds(awake));
        ClockPair {
            wall: Timestamp(wall * 1_000),
            steady,
            awake,
        }
    }

    #[test]
    fn clocks_that_agree_have_not_slept() {
        let mut clocks = at(1_000, 0, 0);
        assert_eq!(clocks.advance(at(1_010, 10, 10)), Passed::default());
        let late = clocks.advance(at(5_000, 4_000, 4_000));
        assert_eq!(late, Passed::default(), "a busy machine looks late");
    }

    #[test]
    fn a_clock_that_stood_still_beside_the_steady_one_has_slept_once() {
        let mut clocks = at(1_000, 0, 0);
        let slept = SleepGap {
            span: Span::seconds(3_600),
            woke: Timestamp(4_600_000),
        };
        let passed = clocks.advance(at(4_605, 3_605, 5));
        assert_eq!(
            passed,
            Passed {
                set: None,
                slept: Some(slept)
            }
        );
        assert_eq!(clocks.advance(at(4_610, 3_610, 10)), Passed::default());
    }

    #[test]
    fn a_clock_that_is_set_back_or_forth_is_no_sleep() {
        let mut clocks = at(1_000, 0, 0);
        let set = |seconds| Passed {
            set: Some(Span::seconds(seconds)),
            slept: None,
        };
        assert_eq!(clocks.advance(at(1_012, 10, 10)), set(2));
        assert_eq!(clocks.advance(at(900, 20, 20)), set(-122));
        assert_eq!(clocks.advance(at(87_310, 30, 30)), set(86_400));
        assert_eq!(clocks.advance(at(87_320, 40, 40)), Passed::default());
    }

    #[test]
    fn a_clock_that_is_set_after_a_sleep_shows_when_it_was_over() {
        let mut clocks = at(10_000, 0, 0);
        let passed = clocks.advance(at(6_405, 3_605, 5));
        let slept = SleepGap {
            span: Span::seconds(3_600),
            woke: Timestamp(6_400_000),
        };
        assert_eq!(
            passed,
            Passed {
                set: Some(Span::seconds(-7_200)),
                slept: Some(slept)
            }
        );
    }
}
