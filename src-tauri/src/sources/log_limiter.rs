//! Keeps a trouble that comes again and again from filling the log.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time within which the same trouble is logged once.
const ONCE_IN: Duration = Duration::from_secs(60);

/// The troubles of one source that were logged of late.
#[derive(Clone, Default)]
pub(super) struct LogLimiter(Arc<Mutex<BTreeMap<&'static str, LoggedTrouble>>>);

struct LoggedTrouble {
    logged: Instant,
    /// The number of times it came after that.
    since: u64,
}

impl LogLimiter {
    /// Notes that a trouble has come at that time. If it is to be logged, returns how often it came
    /// since it was last logged.
    pub(super) fn due(&self, trouble: &'static str, now: Instant) -> Option<u64> {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = noted.get_mut(trouble) else {
            noted.insert(
                trouble,
                LoggedTrouble {
                    logged: now,
                    since: 0,
                },
            );
            return Some(1);
        };
        before.since += 1;
        if now.duration_since(before.logged) < ONCE_IN {
            return None;
        }
        before.logged = now;
        Some(std::mem::take(&mut before.since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_is_logged_once_a_minute_with_how_often_it_came() {
        let (seldom, start) = (LogLimiter::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(seldom.due("a frame", at(0)), Some(1));
        for second in 1..60 {
            assert_eq!(seldom.due("a frame", at(second)), None);
        }
        assert_eq!(seldom.due("a list", at(30)), Some(1), "another trouble");
        assert_eq!(seldom.due("a frame", at(60)), Some(60));
        assert_eq!(seldom.due("a frame", at(61)), None);
        assert_eq!(seldom.due("a frame", at(500)), Some(2));
    }
}
