//! The clock of the imitation: the system's, and ahead of it by what the test said.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time goes on by itself, so that dates look real and a pause that was kept counts.
#[derive(Debug, Default)]
pub(super) struct Clock {
    ahead: Duration,
    /// Since 1970, when it was stopped.
    stopped: Option<Duration>,
}

impl Clock {
    pub(super) fn advance(&mut self, by: Duration) {
        self.ahead += by;
    }

    /// From now on only [`advance`](Clock::advance) moves it.
    pub(super) fn stop(&mut self) {
        self.stopped.get_or_insert_with(system);
    }

    /// Time since 1970.
    pub(super) fn now(&self) -> Duration {
        self.stopped.unwrap_or_else(system) + self.ahead
    }

    /// As the Bot API gives dates: whole seconds since 1970.
    pub(super) fn date(&self) -> i64 {
        i64::try_from(self.now().as_secs()).unwrap()
    }
}

fn system() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap()
}
