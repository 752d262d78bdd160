//! The finished turns that were shown last: a press on the notice of one leads to its session.

use crate::destination::SessionOrigin;
use beckon_core::Timestamp;
use std::collections::VecDeque;

/// The first serial of a notice of a turn. It has a serial like the cards of asks, and those never
/// come so far. The time is added: a notification may outlive the Beckon that showed it.
const FIRST: u64 = 1 << 62;
/// The number of turns that are kept: more notices are not on the screen at once.
const KEPT: usize = 8;

/// The sessions of the turns that were shown last, by serial.
#[derive(Debug)]
pub(in crate::app) struct ToldTurns {
    next: u64,
    last: VecDeque<(u64, SessionOrigin)>,
}

impl ToldTurns {
    /// Returns an empty list, whose serials begin with this time.
    pub(in crate::app) fn new(now: Timestamp) -> Self {
        Self {
            next: FIRST + u64::try_from(now.0).unwrap_or_default(),
            last: VecDeque::new(),
        }
    }

    /// Keeps a session, and returns its serial.
    pub(in crate::app) fn keep(&mut self, origin: SessionOrigin) -> u64 {
        let serial = self.next;
        self.next += 1;
        self.last.push_back((serial, origin));
        while self.last.len() > KEPT {
            self.last.pop_front();
        }
        serial
    }

    /// Returns the session of that serial.
    pub(in crate::app) fn find(&self, serial: u64) -> Option<&SessionOrigin> {
        self.last
            .iter()
            .find(|(its, _)| *its == serial)
            .map(|(_, origin)| origin)
    }
}
