//! The answers that are given here to asks of other machines: what is sent, by what an answer is
//! recognized, and what follows from its end.
//!
//! Not here: the signature, and the way there.

use super::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, RECORD_VERSION, RemoteAsks, round_of,
    seen_of,
};
use crate::{
    Answer, AskId, AskState, DeliveryFailure, Entry, Responder, ReturnReason, SourceReport, Surface,
};
use alloc::borrow::ToOwned;
use alloc::string::String;
use sha2::{Digest, Sha256};

/// An answer that was sent from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentAnswer {
    /// The round that it answers.
    pub round: u32,
    /// The hash of what its human saw.
    pub shown: String,
    /// The nonce by which it is known again.
    pub nonce: String,
    /// Whether the hub has it.
    pub kept: bool,
}

impl SentAnswer {
    /// Whether it answers what the owner's record says now.
    pub(super) fn is_to(&self, record: &AskRecord) -> bool {
        self.round == record.round && self.shown == record.shown
    }
}

/// The action that sends an answer.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, and none is stored"
)]
pub enum Sending {
    /// The answer is published there; `again` if it may be there already.
    Publish {
        /// The subject to which it goes.
        to: AnswerSubject,
        /// The hash of what its human saw.
        shown: String,
        /// Whether it may be there already.
        again: bool,
    },
    /// Nothing goes out, for that reason.
    Nothing(SourceReport),
}

/// The result of publishing an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    /// The hub keeps it for its round.
    Kept,
    /// Another one was there before it.
    Lost,
    /// The result is not known yet: it is read back on the next try.
    Unknown(String),
    /// The answer cannot be sent from here.
    Impossible(ReturnReason),
}

/// The Beckon and machine from which an answer comes.
#[derive(Clone, Copy, Debug)]
pub struct Sender<'a> {
    /// The name of this Beckon among Beckons.
    pub node: &'a str,
    /// The name of this machine, for people.
    pub machine: Option<&'a str>,
}

impl Sender<'_> {
    /// Returns the answer as it is published, in JSON. Made of the same answer it is the same
    /// record, also after a restart, and whatever the clock shows by then.
    pub fn record(
        &self,
        to: &AnswerSubject,
        shown: String,
        answer: String,
        (surface, by): (Surface, Option<&Responder>),
    ) -> AnswerRecord {
        let device = by.and_then(|it| it.device.as_deref()).or(self.machine);
        AnswerRecord {
            v: RECORD_VERSION,
            shown,
            nonce: self.nonce(to, &answer),
            answer,
            person: by.and_then(|it| it.person.clone()),
            device: device.map(ToOwned::to_owned),
            surface: Some(surface),
        }
    }

    /// Returns the nonce by which this Beckon knows it again, and no other one takes it for its
    /// own.
    pub fn nonce(&self, to: &AnswerSubject, answer: &str) -> String {
        let mut hash = Sha256::new();
        for part in [to.subject().as_str(), self.node, answer] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize()
            .iter()
            .take(16)
            .map(|byte| alloc::format!("{byte:02x}"))
            .collect()
    }
}

impl RemoteAsks {
    /// Decides how an answer goes out. Its nonce for its round is told.
    pub fn send(&mut self, entry: &Entry, nonce: impl Fn(&AnswerSubject) -> String) -> Sending {
        let own = entry.ask.id.own.clone();
        let failed = |failure| {
            Sending::Nothing(SourceReport::NotSent {
                own: own.clone(),
                failure,
            })
        };
        let AskState::Answering { attempts, .. } = entry.state else {
            return failed(DeliveryFailure::NotFound);
        };
        let Some((subject, record)) = self.find(&entry.ask.id) else {
            return failed(DeliveryFailure::Other(
                "its owner does not share it".to_owned(),
            ));
        };
        let Some(shown) = shown_of(entry, record) else {
            return failed(DeliveryFailure::Returned(ReturnReason::Changed));
        };
        let to = AnswerSubject {
            ask: subject.clone(),
            round: record.round,
        };
        let (round, nonce) = (to.round, nonce(&to));
        let sent = SentAnswer {
            round,
            shown: shown.clone(),
            nonce,
            kept: false,
        };
        if self.is_there(&entry.ask.id, record, &sent) {
            return Sending::Nothing(SourceReport::Sent { own });
        }
        let again = attempts > 1 || self.sent.contains_key(&entry.ask.id);
        self.sent.insert(entry.ask.id.clone(), sent);
        Sending::Publish { to, shown, again }
    }

    /// Whether the hub has it, or its owner.
    fn is_there(&self, id: &AskId, record: &AskRecord, sent: &SentAnswer) -> bool {
        let known = self.sent.get(id).filter(|known| known.nonce == sent.nonce);
        known.is_some_and(|known| known.kept || self.is_sent_from_here(id, record))
    }

    /// Notes the result of publishing, and returns what follows for the source. `None`: it is of a
    /// round that is over, or the hub has it already.
    pub fn published(
        &mut self,
        ask: &AskId,
        to: &AnswerSubject,
        end: Published,
    ) -> Option<SourceReport> {
        let sent = self
            .sent
            .get_mut(ask)
            .filter(|sent| sent.round == to.round)?;
        // The hub has the answer: nothing that is reported later takes it back from its owner.
        if sent.kept && matches!(end, Published::Impossible(_)) {
            return None;
        }
        let own = ask.own.clone();
        let failure = match end {
            Published::Kept => {
                sent.kept = true;
                return Some(SourceReport::Sent { own });
            }
            Published::Unknown(why) => DeliveryFailure::Other(why),
            Published::Lost => {
                self.sent.remove(ask);
                return Some(SourceReport::Overtaken { own });
            }
            Published::Impossible(why) => {
                self.sent.remove(ask);
                DeliveryFailure::Returned(why)
            }
        };
        Some(SourceReport::NotSent { own, failure })
    }

    /// Notes an answer of an earlier run that may be on its way still: it is known again by its
    /// nonce.
    pub fn expect(&mut self, entry: &Entry, nonce: impl FnOnce(&AnswerSubject, &Answer) -> String) {
        let AskState::Answering { answer, .. } = &entry.state else {
            return;
        };
        let way = entry.ask.session.api.as_deref();
        let way = way.and_then(|way| Some((round_of(way)?, seen_of(way)?)));
        let Some((ask, (round, seen))) = AskSubject::of(&entry.ask).zip(way) else {
            return;
        };
        if self.sent.contains_key(&entry.ask.id) {
            return;
        }
        let shown = crate::shown_hash(&entry.ask.kind, seen);
        let nonce = nonce(&AnswerSubject { ask, round }, answer);
        self.sent.insert(
            entry.ask.id.clone(),
            SentAnswer {
                round,
                shown,
                nonce,
                kept: false,
            },
        );
    }

    /// Returns the answer that was sent to that ask.
    pub fn sent(&self, ask: &AskId) -> Option<&SentAnswer> {
        self.sent.get(ask)
    }
}

/// Returns the hash of what its human saw, if its owner shows that still, in the same round.
fn shown_of(entry: &Entry, record: &AskRecord) -> Option<String> {
    let way = entry.ask.session.api.as_deref()?;
    let shown = crate::shown_hash(&entry.ask.kind, seen_of(way)?);
    (round_of(way) == Some(record.round) && shown == record.shown).then_some(shown)
}
