//! How long to wait between connections.

use super::sse::StreamError;
use rand::Rng;
use std::time::{Duration, Instant};

/// From 50 ms, since most often the next one lives, doubling …
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// … up to this: what is asked is to be seen within 2 s of a server being there …
const LONGEST_PAUSE: Duration = Duration::from_millis(1_500);
/// … and a refused password is tried again only so often.
const REFUSED_PAUSE: Duration = Duration::from_secs(30);
/// A connection that lived for so long resets it.
const LIVING: Duration = Duration::from_secs(5);

/// The pauses between the connections to one server.
pub(in crate::sources) struct BackOff {
    pause: Duration,
    began: Instant,
}

impl BackOff {
    pub(in crate::sources) fn new() -> Self {
        Self { pause: FIRST_PAUSE, began: Instant::now() }
    }

    /// A connection begins.
    pub(in crate::sources) fn begin(&mut self) {
        self.began = Instant::now();
    }

    /// It has ended: did it live? Then all that was before it is forgotten.
    pub(in crate::sources) fn lived(&mut self) -> bool {
        let lived = self.began.elapsed() >= LIVING;
        if lived {
            self.pause = FIRST_PAUSE;
        }
        lived
    }

    /// How long to wait before the next one.
    pub(in crate::sources) fn pause(&mut self, broken: &StreamError) -> Duration {
        let pause = self.pause;
        self.pause = (pause * 2).min(LONGEST_PAUSE);
        match broken {
            StreamError::Refused => REFUSED_PAUSE,
            StreamError::NoStream(_) | StreamError::Ended | StreamError::Other(_) => {
                jittered(pause)
            }
        }
    }
}

/// ± 20 %, so that many servers or many Beckons do not knock in step.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::rng().random_range(0.8..1.2))
}
