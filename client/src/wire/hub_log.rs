//! A line of `audit --hub --jsonl`: what the hub's log has, and what of it is proven.

use super::audit::AuditLine;
use super::codes::WireWord;
use beckon_core::hub::LogFault;
use serde::{Deserialize, Serialize};

/// One record of the log. Without a fault, it is as its device has signed it, and none before it is
/// missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubLogEntry {
    /// Its number on the hub.
    pub sequence: u64,
    /// Its number among those of its machine.
    pub number: Option<u64>,
    /// The machine where it happened, as it calls itself.
    pub machine: Option<String>,
    /// The device that has signed it, as it is called here.
    pub device: Option<String>,
    /// What is the matter with it.
    pub fault: Option<WireWord<LogFault>>,
    /// Which ask, by the machine that was asked and its number there: the same in the records of all
    /// machines.
    pub ask: Option<String>,
    /// What happened, with a title where the history of this machine has one; `null`: the machine began to write, or to write again after it had left.
    pub line: Option<AuditLine>,
}
