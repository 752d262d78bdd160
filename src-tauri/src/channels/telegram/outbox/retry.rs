//! When a call that failed is tried again, and what its failing says of all the others.

use std::time::{Duration, Instant};

/// Most often the next call gets through: the first repeats come so soon, doubling …
const QUICK_PAUSE: Duration = Duration::from_millis(50);
/// … so many of one call, and so many in a row, and nobody is blamed. Then the call has failed.
pub(super) const QUICK_REPEATS: u32 = 3;
/// After a call without a verdict: from here, doubling …
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// … up to this.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// After a refusal, or an upload that failed: the reason stays for longer.
const FIRST_WAIT: Duration = Duration::from_secs(5);
/// A right may be given back at any time.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// When a call failed.
#[derive(Clone, Copy, Debug)]
pub(super) struct FailureTime {
    pub(super) now: Instant,
    /// Few have failed since one got through: it may have been a bad moment.
    pub(super) may_repeat: bool,
}

/// What a failure is laid to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureScope {
    /// The server has answered, if only to refuse.
    Nobody,
    /// A bad moment: everybody waits for so long.
    Moment(Duration),
    /// This call, or a server that lets nothing through.
    Unclear(FailedCall),
    /// This call: the others go on.
    Call,
}

/// What a call was for, as far as calls are told apart: the serial of a card.
pub(super) type FailedCall = Option<u64>;

/// How often a call failed, and when it may be tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RetryState {
    repeats: u32,
    failures: u32,
    at: Option<Instant>,
}

impl RetryState {
    /// It got no verdict. At first it is repeated quickly: after that pause. When that has failed it
    /// keeps its place once more; from then on it steps aside, behind all the others.
    pub(super) fn unanswered(&mut self, at: FailureTime) -> Option<Duration> {
        if at.may_repeat && self.repeats < QUICK_REPEATS {
            self.repeats += 1;
            return Some(doubled(QUICK_PAUSE, self.repeats - 1, FIRST_PAUSE));
        }
        self.failures += 1;
        let before = self.failures.checked_sub(2);
        self.at = before.map(|before| at.now + doubled(FIRST_PAUSE, before, LONGEST_PAUSE));
        None
    }

    /// Until when it has stepped aside, if it has.
    pub(super) fn aside_until(&self) -> Option<Instant> {
        self.at
    }

    /// It was refused, or is too heavy for the line: how often by now.
    pub(super) fn put_off(&mut self, now: Instant) -> u32 {
        self.failures += 1;
        self.at = Some(now + doubled(FIRST_WAIT, self.failures - 1, LONGEST_WAIT));
        self.failures
    }

    /// It may be tried at once, as if it had never failed.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// It may be tried at once; how often it failed is not forgotten.
    pub(super) fn hurry(&mut self) {
        self.at = None;
    }

    /// When it may be tried; not before `now`.
    pub(super) fn due(&self, now: Instant) -> Instant {
        self.at.map_or(now, |at| at.max(now))
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due(now) <= now
    }
}

/// The wait after so many before it.
pub(super) fn doubled(first: Duration, before: u32, longest: Duration) -> Duration {
    first.saturating_mul(1 << before.min(16)).min(longest)
}
