//! The clock of the imitation: the system's clock plus the time by which the test put it ahead.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock that goes on by itself, so that dates look real and a client that waits out a pause is
/// measured correctly.
#[derive(Debug, Default)]
pub(super) struct Clock {
    ahead: Duration,
    /// The time since 1970 at which the clock was stopped.
    stopped: Option<Duration>,
}

impl Clock {
    pub(super) fn advance(&mut self, by: Duration) {
        self.ahead += by;
    }

    /// Stops the clock; from now on only [`advance`](Clock::advance) moves it.
    pub(super) fn stop(&mut self) {
        self.stopped.get_or_insert_with(system);
    }

    /// Returns the time since 1970.
    pub(super) fn now(&self) -> Duration {
        self.stopped.unwrap_or_else(system) + self.ahead
    }

    /// Returns the date as the Bot API gives it, in whole seconds since 1970.
    pub(super) fn date(&self) -> i64 {
        i64::try_from(self.now().as_secs()).unwrap()
    }
}

fn system() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}
