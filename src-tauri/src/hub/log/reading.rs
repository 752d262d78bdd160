//! The reader of the log of all machines, for a command: each record with the device that has
//! signed it, and with what about it is not proven.

use crate::hub::fault::HubFault;
use crate::hub::follow::Followed;
use crate::hub::login::WITHIN;
use crate::hub::reaching::{Member, NewestDesk};
use crate::hub::streams;
use crate::hub::trust::Trust;
use anyhow::Context as _;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::message::Message;
use beckon_client::config::HubConfig;
use beckon_core::Timestamp;
use beckon_core::hub::{
    DeskRecord, LogFault, LogReader, LogRecord, LogSubject, RECORD_VERSION, RecordFault, Signed,
};
use tokio::time::timeout;

/// A record as it was read.
#[derive(Debug)]
pub(crate) struct ReadRecord {
    /// The record's number on the hub.
    pub(crate) sequence: u64,
    /// The record, and the device that has signed it; `None` if no believed device has.
    pub(crate) signed: Option<Signed<LogRecord>>,
    /// The fault of the record, if there is one.
    pub(crate) fault: Option<LogFault>,
}

/// Calls `take` for each record that the hub has from then on, in its order. Returns the list by
/// which its writers were believed.
///
/// # Errors
/// When the hub is not reached, does not let this device in, or stops telling.
pub(crate) async fn each(
    config: &HubConfig,
    since: Timestamp,
    known: Option<DeskRecord>,
    mut take: impl FnMut(ReadRecord),
) -> Result<NewestDesk, HubFault> {
    let member = Member::reach(config).await?;
    let newest = member.newest_desk(known).await?;
    let trust = member.trust(newest.desk.as_ref());
    let read = async {
        let jetstream = member.hub.jetstream();
        let policy = DeliverPolicy::ByStartTime {
            start_time: moment(since)?,
        };
        let every = LogSubject::every();
        let begun = Followed::begin_at(&jetstream, streams::LOG, &every, policy);
        let mut log = timeout(WITHIN, begun)
            .await
            .context("it does not answer")??;
        let mut reader = LogReader::default();
        while !log.is_caught_up() {
            let message = timeout(WITHIN, log.next())
                .await
                .context("it stopped telling")??;
            take(entry(&mut reader, &trust, &message));
        }
        Ok(())
    };
    member.hub.unless_forbidden(read).await?;
    Ok(newest)
}

fn moment(at: Timestamp) -> anyhow::Result<async_nats::datetime::DateTime> {
    let nanos = i128::from(at.0.max(0)) * 1_000_000;
    async_nats::datetime::from_nanos(nanos)
        .ok()
        .context("There is no such time")
}

fn entry(reader: &mut LogReader, trust: &Trust, message: &Message) -> ReadRecord {
    let sequence = message.info().map_or(0, |info| info.stream_sequence);
    let from = LogSubject::parse(&message.subject).ok_or(RecordFault::Unreadable);
    let read = from.and_then(|from| {
        let signed: Signed<LogRecord> = trust.open(&message.subject, &message.payload)?;
        Ok((signed, from))
    });
    let (signed, fault) = match read {
        Ok((signed, _)) if signed.record.v != RECORD_VERSION => {
            (Some(signed), Some(LogFault::Unreadable))
        }
        Ok((signed, from)) => {
            let step = reader.read(&from, &signed.device, signed.record.number);
            (Some(signed), step.fault())
        }
        Err(RecordFault::Strange | RecordFault::Former) => (None, Some(LogFault::Unsigned)),
        Err(RecordFault::Unreadable) => (None, Some(LogFault::Unreadable)),
    };
    ReadRecord {
        sequence,
        signed,
        fault,
    }
}
