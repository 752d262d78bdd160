//! The asks that an abort ended while Beckon listened. OpenCode keeps them on its lists, and
//! answers 200 to a later yes. Knowing of the abort spares a look at the session, which may be slow
//! or tell nothing.
//!
//! They are kept from one connection to the next.
//!
//! Not here: aborts that were not heard (`sessions/stopped.rs`).

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most ids that are remembered. Ids ascend with time, so the oldest are forgotten first.
const MOST: usize = 10_000;

/// The own ids of asks that were ended by an abort.
#[derive(Debug, Default)]
pub(in crate::sources::opencode) struct AbortedAsks(Mutex<BTreeSet<String>>);

impl AbortedAsks {
    fn ids(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that an abort has ended these asks.
    pub(super) fn note(&self, ended: &[String]) {
        let mut ids = self.ids();
        ids.extend(ended.iter().cloned());
        while ids.len() > MOST {
            ids.pop_first();
        }
    }

    /// Forgets an ask that was asked again after the abort.
    pub(super) fn forget(&self, own: &str) {
        self.ids().remove(own);
    }

    /// Tells whether an abort has ended that ask.
    pub(in crate::sources::opencode) fn has(&self, own: &str) -> bool {
        self.ids().contains(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten_first() {
        let aborted = AbortedAsks::default();
        let id = |number: usize| format!("per_{number:08}");
        let ids: Vec<String> = (0..=MOST).map(id).collect();
        aborted.note(&ids);
        assert!(!aborted.has(&ids[0]));
        assert!(aborted.has(&ids[1]));
        assert!(aborted.has(&ids[MOST]));
    }
}
