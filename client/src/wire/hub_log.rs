//! A line of `audit --hub --jsonl`: what the hub's log has, and what of it is proven.

use super::audit::AuditLine;
use super::codes::WireWord;
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
    /// What happened; `null`: the machine began to write.
    pub line: Option<AuditLine>,
}

/// What is the matter with a record of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFault {
    /// It cannot be read: of another version, or no record.
    Unreadable,
    /// No device that is trusted here (any more) has signed it for this place.
    Unsigned,
    /// It is proven, and something that its device wrote before it is missing.
    Gap,
    /// It is proven, and was told before.
    Again,
}
