//! The changes after the wall clock was set: times that were noted by it move with it.
//!
//! Not here: what cards say of times, which the desk has drawn anew.

use super::TelegramChannel;
use beckon_core::Span;

impl TelegramChannel {
    /// Moves the times that were noted by the wall clock, which was set by so much, forth or back.
    /// A code is good for as long as it was.
    pub fn set_clock(&mut self, by: Span) {
        self.pairing.set_clock(by);
        self.writers.set_clock(by);
    }
}
