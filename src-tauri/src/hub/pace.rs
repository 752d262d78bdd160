//! The pace at which records are handed to the loop. A hub may send far more than the loop can take
//! in: the same two records of an ask in turn, for ever. Whatever else the loop is told, such as an
//! answer that somebody gives at this machine, would wait behind all of it. So in a burst only some
//! records are handed over at once. Then the loop gets the time to take them in, and as much time
//! again for everything else. What comes meanwhile waits at the guard, which ends the connection
//! once it is too much (`guard/flow.rs`).

use super::HubReport;
use crate::platform::sink::Sink;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep};

/// The most records that are handed over at once.
const AT_ONCE: u32 = 32;
/// The time within which as many are a burst.
const BURST: Duration = Duration::from_secs(1);
/// The shortest time that is left to everything else after a part of a burst.
const LEFT_AT_LEAST: Duration = Duration::from_millis(5);
/// The longest: the lease of a bot must be renewed in time.
const LEFT_AT_MOST: Duration = Duration::from_millis(250);

/// The records that were handed over since the loop had taken in all of them.
#[derive(Debug)]
pub(super) struct Pace {
    records: u32,
    since: Instant,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            records: 0,
            since: Instant::now(),
        }
    }
}

impl Pace {
    /// Counts a record that was handed over.
    pub(super) fn count(&mut self) {
        self.records += 1;
    }

    /// Waits, in a burst, until the loop may be handed more.
    pub(super) async fn keep(&mut self, reports: &Sink<HubReport>) {
        let began = Instant::now();
        if !self.is_burst(began) {
            return;
        }
        let (taken_in, is_taken_in) = oneshot::channel();
        reports.post(HubReport::TakeIn(taken_in));
        // A loop that has ended, or has left the hub, takes in nothing more.
        let _ = is_taken_in.await;
        sleep(began.elapsed().clamp(LEFT_AT_LEAST, LEFT_AT_MOST)).await;
        self.since = Instant::now();
    }

    /// Whether as many records as are handed over at once have come within a short time. They are
    /// counted anew then.
    fn is_burst(&mut self, now: Instant) -> bool {
        if self.records < AT_ONCE {
            return false;
        }
        let took = now.duration_since(self.since);
        self.records = 0;
        self.since = now;
        took < BURST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    fn posted() -> (Sink<HubReport>, UnboundedReceiver<HubReport>) {
        let (post, posted) = unbounded_channel();
        let post = Mutex::new(post);
        let sink = Sink::new(move |report| _ = post.lock().unwrap().send(report));
        (sink, posted)
    }

    #[tokio::test]
    async fn no_more_is_handed_over_in_a_burst_until_the_loop_has_taken_it_in() {
        let (reports, mut inbox) = posted();
        let handing_over = tokio::spawn(async move {
            let mut pace = Pace::default();
            for _ in 0..10 * AT_ONCE {
                reports.post(HubReport::Beat);
                pace.count();
                pace.keep(&reports).await;
            }
        });
        let mut waiting = 0;
        let mut turns = 0;
        while let Some(report) = inbox.recv().await {
            let HubReport::TakeIn(taken_in) = report else {
                waiting += 1;
                continue;
            };
            assert_eq!(waiting, AT_ONCE, "an answer given here waits for no more");
            assert!(inbox.is_empty());
            waiting = 0;
            turns += 1;
            taken_in.send(()).unwrap();
        }
        assert_eq!(turns, 10);
        handing_over.await.unwrap();
    }

    #[test]
    fn what_comes_now_and_then_waits_for_nothing() {
        let mut pace = Pace::default();
        let mut now = pace.since;
        for _ in 0..1_000 {
            now += BURST / AT_ONCE;
            pace.count();
            assert!(!pace.is_burst(now));
        }
    }

    #[tokio::test]
    async fn a_loop_that_has_left_holds_nobody_up() {
        let reports = Sink::new(drop);
        let mut pace = Pace::default();
        for _ in 0..10 * AT_ONCE {
            pace.count();
            pace.keep(&reports).await;
        }
    }
}
