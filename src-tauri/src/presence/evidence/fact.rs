//! The facts that a backend reports, and the limits of silence.
//!
//! Not here: what follows from the facts (`evidence`).

use beckon_core::{Span, Timestamp};

/// A fact that a backend reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PresenceFact {
    /// The state of keyboard and mouse: in use, or not touched for a while.
    Hands {
        /// Whether they were not touched for at least [`SilenceLimits::idle_after`].
        idle: bool,
        /// The time of the last input.
        last_input: LastInput,
    },
    /// Whether the screen is locked.
    Locked(bool),
    /// A request to lock the screen. Most lockers confirm that; some do not.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    LockAsked,
    /// A request to unlock the screen.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    UnlockAsked,
    /// Whether the machine is about to sleep; false when it is awake again. A backend that reports
    /// the one reports the other, too.
    Asleep(bool),
    /// The end of the backend, after which its facts do not count.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "the system does not end")
    )]
    Gone,
}

/// The time of the last input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastInput {
    /// The span since the input, by a clock that stands still while the machine sleeps.
    Ago(Span),
    /// The time of the input, by the wall clock as it was then.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    At(Timestamp),
}

/// The limits of silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SilenceLimits {
    /// The time without input from which on the human is idle.
    pub(crate) idle_after: Span,
    /// The time without input from which on the human is away.
    pub(crate) away_after: Span,
}

/// The longest time until the human is idle. It is far shorter than the time until they count as
/// away, since idleness is shown.
const IDLE_AFTER: Span = Span::seconds(30);

impl SilenceLimits {
    /// Returns the limits that fit the setting.
    pub(crate) fn until_away(away_after: Span) -> Self {
        Self {
            idle_after: away_after.min(IDLE_AFTER),
            away_after,
        }
    }
}
