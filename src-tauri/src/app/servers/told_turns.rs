//! The finished turns that were told last: a press on what tells of one leads to its session.

use crate::destination::SessionOrigin;
use beckon_core::Timestamp;
use std::collections::VecDeque;

/// What tells of a turn has a serial as the cards of asks have, from here on; those never come so far.
/// The time is added: a notification may outlive the Beckon that showed it.
const FIRST: u64 = 1 << 62;
/// More do not stand at once: the next takes the place of the one before.
const KEPT: usize = 8;

/// The way to each of them.
#[derive(Debug)]
pub(in crate::app) struct ToldTurns {
    next: u64,
    last: VecDeque<(u64, SessionOrigin)>,
}

impl ToldTurns {
    /// None yet, at this time.
    pub(in crate::app) fn new(now: Timestamp) -> Self {
        Self {
            next: FIRST + u64::try_from(now.0).unwrap_or_default(),
            last: VecDeque::new(),
        }
    }

    /// Its serial.
    pub(in crate::app) fn keep(&mut self, origin: SessionOrigin) -> u64 {
        let serial = self.next;
        self.next += 1;
        self.last.push_back((serial, origin));
        while self.last.len() > KEPT {
            self.last.pop_front();
        }
        serial
    }

    /// The one of that serial.
    pub(in crate::app) fn find(&self, serial: u64) -> Option<&SessionOrigin> {
        self.last
            .iter()
            .find(|(its, _)| *its == serial)
            .map(|(_, origin)| origin)
    }
}
