//! The other side: the asks of other machines as their owners share them.
//!
//! Not here: the answers that are sent to them (`sending.rs`).

use super::{
    AskRecord, AskSubject, HUB_SOURCE, RECORD_VERSION, SentAnswer, SharedEnd, SharedState,
};
use crate::{
    Ask, AskId, DecisionKind, DeliveryFailure, Responder, ReturnReason, SourceId, SourceListing,
    SourceReport, ToldDecision, Voucher,
};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The asks that others share, and what was sent to them.
#[derive(Clone, Debug, Default)]
pub struct RemoteAsks {
    pub(super) records: BTreeMap<AskSubject, AskRecord>,
    /// The asks that were over when it was last looked what can be forgotten.
    pub(super) over: BTreeSet<AskSubject>,
    /// The number of renewals that each ask was not told of.
    pub(super) unheard: BTreeMap<AskSubject, u32>,
    /// The asks by the ids that they have here, so that those of a source are next to each other.
    pub(super) by_id: BTreeMap<AskId, AskSubject>,
    /// The source of each owner.
    owners: BTreeMap<String, SourceId>,
    /// The sent answers by the id that the ask has here: of an earlier run nothing else is known at
    /// first.
    pub(super) sent: BTreeMap<AskId, SentAnswer>,
}

/// A consequence for the desk.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "one or two pass at a time, and none is stored"
)]
pub enum RemoteMove {
    /// An ask that is asked (again), as the record has it.
    Ask(AskSubject),
    /// A report on an ask of that source.
    Report(SourceId, SourceReport),
}

impl AskRecord {
    /// Returns the source that its machine's asks have here.
    pub fn source(&self) -> SourceId {
        SourceId(format!("{HUB_SOURCE}{}", self.machine))
    }

    /// Returns the id that it has here.
    pub fn id(&self, subject: &AskSubject) -> AskId {
        AskId {
            source: self.source(),
            own: subject.own_id(),
        }
    }

    /// Returns who decided it, on the word of the device that has signed it; `None` if the record
    /// names nobody.
    fn decider(&self) -> Option<Responder> {
        let decided = self.decided.as_ref()?;
        let vouched = Voucher::Device {
            name: self.signer.clone(),
        };
        let (person, device) = (decided.person.as_deref(), decided.device.as_deref());
        Some(Responder::new(person, device, vouched)).filter(|who| !who.is_unknown())
    }

    /// Whether it is of a version that is answered from here.
    pub fn is_answerable(&self) -> bool {
        self.v == RECORD_VERSION
    }

    /// Whether it has ended, so that it waits for no answer any more.
    pub fn is_ended(&self) -> bool {
        matches!(self.state, SharedState::Ended(_))
    }

    /// Whether it says the same, told once more. The count and the wait are others each time, and who
    /// signed it and when it was read are not what it says.
    fn says_the_same(&self, other: &Self) -> bool {
        let Self {
            v,
            machine,
            name,
            count: _,
            round,
            shown,
            state,
            reason,
            waited_ms: _,
            agreed,
            apart,
            decided,
            signer: _,
            heard_at: _,
            ask,
        } = self;

        v == &other.v
            && machine == &other.machine
            && name == &other.name
            && round == &other.round
            && shown == &other.shown
            && state == &other.state
            && reason == &other.reason
            && agreed == &other.agreed
            && apart == &other.apart
            && decided == &other.decided
            && ask == &other.ask
    }
}

impl RemoteAsks {
    /// Returns the sources of all owners.
    pub fn sources(&self) -> BTreeSet<SourceId> {
        self.owners.values().cloned().collect()
    }

    /// Returns the sources of which an owner is such a one.
    pub fn sources_of(&self, is_such: impl Fn(&str) -> bool) -> BTreeSet<SourceId> {
        let such = self.owners.iter().filter(|(node, _)| is_such(node));
        such.map(|(_, source)| source.clone()).collect()
    }

    /// Returns each owner's name among Beckons, with the name of its machine.
    pub fn machines(&self) -> impl Iterator<Item = (&str, &str)> {
        self.owners
            .iter()
            .filter_map(|(node, source)| Some((node.as_str(), source.0.strip_prefix(HUB_SOURCE)?)))
    }

    /// Returns the ask that has that id here.
    pub fn find(&self, id: &AskId) -> Option<(&AskSubject, &AskRecord)> {
        self.records.get_key_value(self.by_id.get(id)?)
    }

    /// Returns the record of that subject.
    pub fn get(&self, subject: &AskSubject) -> Option<&AskRecord> {
        self.records.get(subject)
    }

    /// Takes in everything that others share, read anew; what was known counts for nothing. The
    /// open asks among it are told by the lists of their sources. The hub may have lost asks that
    /// are on the desk: those are over as far as is known, which proves no answer to have been
    /// taken.
    pub fn list(
        &mut self,
        there: BTreeMap<AskSubject, AskRecord>,
        on_desk: impl IntoIterator<Item = AskId>,
    ) -> Vec<RemoteMove> {
        self.forget_others(&there);
        self.unheard.clear();
        // A sent answer is read back, or the owner tells it once more.
        self.sent.values_mut().for_each(|sent| sent.kept = false);
        let mut moves = Vec::new();
        for (subject, record) in there {
            moves.extend(self.put(subject, record));
        }
        moves.retain(|next| !matches!(next, RemoteMove::Ask(_)));
        moves.extend(
            on_desk
                .into_iter()
                .filter(|id| !self.by_id.contains_key(id))
                .map(gone),
        );
        moves
    }

    fn forget_others(&mut self, there: &BTreeMap<AskSubject, AskRecord>) {
        self.owners.clear();
        self.records
            .retain(|subject, _| there.contains_key(subject));
        self.by_id.retain(|_, subject| there.contains_key(subject));
    }

    /// Takes in another record that the hub shows of an ask. It is believed also if it is older
    /// than what was known: a machine that joins later sees the same, and its owner corrects it.
    pub fn take(&mut self, subject: AskSubject, record: AskRecord) -> Vec<RemoteMove> {
        self.put(subject, record)
    }

    fn put(&mut self, subject: AskSubject, record: AskRecord) -> Vec<RemoteMove> {
        self.unheard.remove(&subject);
        let former = self.records.get(&subject);
        let is_new = former.is_none_or(|former| !former.says_the_same(&record));
        let moved = former
            .map(|former| former.id(&subject))
            .filter(|it| *it != record.id(&subject));
        // The machine has another name.
        let mut moves: Vec<RemoteMove> = moved
            .map(|id| {
                self.by_id.remove(&id);
                gone(id)
            })
            .into_iter()
            .collect();
        if is_new {
            moves.extend(self.follow(&subject, &record));
        }
        self.owners.insert(subject.node.clone(), record.source());
        self.by_id.insert(record.id(&subject), subject.clone());
        self.records.insert(subject, record);
        moves
    }

    fn follow(&mut self, subject: &AskSubject, record: &AskRecord) -> Vec<RemoteMove> {
        let id = record.id(subject);
        let to_former = self.sent.get(&id).is_some_and(|sent| !sent.is_to(record));
        let own = id.own.clone();
        let report = match &record.state {
            SharedState::Open => {
                let back = to_former.then(|| self.returned(&id, record));
                return back
                    .into_iter()
                    .chain([RemoteMove::Ask(subject.clone())])
                    .collect();
            }
            SharedState::Answering(_) if self.is_sent_from_here(&id, record) => return Vec::new(),
            SharedState::Answering(_) => overtaken(own, record),
            // The owner's answer may have had the same words, and is still not the one that was
            // sent.
            SharedState::Ended(SharedEnd::Answered(_) | SharedEnd::Rejected) if to_former => {
                overtaken(own, record)
            }
            SharedState::Ended(end) => ended(own, end, self.sent.get(&id), record),
        };
        self.sent.remove(&id);
        alloc::vec![RemoteMove::Report(id.source, report)]
    }

    /// Forgets the answer that was sent from here and came to nothing; returns the report.
    fn returned(&mut self, id: &AskId, record: &AskRecord) -> RemoteMove {
        self.sent.remove(id);
        let why = record.reason.clone().unwrap_or(ReturnReason::Changed);
        let (own, failure) = (id.own.clone(), DeliveryFailure::Returned(why));
        RemoteMove::Report(id.source.clone(), SourceReport::NotSent { own, failure })
    }

    /// Whether the answer that its owner has taken up, or may have, is the one that was sent from
    /// here.
    pub(super) fn is_sent_from_here(&self, id: &AskId, record: &AskRecord) -> bool {
        let sent = self.sent.get(id).filter(|sent| sent.is_to(record));
        sent.is_some_and(|sent| match &record.state {
            SharedState::Answering(nonce) => nonce.as_ref().is_none_or(|it| *it == sent.nonce),
            SharedState::Open | SharedState::Ended(_) => false,
        })
    }

    /// Returns what is open at a source, as `ask_of` reads it. An answer that its owner has not
    /// taken up yet is neither confirmed nor missing. `is_here` tells what is shown as another
    /// source's.
    pub fn listing(
        &self,
        source: &SourceId,
        mut ask_of: impl FnMut(&AskSubject, &AskRecord) -> Option<Ask>,
        is_here: impl Fn(&AskSubject, &AskRecord) -> bool,
    ) -> SourceListing {
        let mut listing = SourceListing::default();
        for (id, subject) in self.of_source(source) {
            let Some(record) = self.records.get(subject) else {
                continue;
            };
            match self.place(id, record, is_here(subject, record)) {
                Place::Listed => listing
                    .asks
                    .extend(ask_of(subject, record).map(|ask| (ask, true))),
                Place::Unsure => _ = listing.unsure.insert(id.own.clone()),
                Place::Missing => {}
            }
        }
        listing
    }

    fn of_source(&self, source: &SourceId) -> impl Iterator<Item = (&AskId, &AskSubject)> {
        let first = AskId {
            source: source.clone(),
            own: String::new(),
        };
        self.by_id
            .range(first..)
            .take_while(|(id, _)| id.source == *source)
    }

    fn place(&self, id: &AskId, record: &AskRecord, is_here: bool) -> Place {
        let sent = self.sent.get(id);
        match &record.state {
            SharedState::Open if sent.is_some_and(|sent| sent.kept || is_here) => Place::Unsure,
            SharedState::Open if !is_here => Place::Listed,
            SharedState::Answering(_) if self.is_sent_from_here(id, record) => Place::Unsure,
            SharedState::Open | SharedState::Answering(_) | SharedState::Ended(_) => Place::Missing,
        }
    }
}

/// The place of an ask on the list of its source.
enum Place {
    Listed,
    Unsure,
    Missing,
}

pub(super) fn gone(id: AskId) -> RemoteMove {
    RemoteMove::Report(id.source, SourceReport::Gone { own: id.own })
}

/// Returns the report of an ask that has an answer, which is not one that was given here.
fn overtaken(own: String, record: &AskRecord) -> SourceReport {
    match &record.decided {
        Some(decided) => {
            let (how, by) = (decided.how.clone(), record.decider());
            SourceReport::Decided(ToldDecision {
                own,
                how,
                by,
                is_anothers: true,
            })
        }
        None => SourceReport::Overtaken { own },
    }
}

fn ended(
    own: String,
    end: &SharedEnd,
    sent: Option<&SentAnswer>,
    record: &AskRecord,
) -> SourceReport {
    let how = match end {
        SharedEnd::Answered(answers) => DecisionKind::Answered(answers.clone()),
        SharedEnd::Rejected => DecisionKind::Rejected,
        // It cannot be told whether there was an answer before it went.
        SharedEnd::Gone => return SourceReport::Gone { own },
    };
    let nonce = record
        .decided
        .as_ref()
        .and_then(|decided| decided.nonce.as_ref());
    // An answer that was not sent yet can't have been taken, whatever it says.
    let is_anothers = sent.is_none_or(|sent| nonce.is_some_and(|nonce| sent.nonce != *nonce));
    SourceReport::Decided(ToldDecision {
        own,
        how,
        by: record.decider(),
        is_anothers,
    })
}
