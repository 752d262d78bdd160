//! The renewal of what the hub would forget: it forgets an ask's record after [`ASK_LIVES`], and an
//! answer after [`ANSWER_LIVES`]. Long before that, the machine that wrote a record that still
//! matters writes it anew. Records of what is over are forgotten here as well.
//!
//! Not here: what is written (`telling.rs`, `sending.rs`).

use super::remote::gone;
use super::telling::CONNECTIONS;
use super::{AskSubject, HubOwner, RemoteAsks, RemoteMove};
use crate::{SourceId, Span};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The time for which the hub keeps an ask's record. A machine that comes back within it still
/// learns of an ask that is over.
pub const ASK_LIVES: Span = Span::minutes(7 * 24 * 60);
/// The time for which the hub keeps an answer for the ask's owner. It is longer than any machine
/// shows the ask: by then the person who gave the answer has been told that the ask is gone.
pub const ANSWER_LIVES: Span = Span::minutes(30 * 24 * 60);
/// The interval of renewals of all that still matters. Several of them come before the hub would
/// forget it.
const EVERY: Span = Span::minutes(24 * 60);
/// The number of sent answers that are remembered although their asks are not shared at the moment.
const MOST_SENT: usize = 4_096;

/// The time of the last renewal, by the steady clock.
#[derive(Clone, Copy, Debug)]
pub struct Renewal(Span);

impl Renewal {
    /// Begins with a new connection, over which everything is published.
    pub fn begin(now: Span) -> Self {
        Self(now)
    }

    /// Whether a renewal is due. If so, the next one counts from `now`.
    pub fn is_due(&mut self, now: Span) -> bool {
        let is_due = now.0.saturating_sub(self.0.0) >= EVERY.0;
        if is_due {
            self.0 = now;
        }
        is_due
    }
}

impl HubOwner {
    /// Forgets the rounds of asks that the desk does not know any more: none of their rounds is
    /// ever asked again.
    pub fn forget_rounds(&mut self, is_known: impl Fn(u64) -> bool) {
        let is_kept = |serial: u64| serial == CONNECTIONS || is_known(serial);
        self.used.retain(|serial, _| is_kept(*serial));
        self.occupied.retain(|(serial, _)| is_kept(*serial));
    }
}

impl RemoteAsks {
    /// Forgets the asks that had ended by the last renewal, and those that their owner has not
    /// published for as long as the hub keeps records: no other machine will ever hear of them.
    /// Returns what follows for the desk.
    pub fn forget_old(&mut self) -> Vec<RemoteMove> {
        self.forget_ended();
        self.forget_sent();
        let old = self.untold();
        let gone = old.iter().filter_map(|subject| {
            let record = self.records.remove(subject)?;
            self.by_id.remove(&record.id(subject));
            self.unheard.remove(subject);
            Some(gone(record.id(subject)))
        });
        gone.collect()
    }

    /// Returns the asks that their owner would have published again by now if it were online.
    fn untold(&mut self) -> Vec<AskSubject> {
        let waiting = self.records.iter().filter(|(_, record)| !record.is_ended());
        let mut old = Vec::new();
        for (subject, _) in waiting {
            let unheard = self.unheard.entry(subject.clone()).or_default();
            *unheard += 1;
            if i64::from(*unheard) * EVERY.0 > ASK_LIVES.0 {
                old.push(subject.clone());
            }
        }
        old
    }

    /// Marks the answers that the hub has as doubtful: the hub may have forgotten one, while the
    /// ask's owner was not there to take it. They are read back, or published once more, when the
    /// returned sources are listed.
    pub fn doubt_sent(&mut self) -> BTreeSet<SourceId> {
        let kept = self.sent.iter_mut().filter(|(_, sent)| sent.kept);
        let doubted = kept.map(|(id, sent)| {
            sent.kept = false;
            id.source.clone()
        });
        doubted.collect()
    }

    /// Forgets the asks that had already ended at the last renewal: without this, most of what is
    /// kept would be over. A person who answers too late is told by the desk how the ask ended.
    fn forget_ended(&mut self) {
        let ended = self.records.iter().filter(|(_, record)| record.is_ended());
        let ended: BTreeSet<AskSubject> = ended.map(|(subject, _)| subject.clone()).collect();
        let over = core::mem::take(&mut self.over);
        self.records
            .retain(|subject, _| !(over.contains(subject) && ended.contains(subject)));
        let Self { by_id, records, .. } = self;
        by_id.retain(|_, subject| records.contains_key(subject));
        self.over = ended;
    }

    /// Forgets sent answers to asks that are not shared, once there are too many. If such an ask
    /// comes back, its answer is recognized by its nonce.
    fn forget_sent(&mut self) {
        if self.sent.len() > MOST_SENT {
            let Self { sent, by_id, .. } = self;
            sent.retain(|id, _| by_id.contains_key(id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_is_written_anew_several_times_before_the_hub_forgets_it() {
        assert!(3 * EVERY.0 <= ASK_LIVES.0 && ASK_LIVES < ANSWER_LIVES);
        let mut renewal = Renewal::begin(Span(1_000));
        assert!(!renewal.is_due(Span(999 + EVERY.0)));
        assert!(renewal.is_due(Span(1_000 + EVERY.0)));
        assert!(!renewal.is_due(Span(1_001 + EVERY.0)), "once");
        assert!(renewal.is_due(Span(1_000 + 2 * EVERY.0)));
    }
}
