//! The wall clock was set: what was noted by it moves with it.

use super::TelegramChannel;
use super::outbox::Priority;
use beckon_core::{AskId, Span};

impl TelegramChannel {
    /// The clock was set forth by so much, or back. A code is good for as long as it was, and a card
    /// says when its ask expires by the clock that its reader has.
    pub fn set_clock(&mut self, by: Span) {
        self.pairing.set_clock(by);
        let mut moved: Vec<AskId> = Vec::new();
        for (ask, shown) in &mut self.cards {
            if let Some(at) = &mut shown.expires {
                *at = *at + by;
                moved.push(ask.clone());
            }
        }
        moved.iter().for_each(|ask| self.queue_card(ask, true, Priority::Now));
    }
}
