//! What an asker says of an ask whose answer it passes on. Not here: askers that take an answer for
//! themselves.

use super::{Asks, Moved, Word, report};
use crate::sources::local_asks::messages::{End, Receipt};
use beckon_core::{SourceReport, Timestamp};

impl Asks {
    pub(super) fn receipt(
        &mut self,
        own: &str,
        receipt: Receipt,
        now: Timestamp,
        moved: &mut Moved,
    ) -> bool {
        let Some(open) = self.open.get_mut(own) else { return false };
        let allowed = open.end.as_ref().is_some_and(|end| !end.refuses());
        match receipt {
            Receipt::Taken if open.end.is_none() => return false,
            Receipt::Taken => self.prove(own, now, moved),
            Receipt::Done if allowed => self.prove(own, now, moved),
            Receipt::Over if open.handed_at.is_some() => self.prove(own, now, moved),
            Receipt::Done | Receipt::Elsewhere => self.overtaken(own, now, moved),
            Receipt::Over | Receipt::Lost => return self.give_up(own, now, moved),
        }
        true
    }

    /// Somebody was faster elsewhere. Whoever comes for an end is told nothing of ours.
    fn overtaken(&mut self, own: &str, now: Timestamp, moved: &mut Moved) {
        let Some(open) = self.open.get_mut(own) else { return };
        let waiting = std::mem::take(&mut open.waiting);
        moved.words.extend(waiting.into_iter().map(|to| Word::End(to, End::Gone)));
        moved.events.push(report(SourceReport::Overtaken { own: own.to_owned() }));
        self.end(own, End::Gone, now, moved);
    }
}
