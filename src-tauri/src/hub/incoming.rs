//! The records that come in over the hub: each is checked against the devices whose records are
//! believed, and goes to the loop or is counted as refused.

use super::connection::HubLink;
use super::trust::Trust;
use super::{HubReport, ReceivedAnswer};
use anyhow::Result;
use async_nats::jetstream::message::Message;
use beckon_core::hub::{
    AnswerRecord, AnswerSubject, AskSubject, Envelope, HereSubject, RecordFault, Signed,
};
use serde::de::DeserializeOwned;

impl HubLink<'_> {
    pub(super) fn on_ask(&self, message: &Message) {
        if let Some((subject, record)) = self.read_now(message, AskSubject::parse) {
            self.reports.post(HubReport::Shared(subject, record));
        }
    }

    pub(super) fn on_here(&self, message: &Message) {
        if let Some((subject, record)) = self.read_now(message, HereSubject::parse) {
            self.reports.post(HubReport::Here(subject, record));
        }
    }

    fn read_now<S, T: DeserializeOwned>(
        &self,
        message: &Message,
        parse: fn(&str) -> Option<S>,
    ) -> Option<(S, Signed<T>)> {
        self.or_refuse(
            message,
            self.read(message, parse).map_err(RecordFault::of_now),
        )
    }

    /// Reads a message, if its subject is one of ours, and it is signed by a device that is
    /// believed.
    pub(super) fn read<S, T: DeserializeOwned>(
        &self,
        message: &Message,
        parse: fn(&str) -> Option<S>,
    ) -> Result<(S, Signed<T>), RecordFault> {
        let subject = parse(&message.subject).ok_or(RecordFault::Unreadable)?;
        Ok((
            subject,
            self.trust.open(&message.subject, &message.payload)?,
        ))
    }

    /// Returns what was read, or counts the message as refused; then it goes no further.
    pub(super) fn or_refuse<T>(
        &self,
        message: &Message,
        read: Result<T, RecordFault>,
    ) -> Option<T> {
        read.map_err(|fault| self.refuse(message, fault)).ok()
    }

    pub(super) fn refuse(&self, message: &Message, fault: RecordFault) {
        tracing::debug!(subject = %message.subject, ?fault, "a record on the hub is refused");
        if fault != RecordFault::Former {
            self.reports
                .post(HubReport::Refused(message.subject.to_string(), fault));
        }
    }

    pub(super) fn on_answer(&self, message: &Message) {
        match AnswerSubject::parse(&message.subject) {
            Some(to) => {
                let received = read_answer(&self.trust, to, &message.payload);
                self.reports.post(HubReport::Answered(received));
            }
            None => self.refuse(message, RecordFault::Unreadable),
        }
    }
}

/// Reads an answer to that round.
pub(super) fn read_answer(trust: &Trust, to: AnswerSubject, payload: &[u8]) -> ReceivedAnswer {
    let envelope = Envelope::read(payload).ok();
    let device = envelope
        .as_ref()
        .and_then(|it| trust.signer(it, &to.subject()));
    let device = device.map(str::to_owned);
    let record = envelope.and_then(|envelope| {
        let record: AnswerRecord = serde_json::from_str(&envelope.body).ok()?;
        let answer = serde_json::from_str(&record.answer).ok()?;
        Some((record, answer))
    });
    ReceivedAnswer { to, record, device }
}
