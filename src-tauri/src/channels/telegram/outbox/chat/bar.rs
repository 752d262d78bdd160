//! The state of whether the bot may write in a chat. A server sometimes refuses that for a chat
//! that is there all the same, so it is tried again after a while.
//!
//! Not here: what becomes of the cards there.

use std::time::{Duration, Instant};

/// The times after which it is tried again; the last one counts for all that follow.
const WAITS: [Duration; 3] = [
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
];

/// Whether the bot may write.
#[derive(Debug, Default)]
pub(super) struct WritingBar {
    is_up: bool,
    /// The number of times in a row that the server refused.
    times: usize,
    again: Option<Instant>,
}

impl WritingBar {
    /// Whether nothing may be written.
    pub(super) fn is_up(&self) -> bool {
        self.is_up
    }

    /// Notes that the server says that the bot may not write.
    pub(super) fn set(&mut self, now: Instant) {
        let wait = WAITS[self.times.min(WAITS.len() - 1)];
        self.times += 1;
        self.is_up = true;
        self.again = Some(now + wait);
    }

    /// Lets writing be tried. If it fails again, the next wait is longer.
    pub(super) fn lift(&mut self) {
        self.is_up = false;
        self.again = None;
    }

    /// Notes that something got through.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns when it is to be tried again.
    pub(super) fn due(&self) -> Option<Instant> {
        self.again
    }

    /// Whether it is to be tried now; true only once.
    pub(super) fn take_due(&mut self, now: Instant) -> bool {
        self.again.take_if(|at| *at <= now).is_some()
    }
}
