//! The lines of `audit --hub --jsonl`: what is in the hub's log, and what of it is proven.

use super::audit::AuditLine;
use super::codes::WireWord;
use beckon_core::hub::LogFault;
use serde::{Deserialize, Serialize};

/// A record of the log. Without a fault, it is as its device has signed it, and no record before it
/// is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubLogEntry {
    /// The number of the record on the hub.
    pub sequence: u64,
    /// The number of the record among those of its machine.
    pub number: Option<u64>,
    /// The machine where it happened, by its own name.
    pub machine: Option<String>,
    /// The device that has signed it, by its name here.
    pub device: Option<String>,
    /// The fault of the record, if there is one.
    pub fault: Option<WireWord<LogFault>>,
    /// The ask, by the machine that was asked and its number there: the same in the records of all
    /// machines.
    pub ask: Option<String>,
    /// The event, with a title if the history of this machine has one. `null` if the machine began
    /// to write, or to write again after it had left.
    pub line: Option<AuditLine>,
}
