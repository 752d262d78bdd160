//! The sending of answers that are given here to asks of other machines: what is sent, how an
//! answer is recognized, and what follows from the result.
//!
//! Not here: the signature, and the transport.

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
    /// The hash of what the human saw who gave it.
    pub shown: String,
    /// The nonce by which it is recognized.
    pub nonce: String,
    /// Whether the hub has it.
    pub kept: bool,
}

impl SentAnswer {
    /// Whether it answers what the owner's record asks now.
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
    /// Publishes the answer.
    Publish {
        /// The subject to which it goes.
        to: AnswerSubject,
        /// The hash of what the human saw who gave it.
        shown: String,
        /// Whether the answer may be on the hub already.
        again: bool,
    },
    /// Sends nothing; holds the report for the source.
    Nothing(SourceReport),
}

/// The result of publishing an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    /// The hub keeps the answer for its round.
    Kept,
    /// The hub already had another answer for its round.
    Lost,
    /// The result is not known yet; the answer is read back on the next try. Holds the reason.
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
    /// Returns the answer's record as it is published, in JSON. The same answer always gives the
    /// same record, also after a restart, and whatever the clock shows then.
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

    /// Returns the nonce by which this Beckon recognizes its answer, and which no other Beckon
    /// takes for its own.
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
    /// Decides how an answer is sent. `nonce` gives its nonce for the round.
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

    /// Whether the hub or the ask's owner has the answer already.
    fn is_there(&self, id: &AskId, record: &AskRecord, sent: &SentAnswer) -> bool {
        let known = self.sent.get(id).filter(|known| known.nonce == sent.nonce);
        known.is_some_and(|known| known.kept || self.is_sent_from_here(id, record))
    }

    /// Notes the result of publishing, and returns the report for the source. `None` if it is about
    /// a round that is over, or if the hub has the answer already.
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
        // If the hub has the answer, nothing that is reported later takes it back from its owner.
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

    /// Notes an answer of an earlier run that may still be on its way, so that it is recognized by
    /// its nonce.
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

/// Returns the hash of what the human saw, if the owner still shows that, in the same round.
fn shown_of(entry: &Entry, record: &AskRecord) -> Option<String> {
    let way = entry.ask.session.api.as_deref()?;
    let shown = crate::shown_hash(&entry.ask.kind, seen_of(way)?);
    (round_of(way) == Some(record.round) && shown == record.shown).then_some(shown)
}
