//! What a backend tells, and how long which silence is borne. What it all comes to is in `evidence`.

use beckon_core::{Span, Timestamp};

/// What a backend tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PresenceFact {
    /// Keyboard and mouse are in use, or have not been touched for a while.
    Hands {
        /// Not touched for at least [`SilenceLimits::idle_after`].
        idle: bool,
        /// When they were last.
        last_input: LastInput,
    },
    /// The screen is locked, or is not.
    Locked(bool),
    /// Somebody asks for the screen to be locked. Most lockers confirm that; some do not.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    LockAsked,
    /// Somebody asks for it to be unlocked.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    UnlockAsked,
    /// The machine is about to sleep, or is awake: who says so will say the other too.
    Asleep(bool),
    /// The backend has ended: what it told is void.
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "the system does not end")
    )]
    Gone,
}

/// When the last input was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastInput {
    /// So long ago by a clock that stands still while the machine sleeps.
    Ago(Span),
    /// By the wall clock as it was then.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    At(Timestamp),
}

/// How long which silence is borne.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SilenceLimits {
    /// Untouched for so long is idle.
    pub(crate) idle_after: Span,
    /// Idle for so long is away.
    pub(crate) away_after: Span,
}

/// Idle is worth telling after so long, long before it counts as away.
const IDLE_AFTER: Span = Span::seconds(30);

impl SilenceLimits {
    /// The limits that fit a setting.
    pub(crate) fn until_away(away_after: Span) -> Self {
        Self {
            idle_after: away_after.min(IDLE_AFTER),
            away_after,
        }
    }
}
