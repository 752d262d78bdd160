//! The records that come in over the hub: each is checked against the devices whose records are
//! believed, and goes to the loop or is counted as refused.

use super::connection::HubLink;
use super::rooms::{RecordSize, Room};
use super::trust::Trust;
use super::{HubReport, ReceivedAnswer};
use anyhow::Result;
use async_nats::jetstream::message::Message;
use beckon_core::hub::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, Envelope, HereSubject, RecordFault, Signed,
};
use serde::de::DeserializeOwned;

impl HubLink<'_> {
    pub(super) fn on_ask(&mut self, message: &Message) {
        let read: Option<(AskSubject, Signed<AskRecord>)> =
            self.read_now(message, AskSubject::parse);
        let Some((subject, signed)) = read else {
            return;
        };
        let record = RecordSize {
            subject: &subject,
            is_over: signed.record.is_ended(),
            size: message.payload.len(),
        };
        match self.rooms.take(&signed.device, &record) {
            Room::Given => self.hand_over(HubReport::Shared(subject, signed)),
            Room::Refused => self.tell_left_out(),
            // Nobody here has heard of it before.
            Room::InsteadOf(_) => {}
        }
    }

    /// Tells how many asks are left out of each device.
    pub(super) fn tell_left_out(&mut self) {
        self.hand_over(HubReport::LeftOut(self.rooms.left_out()));
    }

    pub(super) fn on_here(&mut self, message: &Message) {
        if let Some((subject, record)) = self.read_now(message, HereSubject::parse) {
            self.hand_over(HubReport::Here(subject, record));
        }
    }

    /// Hands a record over to the loop. The loop may need time after that: see [`Pace::keep`].
    ///
    /// [`Pace::keep`]: super::pace::Pace::keep
    fn hand_over(&mut self, report: HubReport) {
        self.reports.post(report);
        self.pace.count();
    }

    fn read_now<S, T: DeserializeOwned>(
        &mut self,
        message: &Message,
        parse: fn(&str) -> Option<S>,
    ) -> Option<(S, Signed<T>)> {
        let read = self.read(message, parse).map_err(RecordFault::of_now);
        self.or_refuse(message, read)
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
        &mut self,
        message: &Message,
        read: Result<T, RecordFault>,
    ) -> Option<T> {
        read.map_err(|fault| self.refuse(message, fault)).ok()
    }

    pub(super) fn refuse(&mut self, message: &Message, fault: RecordFault) {
        tracing::debug!(subject = %message.subject, ?fault, "a record on the hub is refused");
        if fault != RecordFault::Former {
            self.hand_over(HubReport::Refused(message.subject.to_string(), fault));
        }
    }

    pub(super) fn on_answer(&mut self, message: &Message) {
        match AnswerSubject::parse(&message.subject) {
            Some(to) => {
                let received = read_answer(&self.trust, to, &message.payload);
                self.hand_over(HubReport::Answered(received));
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
