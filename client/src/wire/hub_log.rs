//! A line of `audit --hub --jsonl`: what the hub's log has, and what of it is proven.

use super::audit::AuditLine;
use super::codes::WireWord;
use beckon_core::hub::LogFault;
use serde::{Deserialize, Serialize};

/// A record of the log. A record without a fault is as its device has signed it, and no record
/// before it is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubLogEntry {
    /// The record's number on the hub.
    pub sequence: u64,
    /// The record's number among those of its machine.
    pub number: Option<u64>,
    /// The machine where it happened, as it calls itself.
    pub machine: Option<String>,
    /// The device that has signed it, as it is called here.
    pub device: Option<String>,
    /// The fault of the record, if there is one.
    pub fault: Option<WireWord<LogFault>>,
    /// The ask, named by the machine that was asked and its number there. The name is the same in
    /// the records of all machines.
    pub ask: Option<String>,
    /// The event, with a title where the history of this machine has one; `null` if the machine
    /// began to write, or to write again after it had left.
    pub line: Option<AuditLine>,
}
