//! An ask of a script or an agent that has not ended for its asker, with the askers that wait for
//! it and its deadlines.

use super::messages::{AskEnd, AskRecord, AskedContent, HandedEnd};
use super::{AskerReply, LAST_WORD, MISSED_AFTER, UNPROVEN};
use beckon_core::{Ask, Timestamp};
use tokio::sync::oneshot;

/// An ask whose asker has yet to take its end.
#[derive(Debug)]
pub(super) struct OpenLocalAsk {
    pub(super) ask: Ask,
    pub(super) attended: bool,
    pub(super) receipts: bool,
    /// The time at which the asker was handed an end for which it has yet to give a receipt.
    pub(super) handed_at: Option<Timestamp>,
    pub(super) deadline: Option<Timestamp>,
    /// The number of askers that are connected.
    pub(super) present: usize,
    /// The time since which nobody is connected.
    pub(super) absent_since: Timestamp,
    /// The replies that wait for its end.
    pub(super) waiting: Vec<oneshot::Sender<HandedEnd>>,
    /// The end that no connection has taken yet.
    pub(super) end: Option<AskEnd>,
    /// The time since which nobody waits for the ask any more, once its asker was handed an end.
    pub(super) over_at: Option<Timestamp>,
    /// The proof that its asker's agent took the end; see [`AskRecord::proof`].
    pub(super) proof: Option<String>,
    pub(super) alarm: Option<Timestamp>,
}

impl OpenLocalAsk {
    pub(super) fn new(
        ask: Ask,
        attended: bool,
        receipts: bool,
        deadline: Option<Timestamp>,
        now: Timestamp,
    ) -> Self {
        Self {
            ask,
            attended,
            receipts,
            handed_at: None,
            deadline,
            present: 0,
            absent_since: now,
            waiting: Vec::new(),
            end: None,
            over_at: None,
            proof: None,
            alarm: None,
        }
    }

    pub(super) fn due(&self) -> Option<Timestamp> {
        let deadline = self.deadline.filter(|_| self.end.is_none());
        [
            deadline,
            self.missed_at(),
            self.unproven_until(),
            self.proven_at(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    pub(super) fn unproven_until(&self) -> Option<Timestamp> {
        self.handed_at.map(|at| at + UNPROVEN)
    }

    /// Returns the time at which an end counts as taken if no receipt says otherwise after the ask
    /// was over.
    pub(super) fn proven_at(&self) -> Option<Timestamp> {
        self.over_at.map(|at| at + LAST_WORD)
    }

    pub(super) fn record(&self, ended: Option<(AskEnd, Timestamp)>) -> AskRecord {
        let asked = match &ended {
            Some(_) => AskedContent::Hashed(AskedContent::hash_of(&self.ask.kind)),
            None => AskedContent::Whole(self.ask.kind.clone()),
        };
        AskRecord {
            own: self.ask.id.own.clone(),
            asked,
            attended: self.attended,
            receipts: self.receipts,
            deadline: self.deadline,
            ended,
            proof: self.proof.clone(),
            is_over: self.over_at.is_some(),
        }
    }

    /// Returns an end in the form in which this ask's asker is handed it.
    pub(super) fn handed(&self, end: AskEnd) -> HandedEnd {
        HandedEnd {
            end,
            by_ticket: !self.attended,
        }
    }

    /// Hands an end to all who wait for it.
    pub(super) fn hand_over(&mut self, end: &AskEnd) -> Vec<AskerReply> {
        let handed = self.handed(end.clone());
        let waiting = std::mem::take(&mut self.waiting);
        waiting
            .into_iter()
            .map(|to| AskerReply::End(to, handed.clone()))
            .collect()
    }

    pub(super) fn missed_at(&self) -> Option<Timestamp> {
        let missed = self.attended && self.present == 0 && self.handed_at.is_none();
        missed.then_some(self.absent_since + MISSED_AFTER)
    }
}
