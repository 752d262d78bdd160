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
    /// The nonce by which this Beckon recognizes the answer.
    pub nonce: String,
    /// Whether the hub is known to have the answer.
    pub kept: bool,
}

impl SentAnswer {
    /// Whether the answer is for what the owner's record asks now.
    pub(super) fn is_to(&self, record: &AskRecord) -> bool {
        self.round == record.round && self.shown == record.shown
    }
}

/// The way in which an answer to another machine's ask is sent.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "one at a time, and none is stored"
)]
pub enum Sending {
    /// Publish the answer under that subject; `again` if it may be there already.
    Publish {
        /// The subject to which it goes.
        to: AnswerSubject,
        /// The hash of the content that the human saw.
        shown: String,
        /// Whether it may be published already.
        again: bool,
    },
    /// Publish nothing, for that reason.
    Nothing(SourceReport),
}

/// The result of publishing an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Published {
    /// The hub keeps the answer as the one of its round.
    Kept,
    /// Another answer was there before.
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
    /// Returns the answer's record, in JSON. The same answer always makes the same record, also
    /// after a restart and at another time.
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

    /// Returns the nonce by which this Beckon recognizes the answer. No other Beckon's answer has
    /// it.
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
    /// Decides how an answer is sent. `nonce` calculates its nonce for a round.
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

    /// Whether the hub or the owner is known to have the answer.
    fn is_there(&self, id: &AskId, record: &AskRecord, sent: &SentAnswer) -> bool {
        let known = self.sent.get(id).filter(|known| known.nonce == sent.nonce);
        known.is_some_and(|known| known.kept || self.is_sent_from_here(id, record))
    }

    /// Takes in the result of publishing, and returns the report for the desk. `None` if the round
    /// is over, or if it is known already that the hub has the answer.
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
        // The hub has the answer, and no later result can take it back from its owner.
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

    /// Notes an answer of an earlier run that may still be on its way. It is recognized by its
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

/// Returns the hash of the content that the human saw, if the owner still shows that in the same
/// round.
fn shown_of(entry: &Entry, record: &AskRecord) -> Option<String> {
    let way = entry.ask.session.api.as_deref()?;
    let shown = crate::shown_hash(&entry.ask.kind, seen_of(way)?);
    (round_of(way) == Some(record.round) && shown == record.shown).then_some(shown)
}
