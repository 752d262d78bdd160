//! The pauses between connections to one server.

use super::sse::StreamError;
use rand::Rng;
use std::time::{Duration, Instant};

/// The first pause, after which they double. It is short, since most often the next connection
/// lives.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause: a new ask is to be seen within 2 s of the server being there.
const LONGEST_PAUSE: Duration = Duration::from_millis(1_500);
/// The pause after a refused password.
const REFUSED_PAUSE: Duration = Duration::from_secs(30);
/// The longest time that a server can make Beckon wait: nobody sees what is asked there meanwhile.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// A connection that lived for so long resets the pause.
const LIVING: Duration = Duration::from_secs(5);

/// The pauses between the connections to one server.
pub(in crate::sources) struct BackOff {
    pause: Duration,
    began: Instant,
}

impl BackOff {
    pub(in crate::sources) fn new() -> Self {
        Self {
            pause: FIRST_PAUSE,
            began: Instant::now(),
        }
    }

    /// Notes that a connection begins.
    pub(in crate::sources) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// Notes that the connection has ended, and tells whether it lived long enough to count. If so,
    /// the pauses begin anew.
    pub(in crate::sources) fn lived(&mut self) -> bool {
        let lived = self.began.elapsed() >= LIVING;
        if lived {
            self.pause = FIRST_PAUSE;
        }
        lived
    }

    /// Returns how long to wait before the next connection, and lengthens the pause after that.
    pub(in crate::sources) fn pause(&mut self, broken: &StreamError) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        match broken {
            StreamError::Refused => REFUSED_PAUSE,
            StreamError::Busy(_, wait) => (*wait).clamp(pause, LONGEST_WAIT),
            StreamError::NoStream(_) | StreamError::Ended | StreamError::Other(_) => {
                jittered(pause)
            }
        }
    }
}

/// Varies a pause by ± 20 %, so that many servers or many Beckons do not knock in step.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::rng().random_range(0.8..1.2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::SourceFault;

    fn near(pause: Duration, millis: u64) -> bool {
        let middle = Duration::from_millis(millis);
        (middle.mul_f64(0.8)..=middle.mul_f64(1.2)).contains(&pause)
    }

    #[test]
    fn pauses_double_up_to_a_limit_and_a_password_that_is_refused_waits_for_long() {
        let mut back_off = BackOff::new();
        for millis in [50, 100, 200, 400, 800, 1_500, 1_500] {
            let pause = back_off.pause(&StreamError::Ended);
            assert!(near(pause, millis), "{pause:?} for {millis}");
        }
        assert_eq!(back_off.pause(&StreamError::Refused), REFUSED_PAUSE);
    }

    #[test]
    fn a_server_that_asks_to_wait_is_left_alone_for_so_long_within_reason() {
        let asks = |seconds| {
            let wait = Duration::from_secs(seconds);
            let busy = StreamError::Busy(SourceFault::Status(503), wait);
            BackOff::new().pause(&busy)
        };
        assert_eq!(asks(7), Duration::from_secs(7));
        assert_eq!(asks(0), FIRST_PAUSE);
        assert_eq!(asks(86_400), LONGEST_WAIT);
    }

    #[test]
    fn only_a_connection_that_lived_makes_the_next_pause_short() {
        let mut back_off = BackOff::new();
        let ago = |back_off: &mut BackOff, time| back_off.began = Instant::now() - time;
        (0..3).for_each(|_| _ = back_off.pause(&StreamError::Ended));
        ago(&mut back_off, LIVING * 2);
        back_off.begin();
        assert!(!back_off.lived());
        assert!(near(back_off.pause(&StreamError::Ended), 400));
        ago(&mut back_off, LIVING);
        assert!(back_off.lived());
        assert!(near(back_off.pause(&StreamError::Ended), 50));
    }
}
