//! The log of all machines, read by a command: each record with the device that stands for it, and with
//! what about it is not proven.

use crate::hub::fault::HubFault;
use crate::hub::follow::Followed;
use crate::hub::login::WITHIN;
use crate::hub::reaching::Member;
use crate::hub::streams;
use crate::hub::trust::Trust;
use anyhow::Context as _;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::message::Message;
use beckon_client::config::HubConfig;
use beckon_client::wire::{HubLogEntry, LogFault};
use beckon_core::Timestamp;
use beckon_core::hub::{
    LogReader, LogRecord, LogStep, LogSubject, RECORD_VERSION, RecordFault, Signed,
};
use tokio::time::timeout;

/// Calls `take` for each record that the hub has from then on, in its order.
///
/// # Errors
/// When the hub is not reached, does not let this device in, or stops telling.
pub(crate) async fn each(
    config: &HubConfig,
    since: Timestamp,
    mut take: impl FnMut(HubLogEntry),
) -> Result<(), HubFault> {
    let member = Member::reach(config).await?;
    let trust = member.trust().await?;
    let read = async {
        let jetstream = member.hub.jetstream();
        let policy = DeliverPolicy::ByStartTime { start_time: moment(since)? };
        let every = LogSubject::every();
        let begun = Followed::begin_at(&jetstream, streams::LOG, &every, policy);
        let mut log = timeout(WITHIN, begun).await.context("it does not answer")??;
        let mut reader = LogReader::default();
        while !log.is_caught_up() {
            let message = timeout(WITHIN, log.next()).await.context("it stopped telling")??;
            take(entry(&mut reader, &trust, &message));
        }
        Ok(())
    };
    member.hub.unless_forbidden(read).await
}

fn moment(at: Timestamp) -> anyhow::Result<async_nats::datetime::DateTime> {
    let nanos = i128::from(at.0.max(0)) * 1_000_000;
    async_nats::datetime::from_nanos(nanos).ok().context("There is no such time")
}

fn entry(reader: &mut LogReader, trust: &Trust, message: &Message) -> HubLogEntry {
    let sequence = message.info().map_or(0, |info| info.stream_sequence);
    let none = HubLogEntry::numbered(sequence);
    let from = LogSubject::parse(&message.subject).ok_or(RecordFault::Unreadable);
    let read = from.and_then(|from| Ok((trust.open(&message.subject, &message.payload)?, from)));
    match read {
        Ok((Signed { device, record }, from)) => of_record(reader, none, (&from, device, record)),
        Err(RecordFault::Strange) => none.with_fault(LogFault::Unsigned),
        Err(RecordFault::Unreadable) => none.with_fault(LogFault::Unreadable),
    }
}

fn of_record(
    reader: &mut LogReader,
    none: HubLogEntry,
    (from, device, record): (&LogSubject, String, LogRecord),
) -> HubLogEntry {
    let step = reader.read(from, &device, record.number);
    let line = record.line.as_deref().map(serde_json::from_str).transpose();
    let is_readable = record.v == RECORD_VERSION && line.is_ok();
    let fault = match step {
        _ if !is_readable => Some(LogFault::Unreadable),
        LogStep::Next => None,
        LogStep::Gap => Some(LogFault::Gap),
        LogStep::Again => Some(LogFault::Again),
    };
    HubLogEntry {
        number: Some(record.number),
        machine: Some(record.machine),
        device: Some(device),
        fault: fault.map(Into::into),
        line: line.unwrap_or_default(),
        ..none
    }
}
