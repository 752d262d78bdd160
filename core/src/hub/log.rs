//! The log on the hub, with a record of each thing that happened to an ask. The machine where it
//! happened writes it, in that order. Records are numbered, so that a reader notices if one is left
//! out or told twice.
//!
//! Not here: what a record says of it (a line of the audit), and where it is written and read.

use super::AskSubject;
use super::record::{DESK, is_node, known_or_default};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A record of something that happened to an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogRecord {
    /// [`super::RECORD_VERSION`]
    pub v: u32,
    /// The machine where it happened, for people.
    pub machine: String,
    /// The number among the records of that machine: 1, 2, 3 and so on.
    pub number: u64,
    /// The hub's number of the record before it under its subject, 0 for none. A copy of the record
    /// at another place is recognized by it.
    pub behind: u64,
    /// The place in the machine's own history.
    pub place: LogPlace,
    /// The ask to which it happened, by its name on the hub, so that it is the same in the records
    /// of several machines. `None` if the ask is on no hub, or is not known any more.
    #[serde(
        default,
        deserialize_with = "known_or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub ask: Option<AskSubject>,
    /// The event, as a line of the audit; opaque here. `None` in a record that only says from where
    /// on the next ones tell: the first, and one after the machine was on another hub or on none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// The place up to which a history was written to the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPlace {
    /// The name of the history, which no other history has.
    pub history: String,
    /// The last row that was written.
    pub row: i64,
}

impl LogRecord {
    /// Returns the number that follows that record's, or 1 for the first.
    pub fn number_after(last: Option<&Self>) -> u64 {
        last.map_or(1, |last| last.number.saturating_add(1))
    }
}

impl LogPlace {
    /// Returns the last row of that history that is in the log, if this is the place of the last
    /// record. For another history, which has taken the place of the former one, that is 0: all of
    /// it is news.
    pub fn row_in(&self, history: &str) -> i64 {
        if self.history == history { self.row } else { 0 }
    }
}

/// The subject of a machine's log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogSubject {
    /// The machine's name among Beckons.
    pub node: String,
}

impl LogSubject {
    /// Returns the subject as the hub writes it.
    pub fn subject(&self) -> String {
        format!("bk.log.{DESK}.{}", self.node)
    }

    /// Parses a subject; `None` for any that is not written like ours.
    pub fn parse(subject: &str) -> Option<Self> {
        let node = subject
            .strip_prefix("bk.log.")?
            .strip_prefix(DESK)?
            .strip_prefix('.')?;
        is_node(node).then(|| Self {
            node: node.to_owned(),
        })
    }

    /// Returns the subject of all logs.
    pub fn every() -> String {
        format!("bk.log.{DESK}.>")
    }
}

/// A reader of the logs, with the last number of each writer. Each device is counted for itself, so
/// that none disturbs another's numbers.
#[derive(Clone, Debug, Default)]
pub struct LogReader {
    last: BTreeMap<(String, String), u64>,
}

/// The fault of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFault {
    /// A record that cannot be read: of another version, or no record.
    Unreadable,
    /// A record that no device trusted here has signed for this place, or one that is not trusted
    /// any more.
    Unsigned,
    /// A proven record, before which a record of its device is missing.
    Gap,
    /// A proven record that was read before.
    Again,
}

impl LogStep {
    /// Returns the fault of a record at that step, if it is one.
    pub fn fault(self) -> Option<LogFault> {
        match self {
            Self::Next => None,
            Self::Gap => Some(LogFault::Gap),
            Self::Again => Some(LogFault::Again),
        }
    }
}

/// The step from the last record of a writer to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogStep {
    /// The record follows, or is the first that was read.
    Next,
    /// A record between them is missing.
    Gap,
    /// The record was read before, or is older than the last.
    Again,
}

impl LogReader {
    /// Notes a record that was read from that machine's log and was signed by that device. Returns
    /// the step from the last one.
    pub fn read(&mut self, from: &LogSubject, device: &str, number: u64) -> LogStep {
        let writer = (from.node.clone(), device.to_owned());
        let last = self.last.get(&writer).copied();
        if last.is_some_and(|last| number <= last) {
            return LogStep::Again;
        }
        self.last.insert(writer, number);
        match last {
            Some(last) if number != last + 1 => LogStep::Gap,
            _ => LogStep::Next,
        }
    }
}
