//! The places of notifications on the desktop. Up to five requests are shown one by one, and the
//! others together in one notification: twenty-seven notifications cover a whole screen and the
//! window in which a human answers, and none of them is read.
//!
//! Not here: what a notification says, and how it is shown.

use crate::AskId;
use alloc::collections::{BTreeMap, BTreeSet};

/// The number of notifications that can be read at a glance, and fit above each other on the
/// smallest screens.
pub const NOTIFICATIONS_AT_ONCE: usize = 5;

/// The open requests that have a notification of their own, and those that share one. They are
/// ordered by serial, so that the one that has waited the longest comes first.
#[derive(Clone, Debug, Default)]
pub struct NotificationPlaces {
    own: BTreeMap<u64, AskId>,
    /// The serials among `own` whose notification the human has closed.
    closed: BTreeSet<u64>,
    together: BTreeMap<u64, AskId>,
    serials: BTreeMap<AskId, u64>,
    is_held: bool,
}

/// The place of a request that is to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// A notification of its own.
    Own,
    /// A notification in place of that other request's, which moves to the shared one.
    InPlaceOf(AskId),
    /// A place in the shared notification.
    Together,
}

impl NotificationPlaces {
    /// Finds a place for a request. `stands` tells whether a notification of it is on the screen
    /// already, for example from before a restart. If there are more than five, the oldest keep
    /// theirs.
    pub fn admit(&mut self, serial: u64, ask: &AskId, stands: bool) -> Placement {
        self.remove_former(serial, ask);
        if self.own.contains_key(&serial) {
            self.closed.remove(&serial);
            return Placement::Own;
        }
        let is_free = self.standing() < NOTIFICATIONS_AT_ONCE && self.together.is_empty();
        if !stands && (self.is_held || !is_free) {
            self.together.insert(serial, ask.clone());
            return Placement::Together;
        }
        self.together.remove(&serial);
        self.own.insert(serial, ask.clone());
        if self.standing() <= NOTIFICATIONS_AT_ONCE {
            return Placement::Own;
        }
        match self.pop_newest() {
            Some((newest, _)) if newest == serial => {
                self.together.insert(serial, ask.clone());
                Placement::Together
            }
            Some((newest, other)) => {
                self.together.insert(newest, other.clone());
                Placement::InPlaceOf(other)
            }
            None => Placement::Own,
        }
    }

    /// Returns the number of notifications that are on the screen.
    fn standing(&self) -> usize {
        self.own.len() - self.closed.len()
    }

    fn pop_newest(&mut self) -> Option<(u64, AskId)> {
        let stands = |serial: &&u64| !self.closed.contains(serial);
        let newest = *self.own.keys().rev().find(stands)?;
        self.own.remove_entry(&newest)
    }

    fn forget(&mut self, serial: u64) {
        self.own.remove(&serial);
        self.closed.remove(&serial);
        self.together.remove(&serial);
    }

    /// Forgets the request that had this id before.
    fn remove_former(&mut self, serial: u64, ask: &AskId) {
        let former = self.serials.insert(ask.clone(), serial);
        if let Some(former) = former.filter(|former| *former != serial) {
            self.forget(former);
        }
    }

    /// Notes that the human has closed the notification of a request. Its place is free for later
    /// requests. A request that waits already gets the place only when the closed one is over:
    /// otherwise closing five would bring the next five.
    pub fn close(&mut self, ask: &AskId) {
        let serial = self.serials.get(ask);
        if let Some(serial) = serial.filter(|serial| self.own.contains_key(serial)) {
            self.closed.insert(*serial);
        }
    }

    /// Forgets a request that does not wait any more, or rings elsewhere.
    pub fn remove(&mut self, ask: &AskId) {
        if let Some(serial) = self.serials.remove(ask) {
            self.forget(serial);
        }
    }

    /// Gives the oldest request of the shared notification one of its own, if there is a place, and
    /// returns it.
    pub fn promote(&mut self) -> Option<AskId> {
        if self.is_held || self.own.len() >= NOTIFICATIONS_AT_ONCE {
            return None;
        }
        let (serial, ask) = self.together.pop_first()?;
        self.own.insert(serial, ask.clone());
        Some(ask)
    }

    /// Starts or stops holding back new notifications. They are held while the human looks at the
    /// window that shows all requests, since a notification would cover it.
    pub fn hold(&mut self, is_held: bool) {
        self.is_held = is_held;
    }

    /// Whether new notifications are held back.
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Whether a request is in the shared notification.
    pub fn is_together(&self, ask: &AskId) -> bool {
        let serial = self.serials.get(ask);
        serial.is_some_and(|serial| self.together.contains_key(serial))
    }

    /// Returns the requests in the shared notification, the longest waiting first.
    pub fn together(&self) -> impl ExactSizeIterator<Item = &AskId> {
        self.together.values()
    }
}

#[cfg(test)]
mod tests;
