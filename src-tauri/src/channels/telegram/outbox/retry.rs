//! The rules for repeating a failed call, and what its failure means for all other calls.

use std::time::{Duration, Instant};

/// The pause before the first quick repeat, doubled for each further one. Most often the next call
/// gets through.
const QUICK_PAUSE: Duration = Duration::from_millis(50);
/// The number of quick repeats, of one call and of all calls in a row, that do not count as a
/// failure. After them the call has failed.
pub(super) const QUICK_REPEATS: u32 = 3;
/// The first pause after a call that got neither success nor refusal, doubled for each further one.
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest of these pauses.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The first pause after a refusal, or a failed upload. It is longer, since the reason lasts
/// longer.
const FIRST_WAIT: Duration = Duration::from_secs(5);
/// The longest pause after a refusal: a missing right may be given back at any time.
const LONGEST_WAIT: Duration = Duration::from_secs(600);

/// The moment of a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct FailureTime {
    pub(super) now: Instant,
    /// Whether only few calls have failed since one succeeded, so that it may have been a bad
    /// moment.
    pub(super) may_repeat: bool,
}

/// The part that is to blame for a failure, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureScope {
    /// Nothing is at fault: the server has answered, if only to refuse.
    Nobody,
    /// The moment is bad: all calls wait for that long.
    Moment(Duration),
    /// The call may be at fault, or a server that lets nothing through.
    Unclear(FailedCall),
    /// The call itself is at fault: the others go on.
    Call,
}

/// The card that a call is for, by its serial; `None` for any other call.
pub(super) type FailedCall = Option<u64>;

/// The failures of a call, and the time at which it may be tried again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RetryState {
    repeats: u32,
    failures: u32,
    at: Option<Instant>,
}

impl RetryState {
    /// Notes that the call got neither success nor refusal. At first it is repeated quickly, after
    /// the returned pause. When that fails it keeps its place in the queue once more; from then on
    /// it waits behind all others.
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

    /// Returns the time until which the call waits behind the others, if it does.
    pub(super) fn aside_until(&self) -> Option<Instant> {
        self.at
    }

    /// Puts off a call that was refused, or is too large for the line. Returns how often it has
    /// failed.
    pub(super) fn put_off(&mut self, now: Instant) -> u32 {
        self.failures += 1;
        self.at = Some(now + doubled(FIRST_WAIT, self.failures - 1, LONGEST_WAIT));
        self.failures
    }

    /// Allows the call at once, as if it had never failed.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    /// Allows the call at once, without forgetting how often it failed.
    pub(super) fn hurry(&mut self) {
        self.at = None;
    }

    /// Returns when the call may be tried, which is not before `now`.
    pub(super) fn due(&self, now: Instant) -> Instant {
        self.at.map_or(now, |at| at.max(now))
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due(now) <= now
    }
}

/// Returns the pause after `before` earlier ones.
pub(super) fn doubled(first: Duration, before: u32, longest: Duration) -> Duration {
    first.saturating_mul(1 << before.min(16)).min(longest)
}
