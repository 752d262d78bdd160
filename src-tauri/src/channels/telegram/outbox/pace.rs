//! How fast calls may follow one another: a bucket of tokens that fills with time.

use std::time::{Duration, Instant};

/// A bucket.
#[derive(Debug)]
pub(super) struct Pace {
    tokens: f64,
    most: f64,
    every: Duration,
    filled: Instant,
    rest: Option<Instant>,
}

impl Pace {
    fn new(most: f64, every: Duration, now: Instant) -> Self {
        Self { tokens: most, most, every, filled: now, rest: None }
    }

    /// "No more than about 30 messages per second"
    /// (<https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this>).
    pub(super) fn of_bot(now: Instant) -> Self {
        Self::new(20.0, Duration::from_millis(40), now)
    }

    /// "Avoid sending more than one message per second" in one chat, short bursts allowed; in a
    /// group "no more than 20 messages per minute" (the same page). Edits count, since nobody says
    /// that they do not.
    pub(super) fn of_chat(group: bool, now: Instant) -> Self {
        match group {
            true => Self::new(3.0, Duration::from_millis(3_500), now),
            false => Self::new(3.0, Duration::from_millis(1_050), now),
        }
    }

    pub(super) fn allows(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.rest.is_none_or(|until| now >= until) && self.tokens >= 1.0
    }

    pub(super) fn take(&mut self, now: Instant) {
        self.fill(now);
        self.tokens -= 1.0;
    }

    pub(super) fn rest_until(&mut self, until: Instant) {
        self.rest = Some(self.rest.map_or(until, |old| old.max(until)));
        self.tokens = self.tokens.min(1.0);
    }

    /// When it allows the next one.
    pub(super) fn ready_at(&self, now: Instant) -> Instant {
        let filled = now.saturating_duration_since(self.filled).div_duration_f64(self.every);
        let lacking = (1.0 - self.tokens - filled).max(0.0);
        let ready = now + self.every.mul_f64(lacking);
        self.rest.map_or(ready, |until| ready.max(until))
    }

    fn fill(&mut self, now: Instant) {
        let filled = now.saturating_duration_since(self.filled).div_duration_f64(self.every);
        self.tokens = (self.tokens + filled).min(self.most);
        self.filled = now;
    }
}
