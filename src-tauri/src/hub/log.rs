//! The log on the hub: the lines of this machine's history are written there, each once and in
//! order. The writer goes by the history, so what happened without the hub is written when it is
//! back; and by what the hub has, so nothing is written twice.
//!
//! Not here: which lines go there (`app/hub/log.rs`), and how the records are numbered
//! (`beckon_core::hub`).

pub(crate) mod reading;

use super::connection::HubLine;
use super::follow::Followed;
use super::{HistoryLine, HistoryLines, streams, trust};
use crate::platform::part;
use anyhow::{Context as _, Result};
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::LastRawMessageErrorKind::NoMessageFound;
use beckon_core::hub::{LogPlace, LogRecord, LogSubject, RECORD_VERSION};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

/// How long until a failed write is tried again.
const AGAIN: Duration = Duration::from_secs(15);
/// How long lines are gathered. Nobody waits for the log: everything that happens in that time is
/// read at once.
const DEBOUNCE: Duration = Duration::from_millis(250);

/// The task that writes what happens at this machine.
pub(super) struct LogWriter {
    pub(super) node: String,
    pub(super) machine: String,
    pub(super) history: Arc<dyn HistoryLines>,
    /// The last row of the history that is not for this hub.
    pub(super) told_after: i64,
    /// The signal that the history has new lines.
    pub(super) noted: Arc<Notify>,
    /// The connection, while there is one.
    pub(super) link: watch::Receiver<Option<HubLine>>,
}

/// The record that this machine wrote last.
#[derive(Default)]
struct Written {
    /// The record's number on the hub; 0 if there is none.
    sequence: u64,
    record: Option<LogRecord>,
}

impl LogWriter {
    /// Runs until nobody connects any more.
    pub(super) async fn run(mut self) {
        loop {
            let line = self.link.borrow_and_update().clone();
            let writing = async {
                match &line {
                    Some(line) => self.keep_writing(line).await,
                    None => std::future::pending().await,
                }
            };
            let mut link = self.link.clone();
            tokio::select! {
                changed = link.changed() => if changed.is_err() { return },
                never = writing => match never {},
            }
        }
    }

    /// Writes until it fails, and again. The hub's other uses go on without a log.
    async fn keep_writing(&self, line: &HubLine) -> Infallible {
        loop {
            let Err(error) = self.write(line).await;
            tracing::warn!(
                error = format!("{error:#}"),
                "the log on the hub isn't written"
            );
            sleep(AGAIN).await;
        }
    }

    async fn write(&self, line: &HubLine) -> Result<Infallible> {
        let mut written = self.begun(line).await?;
        let mut row = self.row_after(&written).await?;
        loop {
            let page = self.of_history(move |it| it.after(row)).await?;
            if page.last == row {
                self.noted.notified().await;
                sleep(DEBOUNCE).await;
            }
            row = page.last;
            for told in page.lines {
                let place = LogPlace {
                    history: page.history.clone(),
                    row: told.row,
                };
                written = self.append(line, &written, place, Some(told)).await?;
            }
        }
    }

    /// Returns what the hub has of this machine. If there is nothing, or this machine has been
    /// elsewhere since, a first record is written, and lines are told from its joining on.
    async fn begun(&self, line: &HubLine) -> Result<Written> {
        let written = self.written(line).await?;
        let (history, newest) = self.of_history(|it| it.newest()).await?;
        let row = self.told_after.min(newest);
        match &written.record {
            Some(record) if record.place.row_in(&history) >= row => Ok(written),
            _ => {
                self.append(line, &written, LogPlace { history, row }, None)
                    .await
            }
        }
    }

    async fn written(&self, line: &HubLine) -> Result<Written> {
        let subject = self.subject();
        let stream = line.jetstream.get_stream_no_info(streams::LOG).await;
        let stream = stream.context("Failed to look for the log")?;
        let last = match stream.get_last_raw_message_by_subject(&subject).await {
            Ok(last) => last,
            Err(error) if error.kind() == NoMessageFound => return Ok(Written::default()),
            Err(error) => return Err(error).context("Failed to read the log"),
        };
        if let Some(record) = own_record(line, &subject, &last.payload) {
            let next = stream
                .get_first_raw_message_by_subject(&subject, record.behind + 1)
                .await;
            if next.is_ok_and(|next| next.sequence == last.sequence) {
                return Ok(Written {
                    sequence: last.sequence,
                    record: Some(record),
                });
            }
        }
        self.written_before(line, last.sequence).await
    }

    /// Finds this device's own last record among those before, since the last one is another's, or
    /// of a former key of this device, or a copy.
    async fn written_before(&self, line: &HubLine, sequence: u64) -> Result<Written> {
        let (subject, all) = (self.subject(), DeliverPolicy::All);
        let mut log = Followed::begin_at(&line.jetstream, streams::LOG, &subject, all).await?;
        let mut written = Written {
            sequence,
            record: None,
        };
        while !log.is_caught_up() {
            let message = log.next_held().await?;
            let records =
                written
                    .record
                    .into_iter()
                    .chain(own_record(line, &subject, &message.payload));
            written.record = records.max_by_key(|record| record.number);
        }
        Ok(written)
    }

    async fn row_after(&self, written: &Written) -> Result<i64> {
        let (history, newest) = self.of_history(|it| it.newest()).await?;
        let row = written
            .record
            .as_ref()
            .map_or(0, |record| record.place.row_in(&history));
        // A history that was put back from a backup counts anew from its end.
        Ok(row.min(newest))
    }

    async fn of_history<T: Send + 'static>(
        &self,
        read: impl FnOnce(&dyn HistoryLines) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let history = self.history.clone();
        let read = part::spawn_blocking(move || read(&*history));
        read.await.context("Failed to read the history")?
    }

    /// Appends a record. The hub takes it only behind the last one: if it is unknown whether a
    /// record was written, there is never a second one of it.
    async fn append(
        &self,
        line: &HubLine,
        written: &Written,
        place: LogPlace,
        told: Option<HistoryLine>,
    ) -> Result<Written> {
        let number = LogRecord::number_after(written.record.as_ref());
        let machine = self.machine.clone();
        let behind = written.sequence;
        let (ask, text) = told.map(|told| (told.ask, told.text)).unzip();
        let (v, ask) = (RECORD_VERSION, ask.flatten());
        let record = LogRecord {
            v,
            machine,
            number,
            behind,
            place,
            ask,
            line: text,
        };
        let subject = self.subject();
        let message = PublishMessage::build()
            .payload(super::publishing::sealed(&line.key, &subject, &record)?.into())
            .expected_last_subject_sequence(written.sequence);
        let sent = line.jetstream.send_publish(subject, message).await;
        let taken = sent.context("Failed to send a record")?.await;
        let sequence = taken.context("The hub did not take a record")?.sequence;
        Ok(Written {
            sequence,
            record: Some(record),
        })
    }

    fn subject(&self) -> String {
        LogSubject {
            node: self.node.clone(),
        }
        .subject()
    }
}

fn own_record(line: &HubLine, subject: &str, payload: &[u8]) -> Option<LogRecord> {
    trust::open_of(&line.key.public(), subject, payload).ok()
}
