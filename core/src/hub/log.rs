//! The log on the hub: what happened to each ask, a record each, written by the machine where it
//! happened, in that order. Records are numbered, so a reader notices if one is left out or told
//! twice.
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
    /// The place among what that machine has written: 1, 2, 3 and so on.
    pub number: u64,
    /// The hub's number of the record before it under its subject, 0 for none: by that a copy of it
    /// elsewhere is recognized.
    pub behind: u64,
    /// The place in the machine's own history.
    pub place: LogPlace,
    /// The ask to which it happened, as it is called on the hub, so that the records of several
    /// machines are seen to be of one; `None` where it is on no hub, or no more known.
    #[serde(
        default,
        deserialize_with = "known_or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub ask: Option<AskSubject>,
    /// The event, as a line of the audit; opaque here. `None` in a record that only says from where
    /// on the others tell: the first, and one after the machine was elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// The place up to which a history was written to the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPlace {
    /// The history: a word that no other one has.
    pub history: String,
    /// The row up to which it was.
    pub row: i64,
}

impl LogRecord {
    /// Returns the number that follows that record's, or 1 for the first.
    pub fn number_after(last: Option<&Self>) -> u64 {
        last.map_or(1, |last| last.number.saturating_add(1))
    }
}

impl LogPlace {
    /// Returns the row from which on that history goes into the log, where this is the place of the
    /// last record. Another history has taken the place of the one before: all of it is news.
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

/// The reading state of the logs. Each device has a count of its own: no device disturbs another
/// one's numbers.
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
    /// No device that is trusted here (any more) has signed it for this place.
    Unsigned,
    /// A proven record before which something that its device wrote is missing.
    Gap,
    /// A proven record that was told before.
    Again,
}

impl LogStep {
    /// Returns the fault of a record that goes on like that, if there is any.
    pub fn fault(self) -> Option<LogFault> {
        match self {
            Self::Next => None,
            Self::Gap => Some(LogFault::Gap),
            Self::Again => Some(LogFault::Again),
        }
    }
}

/// The way a record goes on from what was read of its writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogStep {
    /// The next record, or the first that was read.
    Next,
    /// Something between is missing.
    Gap,
    /// A record that was read before, or is older than that.
    Again,
}

impl LogReader {
    /// Notes a record that was read, of that machine's log and signed by that device.
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
