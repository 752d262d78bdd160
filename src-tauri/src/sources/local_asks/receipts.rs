//! The receipts of askers that pass an answer on. Not here: askers that take an answer for
//! themselves.

use super::messages::{AskEnd, AskerReceipt, ReceiptEnd, ReceivedAnswer, RecordChange};
use super::{LocalAsks, LocalStep, report};
use beckon_core::{Grant, SourceReport, Timestamp};

impl LocalAsks {
    pub(super) fn receive(
        &mut self,
        received: ReceivedAnswer,
        now: Timestamp,
        moved: &mut LocalStep,
    ) -> ReceiptEnd {
        let ReceivedAnswer {
            own,
            receipt,
            proof,
        } = received;
        let proof = proof.filter(|proof| receipt == AskerReceipt::Taken && !proof.is_empty());
        let is_used = proof.as_deref().is_some_and(|proof| self.is_used(proof));
        let Some(open) = self.open.get_mut(&own) else {
            return ReceiptEnd::NotOpen;
        };
        if receipt == AskerReceipt::Taken && open.end.is_none() {
            return ReceiptEnd::NotOpen;
        }
        if is_used {
            return ReceiptEnd::ProofUsed;
        }

        open.proof = proof;
        self.end_by(&own, receipt, now, moved);
        ReceiptEnd::Counted
    }

    /// Tells whether the proof has proven another answer. One result of a tool ends one call, and
    /// nothing else tells apart two calls that are word for word the same.
    fn is_used(&self, proof: &str) -> bool {
        let mut used = self.ended.values().filter_map(|it| it.proof.as_deref());
        used.any(|used| used == proof)
    }

    fn end_by(&mut self, own: &str, receipt: AskerReceipt, now: Timestamp, moved: &mut LocalStep) {
        let Some(open) = self.open.get(own) else {
            return;
        };
        let allows_once = matches!(open.end, Some(AskEnd::Granted(Grant::Once)));
        let allows = open.end.as_ref().is_some_and(|end| !end.refuses());
        let is_handed = open.handed_at.is_some();
        match receipt {
            AskerReceipt::Taken => self.prove(own, now, moved),
            AskerReceipt::Done if allows_once => self.prove(own, now, moved),
            // The tool has run, by these answers or this rule, or by others given in the terminal.
            AskerReceipt::Done if allows && is_handed => self.await_last_word(own, now, moved),
            AskerReceipt::Over if is_handed => self.await_last_word(own, now, moved),
            AskerReceipt::Done | AskerReceipt::Elsewhere => self.overtaken(own, now, moved),
            AskerReceipt::Over | AskerReceipt::Lost => _ = self.give_up(own, now, moved),
        }
    }

    /// Leaves a last moment to whoever looks for what became of an answer. The end of a turn, or of the
    /// tool call, may be reported before it is written down who decided.
    fn await_last_word(&mut self, own: &str, now: Timestamp, moved: &mut LocalStep) {
        let Some(open) = self.open.get_mut(own) else {
            return;
        };
        if open.over_at.is_some() {
            return;
        }

        open.over_at = Some(now);
        let ended = open.end.clone().zip(open.handed_at);
        moved.changes.push(RecordChange::Put(open.record(ended)));
        self.schedule(own);
    }

    /// Ends an ask that somebody answered elsewhere. An asker that comes for the end is told
    /// nothing of our answer.
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
