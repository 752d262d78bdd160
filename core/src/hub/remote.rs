//! The other side of shared asks: those of other machines, as their owners share them.
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
    /// The asks that had ended at the last renewal.
    pub(super) over: BTreeSet<AskSubject>,
    /// The number of renewals without a record of each ask from its owner.
    pub(super) unheard: BTreeMap<AskSubject, u32>,
    /// The asks by their ids here, so that those of a source are next to each other.
    pub(super) by_id: BTreeMap<AskId, AskSubject>,
    /// The source here of each owner, by the owner's name among Beckons.
    owners: BTreeMap<String, SourceId>,
    /// The sent answers by the ask's id here. Of an answer of an earlier run, nothing else is known
    /// at first.
    pub(super) sent: BTreeMap<AskId, SentAnswer>,
}

/// A consequence for the desk.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "one or two pass at a time, and none is stored"
)]
pub enum RemoteMove {
    /// An ask that is asked, or asked again, as its record has it.
    Ask(AskSubject),
    /// A report on an ask of that source.
    Report(SourceId, SourceReport),
}

impl AskRecord {
    /// Returns the source here for the asks of its machine.
    pub fn source(&self) -> SourceId {
        SourceId(format!("{HUB_SOURCE}{}", self.machine))
    }

    /// Returns the id of the ask here.
    pub fn id(&self, subject: &AskSubject) -> AskId {
        AskId {
            source: self.source(),
            own: subject.own_id(),
        }
    }

    /// Returns the person who decided it; the device that has signed the record vouches for that.
    /// `None` if the record names nobody.
    fn decider(&self) -> Option<Responder> {
        let decided = self.decided.as_ref()?;
        let vouched = Voucher::Device {
            name: self.signer.clone(),
        };
        let (person, device) = (decided.person.as_deref(), decided.device.as_deref());
        Some(Responder::new(person, device, vouched)).filter(|who| !who.is_unknown())
    }

    /// Whether it has the version that can be answered from here.
    pub fn is_answerable(&self) -> bool {
        self.v == RECORD_VERSION
    }

    /// Whether it has ended, so that it waits for no answer any more.
    pub fn is_ended(&self) -> bool {
        matches!(self.state, SharedState::Ended(_))
    }

    /// Whether both records say the same, so that it was only told again. The count and the wait
    /// differ each time, and who signed it and when it was read are not what it says.
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

    /// Returns the sources with an owner to which that applies.
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

    /// Returns the ask with that id here, and its record.
    pub fn find(&self, id: &AskId) -> Option<(&AskSubject, &AskRecord)> {
        self.records.get_key_value(self.by_id.get(id)?)
    }

    /// Returns the record of that subject.
    pub fn get(&self, subject: &AskSubject) -> Option<&AskRecord> {
        self.records.get(subject)
    }

    /// Takes in everything that others share, newly read; what was known before does not count. The
    /// open asks among them reach the desk with the lists of their sources. The hub may have lost
    /// asks that are on the desk. As far as is known those are over, but that does not prove that
    /// an answer was taken.
    pub fn list(
        &mut self,
        there: BTreeMap<AskSubject, AskRecord>,
        on_desk: impl IntoIterator<Item = AskId>,
    ) -> Vec<RemoteMove> {
        self.forget_others(&there);
        self.unheard.clear();
        // A sent answer is read back, or its owner tells of it again.
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

    /// Takes in a record of an ask that the hub shows now. It is believed even if it is older than
    /// the known one: a machine that joins later sees the same, and the ask's owner corrects it.
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
        // The machine has a new name.
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
            // The answer that the owner took may have the same words, but it is not the one that
            // was sent from here.
            SharedState::Ended(SharedEnd::Answered(_) | SharedEnd::Rejected) if to_former => {
                overtaken(own, record)
            }
            SharedState::Ended(end) => ended(own, end, self.sent.get(&id), record),
        };
        self.sent.remove(&id);
        alloc::vec![RemoteMove::Report(id.source, report)]
    }

    /// Forgets an answer that was sent from here in vain, and returns the report for the source.
    fn returned(&mut self, id: &AskId, record: &AskRecord) -> RemoteMove {
        self.sent.remove(id);
        let why = record.reason.clone().unwrap_or(ReturnReason::Changed);
        let (own, failure) = (id.own.clone(), DeliveryFailure::Returned(why));
        RemoteMove::Report(id.source.clone(), SourceReport::NotSent { own, failure })
    }

    /// Whether the answer that the owner has accepted is, or may be, the one that was sent from
    /// here.
    pub(super) fn is_sent_from_here(&self, id: &AskId, record: &AskRecord) -> bool {
        let sent = self.sent.get(id).filter(|sent| sent.is_to(record));
        sent.is_some_and(|sent| match &record.state {
            SharedState::Answering(nonce) => nonce.as_ref().is_none_or(|it| *it == sent.nonce),
            SharedState::Open | SharedState::Ended(_) => false,
        })
    }

    /// Returns the list of what is open at a source; `ask_of` reads an ask. If an answer was sent
    /// and its owner has not accepted it yet, the ask is neither confirmed nor missing. `is_here`
    /// tells whether an ask is shown here as another source's.
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

/// Returns the report of an ask that has an answer, which was not given here.
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
        // It is unknown whether there was an answer before the ask went.
        SharedEnd::Gone => return SourceReport::Gone { own },
    };
    let nonce = record
        .decided
        .as_ref()
        .and_then(|decided| decided.nonce.as_ref());
    // An answer that was not sent yet cannot have been taken, whatever the record says.
    let is_anothers = sent.is_none_or(|sent| nonce.is_some_and(|nonce| sent.nonce != *nonce));
    SourceReport::Decided(ToldDecision {
        own,
        how,
        by: record.decider(),
        is_anothers,
    })
}
