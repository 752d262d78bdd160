//! What comes in over the hub: each record is held against whose are believed, and goes to the loop or
//! into a count.

use super::connection::HubLink;
use super::follow::Followed;
use super::trust::Trust;
use super::{HubReport, ReceivedAnswer};
use anyhow::Result;
use async_nats::jetstream::message::Message;
use beckon_core::hub::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, Envelope, HereSubject, RecordFault, Signed,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

impl HubLink<'_> {
    /// What stands there.
    pub(super) async fn list(&self, asks: &mut Followed, here: &mut Followed) -> Result<HubReport> {
        let (mut records, mut there) = (BTreeMap::new(), Vec::new());
        while !asks.is_caught_up() {
            let message = asks.next().await?;
            let read: Option<(AskSubject, Signed<AskRecord>)> =
                self.or_refuse(&message, self.read(&message, AskSubject::parse));
            if let Some((subject, mut signed)) = read {
                // It has waited on since it was told.
                let stood = u64::try_from(asks.age_of(&message).as_millis()).unwrap_or(u64::MAX);
                signed.record.waited_ms = signed.record.waited_ms.saturating_add(stood);
                records.insert(subject, signed);
            }
        }
        while !here.is_caught_up() {
            let message = here.next().await?;
            there.extend(self.or_refuse(&message, self.read(&message, HereSubject::parse)));
        }
        Ok(HubReport::Listed {
            asks: records,
            here: there,
        })
    }

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

    /// What is said there, if it is one of ours, and of a device that is believed.
    fn read<S, T: DeserializeOwned>(
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

    /// Anything else is counted and goes no further.
    fn or_refuse<T>(&self, message: &Message, read: Result<T, RecordFault>) -> Option<T> {
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

/// An answer to that round, as it came in.
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
