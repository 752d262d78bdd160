//! How fast calls may follow one another: so many in any stretch of time, and new cards spread out
//! so that there is room between them for whoever answers.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The limits that hold in one place.
#[derive(Debug)]
pub(super) struct SendPace {
    limits: Vec<RateLimit>,
    spread: CardSpread,
    /// When the last calls went out, as many as the limits look at.
    sent: VecDeque<Instant>,
    rest: Option<Instant>,
}

/// No more than so many within any such time. What is sent evenly does not arrive evenly: with a
/// margin for the way.
#[derive(Clone, Copy, Debug)]
struct RateLimit {
    most: usize,
    within: Duration,
    margin: Duration,
}

/// New cards: so many at once, and from then on one each time.
#[derive(Clone, Copy, Debug)]
struct CardSpread {
    at_once: usize,
    every: Duration,
}

/// "No more than about 30 messages per second"
/// (<https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this>).
const BOT: RateLimit =
    RateLimit { most: 25, within: Duration::from_secs(1), margin: Duration::ZERO };
/// "Avoid sending more than one message per second" in one chat; short bursts pass (the same page).
/// Edits count, since nobody says that they do not.
const CHAT: RateLimit =
    RateLimit { most: 3, within: Duration::from_secs(3), margin: Duration::from_millis(150) };
/// In a group "no more than 20 messages per minute" (the same page).
const GROUP: RateLimit =
    RateLimit { most: 20, within: Duration::from_secs(60), margin: Duration::from_millis(500) };

/// Tests with many messages do not wait for minutes: there the limits may hold for so many times
/// shorter a time. A build for people has no such switch.
const HURRY: &str = "BECKON_TEST_TELEGRAM_TIMES";

impl SendPace {
    fn new(limits: &[RateLimit], spread: CardSpread) -> Self {
        let (limits, sent) =
            (limits.iter().map(|limit| limit.hurried()).collect(), VecDeque::new());
        Self { limits, spread, sent, rest: None }
    }

    /// Of the whole bot.
    pub(super) fn of_bot() -> Self {
        Self::new(&[BOT], CardSpread { at_once: usize::MAX, every: Duration::ZERO })
    }

    /// Of one chat.
    pub(super) fn of_chat(group: bool) -> Self {
        match group {
            true => Self::new(
                &[CHAT, GROUP],
                CardSpread { at_once: 3, every: Duration::from_millis(3_600) / hurry() },
            ),
            // Two of three calls at most: one is left for an answer.
            false => {
                Self::new(&[CHAT], CardSpread { at_once: 2, every: CHAT.hurried().within / 2 })
            }
        }
    }

    pub(super) fn take(&mut self, now: Instant) {
        self.sent.push_back(now);
        let kept = self.limits.iter().map(|limit| limit.most).max().unwrap_or(0);
        if self.sent.len() > kept {
            self.sent.pop_front();
        }
    }

    pub(super) fn rest_until(&mut self, until: Instant) {
        self.rest = Some(self.rest.map_or(until, |old| old.max(until)));
    }

    /// When the next call may go out; not before `now`.
    pub(super) fn ready_at(&self, now: Instant) -> Instant {
        let free = self.limits.iter().filter_map(|limit| {
            let first = self.sent.len().checked_sub(limit.most)?;
            Some(self.sent[first] + limit.within)
        });
        free.chain(self.rest).fold(now, Instant::max)
    }

    /// When the next new card may.
    pub(super) fn ready_for_new(&self, now: Instant) -> Instant {
        let ready = self.ready_at(now);
        let CardSpread { at_once, every } = self.spread;
        let longest = self.limits.iter().map(|limit| limit.within).max().unwrap_or_default();
        let lately = self.sent.iter().filter(|sent| **sent + longest > now).count();
        match self.sent.back() {
            Some(last) if lately >= at_once => ready.max(*last + every),
            _ => ready,
        }
    }
}

impl RateLimit {
    /// With its margin.
    fn hurried(self) -> Self {
        Self { within: self.within / hurry() + self.margin, ..self }
    }
}

fn hurry() -> u32 {
    let times = || std::env::var(HURRY).ok()?.parse().ok();
    let times = cfg!(debug_assertions).then(times).flatten();
    times.filter(|times| *times > 0).unwrap_or(1)
}
