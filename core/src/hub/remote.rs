//! The other side: the asks of other machines as their owners share them, and the answers that were
//! sent from here.

use super::{AskRecord, AskSubject, HUB_SOURCE, RECORD_VERSION, SharedEnd, SharedState};
use crate::{AskId, DeliveryFailure, ReturnReason, SourceId, SourceReport};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// All that others share, and what was sent to them.
#[derive(Clone, Debug, Default)]
pub struct RemoteAsks {
    records: BTreeMap<AskSubject, AskRecord>,
    sent: BTreeMap<AskSubject, SentAnswer>,
}

/// An answer that was sent from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentAnswer {
    /// To which round.
    pub round: u32,
    /// By which it is known again.
    pub nonce: String,
    /// The hub has it.
    pub kept: bool,
}

/// What follows for the desk.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "one or two pass at a time, and none is stored")]
pub enum RemoteMove {
    /// It is asked (again), as the record has it.
    Ask(AskSubject),
    /// Something is said of it.
    Report(SourceReport),
    /// The list of its source is another.
    List(SourceId),
}

impl AskRecord {
    /// The source that its machine's asks have here.
    pub fn source(&self) -> SourceId {
        SourceId(format!("{HUB_SOURCE}{}", self.machine))
    }
}

impl RemoteAsks {
    /// Only these are there. What was known of the others counts for nothing.
    pub fn forget_others(&mut self, there: &BTreeMap<AskSubject, AskRecord>) {
        self.records.retain(|subject, _| there.contains_key(subject));
        self.sent.retain(|subject, _| there.contains_key(subject));
    }

    /// Every one that waits for an answer, or has one that was sent from here.
    pub fn open(&self) -> impl Iterator<Item = (&AskSubject, &AskRecord)> {
        self.records.iter().filter(|(subject, record)| self.is_open(subject, record))
    }

    fn is_open(&self, subject: &AskSubject, record: &AskRecord) -> bool {
        match &record.state {
            SharedState::Open => true,
            SharedState::Answering(nonce) => self.is_sent_from_here(subject, nonce.as_deref()),
            SharedState::Ended(_) => false,
        }
    }

    /// The sources that there are.
    pub fn sources(&self) -> BTreeSet<SourceId> {
        self.records.values().map(AskRecord::source).collect()
    }

    /// Those of which an owner is such a one.
    pub fn sources_of(&self, is_such: impl Fn(&str) -> bool) -> BTreeSet<SourceId> {
        let owned = self.records.iter().filter(|(subject, _)| is_such(&subject.node));
        owned.map(|(_, record)| record.source()).collect()
    }

    /// One of them, by the id that it has here.
    pub fn find(&self, id: &AskId) -> Option<(&AskSubject, &AskRecord)> {
        let mut all = self.records.iter();
        all.find(|(subject, record)| subject.own_id() == id.own && record.source() == id.source)
    }

    /// One of them.
    pub fn get(&self, subject: &AskSubject) -> Option<&AskRecord> {
        self.records.get(subject)
    }

    /// An answer is on its way from here.
    pub fn note_sent(&mut self, subject: &AskSubject, sent: SentAnswer) {
        self.sent.insert(subject.clone(), sent);
    }

    /// The one that was sent.
    pub fn sent(&self, subject: &AskSubject) -> Option<&SentAnswer> {
        self.sent.get(subject)
    }

    /// The hub has it: it is kept for its owner.
    pub fn note_kept(&mut self, subject: &AskSubject) {
        if let Some(sent) = self.sent.get_mut(subject) {
            sent.kept = true;
        }
    }

    /// It is not on its way any more.
    pub fn note_lost(&mut self, subject: &AskSubject) {
        self.sent.remove(subject);
    }

    /// An owner says something of an ask. What is older than what it said before is passed over.
    pub fn take(&mut self, subject: AskSubject, record: AskRecord) -> Vec<RemoteMove> {
        let former = self.records.get(&subject);
        if former == Some(&record) || former.is_some_and(|former| former.round > record.round) {
            return Vec::new();
        }
        let own = subject.own_id();
        let mut moves = Vec::new();
        match &record.state {
            SharedState::Open => {
                let overdue = self.sent.get(&subject).is_some_and(|sent| sent.round < record.round);
                if overdue {
                    self.sent.remove(&subject);
                    moves.push(RemoteMove::Report(returned(&own, &record)));
                }
                moves.push(RemoteMove::Ask(subject.clone()));
            }
            SharedState::Answering(nonce) => {
                if !self.is_sent_from_here(&subject, nonce.as_deref()) {
                    self.sent.remove(&subject);
                    moves.push(RemoteMove::Report(SourceReport::Overtaken { own }));
                }
            }
            SharedState::Ended(end) => {
                let sent = self.sent.remove(&subject).is_some();
                moves.push(ended(own, end, sent, &record));
            }
        }
        self.records.insert(subject, record);
        moves
    }

    fn is_sent_from_here(&self, subject: &AskSubject, nonce: Option<&str>) -> bool {
        let sent = self.sent.get(subject);
        sent.is_some_and(|sent| nonce.is_none_or(|nonce| nonce == sent.nonce))
    }
}

/// The answer that was sent from here came to nothing.
fn returned(own: &str, record: &AskRecord) -> SourceReport {
    let why = record.reason.clone().unwrap_or(ReturnReason::Changed);
    SourceReport::NotSent { own: own.to_owned(), failure: DeliveryFailure::Returned(why) }
}

fn ended(own: String, end: &SharedEnd, sent: bool, record: &AskRecord) -> RemoteMove {
    RemoteMove::Report(match end {
        SharedEnd::Answered(answers) => SourceReport::Replied { own, answers: answers.clone() },
        SharedEnd::Rejected => SourceReport::Rejected { own },
        // It went without our answer, which would seem to have been taken otherwise.
        SharedEnd::Gone if sent => SourceReport::Overtaken { own },
        SharedEnd::Gone => return RemoteMove::List(record.source()),
    })
}

impl AskRecord {
    /// Is it of a version that is answered from here?
    pub fn is_answerable(&self) -> bool {
        self.v == RECORD_VERSION
    }
}
