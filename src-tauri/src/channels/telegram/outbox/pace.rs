//! The pace at which calls may follow one another: so many in any stretch of time, a short burst in
//! one chat. New cards leave room for people who answer.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The limits that hold in one place.
#[derive(Debug)]
pub(super) struct SendPace {
    window: Option<RateWindow>,
    burst: Option<BurstLimit>,
    rest: Option<Instant>,
}

/// A limit of so many calls within any such time.
#[derive(Debug)]
struct RateWindow {
    most: usize,
    within: Duration,
    /// The places that new cards leave free.
    spared: usize,
    /// The times of the last calls, `most` at most.
    sent: VecDeque<Instant>,
}

/// A limit of so many calls at once, and from then on one after each `every`. Calls that were not
/// used come back as fast.
#[derive(Debug)]
struct BurstLimit {
    every: Duration,
    /// The time at which a whole burst may go out again; each call moves it on.
    full_at: Option<Instant>,
    /// The time until which bursts are shorter, since Telegram has said that it was too much.
    careful_until: Option<Instant>,
}

/// The limit of the bot: "No more than about 30 messages per second"
/// (<https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this>).
const BOT: (usize, Duration) = (25, Duration::from_secs(1));
/// The limit in a group: "no more than 20 messages per minute" (the same page). It has a margin:
/// what is sent evenly does not arrive evenly.
const GROUP: (usize, Duration) = (20, Duration::from_millis(60_500));
/// The number of calls within that limit that new cards leave to answers.
const SPARED_IN_GROUP: usize = 3;
/// The time for each call in a chat: "In a single chat, avoid sending more than one message per
/// second" (the same page), with a margin. Edits count, since it is not said that they do not.
const EVERY: Duration = Duration::from_millis(1_050);
/// The number of calls in a burst: "We may allow short bursts that go over this limit". How short,
/// the page does not say. Eight cards can still be read, and if they are too many, a 429 says so.
const BURST: u32 = 8;
/// The number of calls in a burst for a while after a 429.
const CAREFUL_BURST: u32 = 3;
/// The length of that while, after the wait that the 429 asked for.
const CAREFUL_FOR: Duration = Duration::from_secs(600);
/// The number of calls of a burst that new cards leave to answers.
const SPARED_OF_BURST: u32 = 2;

/// The variable that shortens the times of the limits by a factor, so that tests with many messages
/// do not wait for minutes. A build for people has no such switch.
const HURRY: &str = "BECKON_TEST_TELEGRAM_TIMES";

impl SendPace {
    /// Makes the limits of the whole bot.
    pub(super) fn of_bot() -> Self {
        Self {
            window: Some(RateWindow::new(BOT, 0)),
            burst: None,
            rest: None,
        }
    }

    /// Makes the limits of one chat.
    pub(super) fn of_chat(group: bool) -> Self {
        let window = group.then(|| RateWindow::new(GROUP, SPARED_IN_GROUP));
        Self {
            window,
            burst: Some(BurstLimit::new()),
            rest: None,
        }
    }

    pub(super) fn take(&mut self, now: Instant) {
        self.window.iter_mut().for_each(|window| window.take(now));
        self.burst.iter_mut().for_each(|burst| burst.take(now));
    }

    /// Notes that Telegram wants no call until then.
    pub(super) fn rest_until(&mut self, until: Instant) {
        self.rest = Some(self.rest.map_or(until, |old| old.max(until)));
        self.burst
            .iter_mut()
            .for_each(|burst| burst.exceeded(until));
    }

    /// Returns when the next call may go out; not before `now`.
    pub(super) fn ready_at(&self, now: Instant) -> Instant {
        self.ready(now, 0, 0)
    }

    /// Returns when the next new card may go out.
    pub(super) fn ready_for_new(&self, now: Instant) -> Instant {
        let spared = self.window.as_ref().map_or(0, |window| window.spared);
        self.ready(now, spared, SPARED_OF_BURST)
    }

    fn ready(&self, now: Instant, in_window: usize, of_burst: u32) -> Instant {
        let window = self
            .window
            .as_ref()
            .and_then(|window| window.ready(in_window));
        let burst = self
            .burst
            .as_ref()
            .and_then(|burst| burst.ready(now, of_burst));
        [window, burst, self.rest]
            .into_iter()
            .flatten()
            .fold(now, Instant::max)
    }
}

impl RateWindow {
    fn new((most, within): (usize, Duration), spared: usize) -> Self {
        Self {
            most,
            within: within / hurry(),
            spared,
            sent: VecDeque::new(),
        }
    }

    fn take(&mut self, now: Instant) {
        self.sent.push_back(now);
        if self.sent.len() > self.most {
            self.sent.pop_front();
        }
    }

    fn ready(&self, spared: usize) -> Option<Instant> {
        let oldest = self.sent.len().checked_sub(self.most - spared)?;
        Some(self.sent[oldest] + self.within)
    }
}

impl BurstLimit {
    fn new() -> Self {
        Self {
            every: EVERY / hurry(),
            full_at: None,
            careful_until: None,
        }
    }

    fn take(&mut self, now: Instant) {
        self.full_at = Some(self.full_at.map_or(now, |full_at| full_at.max(now)) + self.every);
    }

    /// Empties the burst: one call may go out at `until`, and from then on it fills up again.
    fn exceeded(&mut self, until: Instant) {
        self.careful_until = Some(until + CAREFUL_FOR / hurry());
        self.full_at = Some(until + self.every * (CAREFUL_BURST - 1));
    }

    fn ready(&self, now: Instant, spared: u32) -> Option<Instant> {
        let careful = self.careful_until.is_some_and(|until| now < until);
        let burst = if careful { CAREFUL_BURST } else { BURST };
        self.full_at?.checked_sub(self.every * (burst - spared - 1))
    }
}

pub(super) fn hurry() -> u32 {
    let times = || std::env::var(HURRY).ok()?.parse().ok();
    let times = cfg!(debug_assertions).then(times).flatten();
    times.filter(|times| *times > 0).unwrap_or(1)
}
