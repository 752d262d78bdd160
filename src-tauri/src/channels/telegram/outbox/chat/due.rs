//! The time at which the next call may go. The choice of the call is in `next_call`.

use super::super::slot::CardSlot;
use super::{ChatQueue, WaitingNote};
use std::collections::BTreeSet;
use std::time::Instant;

impl ChatQueue {
    /// Returns when the next call may go out; files count if `with_file`. `None` when there is none
    /// to wait for.
    pub(in super::super) fn due(&self, now: Instant, with_file: bool) -> Option<Instant> {
        let free = self.busy.is_none();
        let calls = if free { self.calls_due(now) } else { None };
        let list = if free && !self.is_anything_first(now) {
            self.list_due(now)
        } else {
            None
        };
        let file = if with_file { self.file_due(now) } else { None };
        let again = self.bar.due();
        let deletions = self.deletions_due().filter(|_| free);
        let deletions = deletions.map(|at| at.max(self.pace.ready_at(now)));
        let due = [calls, list, file, again, deletions];
        due.into_iter().flatten().min()
    }

    fn calls_due(&self, now: Instant) -> Option<Instant> {
        let (ready, new) = (self.pace.ready_at(now), self.pace.ready_for_new(now));
        let (behind, cards) = (self.is_anything_first(now), &self.cards);
        let in_turn = |slot: &&CardSlot| !behind || slot.aside_until().is_none();
        let of = |serials: &BTreeSet<u64>| {
            let slots = serials.iter().filter_map(|serial| cards.get(serial));
            slots.filter(in_turn).collect::<Vec<_>>()
        };
        let queued = of(&self.queue).into_iter();
        let queued = queued.map(|slot| slot.due(if slot.message.is_some() { ready } else { new }));
        let dressing = of(&self.dressing).into_iter().map(|slot| slot.due(new));
        let passing = self.passing.values().map(|at| (*at).max(ready));
        let words = WaitingNote::dues(&self.chores, ready, behind);
        let words = words.chain(WaitingNote::dues(&self.notes, ready, behind));
        queued.chain(dressing).chain(passing).chain(words).min()
    }

    /// Returns when the list may be drawn or sent, which goes behind everything else.
    fn list_due(&self, now: Instant) -> Option<Instant> {
        let at = self
            .list
            .due(now)
            .into_iter()
            .chain(self.list.draw_due())
            .min()?;
        Some(at.max(self.pace.ready_for_new(now)))
    }

    /// Returns when the next file may be sent. While something else waits, that is due first.
    fn file_due(&self, now: Instant) -> Option<Instant> {
        if self.is_anything_first(now) {
            return None;
        }
        let new = self.pace.ready_for_new(now);
        let slots = self
            .files
            .iter()
            .filter_map(|serial| self.cards.get(serial));
        slots
            .filter(|slot| slot.file().is_some())
            .map(|slot| slot.upload_due(new))
            .min()
    }
}
