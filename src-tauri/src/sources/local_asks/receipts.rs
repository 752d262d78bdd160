//! What an asker says of an ask whose answer it passes on. Not here: askers that take an answer for
//! themselves.

use super::messages::{AskEnd, AskerReceipt};
use super::{LocalAsks, LocalStep, report};
use beckon_core::{SourceReport, Timestamp};

impl LocalAsks {
    pub(super) fn receipt(
        &mut self,
        own: &str,
        receipt: AskerReceipt,
        now: Timestamp,
        moved: &mut LocalStep,
    ) -> bool {
        let Some(open) = self.open.get_mut(own) else {
            return false;
        };
        let allowed = open.end.as_ref().is_some_and(|end| !end.refuses());
        match receipt {
            AskerReceipt::Taken if open.end.is_none() => return false,
            AskerReceipt::Taken => self.prove(own, now, moved),
            AskerReceipt::Done if allowed => self.prove(own, now, moved),
            AskerReceipt::Over if open.handed_at.is_some() => self.prove(own, now, moved),
            AskerReceipt::Done | AskerReceipt::Elsewhere => self.overtaken(own, now, moved),
            AskerReceipt::Over | AskerReceipt::Lost => return self.give_up(own, now, moved),
        }
        true
    }

    /// Somebody was faster elsewhere. Whoever comes for an end is told nothing of ours.
    fn overtaken(&mut self, own: &str, now: Timestamp, moved: &mut LocalStep) {
        let Some(open) = self.open.get_mut(own) else {
            return;
        };
        moved.words.extend(open.hand_over(&AskEnd::Gone));
        moved.events.push(report(SourceReport::Overtaken {
            own: own.to_owned(),
        }));
        self.end(own, AskEnd::Gone, now, moved);
    }
}
