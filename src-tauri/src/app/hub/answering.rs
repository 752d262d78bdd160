//! Answers that are given here to asks of other machines: on their way out, and what became of them.

use super::watching::way;
use super::*;
use crate::hub::{OutgoingAnswer, Publication};
use beckon_core::hub::{self, AnswerRecord, AnswerSubject, RECORD_VERSION, SentAnswer};
use beckon_core::{Answer, AskState, Fingerprint, Responder, ReturnReason};
use sha2::{Digest, Sha256};

impl App {
    pub(super) fn send_answer(&mut self, entry: &Entry, answer: &Answer) {
        if let Err(failure) = self.try_send_answer(entry, answer) {
            let own = entry.ask.id.own.clone();
            self.tell_desk(&entry.ask.id.source, SourceReport::NotSent { own, failure });
        }
    }

    fn try_send_answer(&mut self, entry: &Entry, answer: &Answer) -> Result<(), DeliveryFailure> {
        let away = || DeliveryFailure::Other("the hub is not connected".into());
        let id = &entry.ask.id;
        let hub = self.hub.as_mut().filter(|hub| hub.is_connected()).ok_or_else(away)?;
        let AskState::Answering { at, attempts, .. } = entry.state else { return Ok(()) };
        let (subject, record) = hub.remote.find(id).ok_or(DeliveryFailure::NotFound)?;
        let seen: Option<Fingerprint> = seen(entry);
        let shown = seen.map(|seen| beckon_core::shown_hash(&entry.ask.kind, seen));
        let is_it = entry.ask.session.api == way(record) && shown.as_ref() == Some(&record.shown);
        let changed = DeliveryFailure::Returned(ReturnReason::Changed);
        let shown = shown.filter(|_| is_it).ok_or(changed)?;
        let to = AnswerSubject { ask: subject.clone(), round: record.round };
        let by = entry.responder.as_ref();
        let record = published_answer((&to, &self.instance), shown, (answer, at), by);
        let sent = SentAnswer { round: to.round, nonce: record.nonce.clone(), kept: false };
        let known = hub.remote.sent(&to.ask);
        if known.is_some_and(|known| known.kept && known.nonce == sent.nonce) {
            let own = id.own.clone();
            self.tell_desk(&id.source, SourceReport::Sent { own });
            return Ok(());
        }
        hub.remote.note_sent(&to.ask, sent);
        let (ask, again) = (Some(id.clone()), attempts > 1);
        hub.tell(HubCommand::Answer(OutgoingAnswer { ask, to, record, again }));
        Ok(())
    }

    pub(super) fn on_published(&mut self, ask: AskId, to: &AnswerSubject, end: Publication) {
        let Some(hub) = &mut self.hub else { return };
        let own = ask.own.clone();
        let report = match end {
            Publication::Kept => {
                hub.remote.note_kept(&to.ask);
                SourceReport::Sent { own }
            }
            Publication::Lost => {
                hub.remote.note_lost(&to.ask);
                SourceReport::Overtaken { own }
            }
            Publication::Unknown(why) => {
                SourceReport::NotSent { own, failure: DeliveryFailure::Other(why) }
            }
            Publication::NoKey(why) => {
                hub.remote.note_lost(&to.ask);
                let reason = self.texts.get("hub-no-key");
                hub.no_key = Some(why);
                let failure = DeliveryFailure::Returned(ReturnReason::Refused(reason));
                SourceReport::NotSent { own, failure }
            }
        };
        self.tell_desk(&ask.source, report);
    }

    /// Answers of an earlier run are on their way still: they are known again by their nonces.
    pub(super) fn expect_sent(&mut self) {
        let Some(hub) = &mut self.hub else { return };
        for (_, entry) in self.desk.asks() {
            let AskState::Answering { answer, at, .. } = &entry.state else { continue };
            let Some((subject, record)) = hub.remote.find(&entry.ask.id) else { continue };
            if hub.remote.sent(subject).is_some() || entry.ask.session.api != way(record) {
                continue;
            }
            let to = AnswerSubject { ask: subject.clone(), round: record.round };
            let nonce = nonce((&to, &self.instance), answer, *at);
            hub.remote.note_sent(&to.ask, SentAnswer { round: to.round, nonce, kept: false });
        }
    }

    pub(super) fn tell_desk(&mut self, source: &SourceId, report: SourceReport) {
        self.on_source_report(crate::sources::Report::event(Event::Source(source.clone(), report)));
    }
}

/// What its owner calls it by.
fn seen(entry: &Entry) -> Option<Fingerprint> {
    hub::seen_of(entry.ask.session.api.as_deref()?)
}

/// Made of the same answer it is the same record, also after a restart.
pub(super) fn published_answer(
    (to, from): (&AnswerSubject, &str),
    shown: String,
    (answer, at): (&Answer, Timestamp),
    responder: Option<&Responder>,
) -> AnswerRecord {
    AnswerRecord {
        v: RECORD_VERSION,
        shown,
        answer: serde_json::to_string(answer).unwrap_or_default(),
        nonce: nonce((to, from), answer, at),
        person: responder.and_then(|it| it.person.clone()),
        device: responder.and_then(|it| it.device.clone()).or_else(account::machine),
    }
}

/// By which this Beckon knows it again, and no other one takes it for its own.
fn nonce((to, from): (&AnswerSubject, &str), answer: &Answer, at: Timestamp) -> String {
    let mut hash = Sha256::new();
    let answer = serde_json::to_string(answer).unwrap_or_default();
    for part in [to.subject(), from.to_owned(), answer, at.0.to_string()] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
