//! The wall clock was set: what was noted by it moves with it.
//!
//! Not here: what cards say of times, which the desk has drawn anew.

use super::TelegramChannel;
use beckon_core::Span;

impl TelegramChannel {
    /// The clock was set forth by so much, or back. A code is good for as long as it was.
    pub fn set_clock(&mut self, by: Span) {
        self.pairing.set_clock(by);
        self.writers.set_clock(by);
    }
}
