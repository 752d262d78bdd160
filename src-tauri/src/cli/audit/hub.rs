//! `beckon audit --hub`: what all machines have written to the hub's log, in the hub's order, with the
//! device that stands for each record and what of it is not proven.

use super::{AuditArguments, text};
use crate::cli::hub::{faults, settings};
use crate::cli::{CommandContext, CommandResult, fail, say, say_json_text};
use crate::hub::log::reading::{self, ReadRecord};
use beckon_client::platform::clock;
use beckon_client::text::Value;
use beckon_client::wire::{HubLogEntry, LogFault};
use beckon_core::hub;
use beckon_core::visible::exact;
use std::process::ExitCode;

/// Programs see by the exit code whether all of it is proven.
pub(super) async fn run(context: &CommandContext, arguments: &AuditArguments) -> CommandResult {
    let hub = settings::joined(context)?;
    let mut doubtful = 0_usize;
    let print = |record: ReadRecord| {
        let entry = entry(record);
        doubtful += usize::from(entry.fault.is_some());
        match arguments.jsonl {
            true => say_json_text(&serde_json::to_string(&entry).unwrap_or_default()),
            false => say(&line(context, &entry)),
        }
    };
    let read = reading::each(&hub, arguments.since, print).await;
    read.map_err(|fault| faults::said(context, fault))?;
    if doubtful == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let count = [("count", Value::from(doubtful))];
    Ok(fail(&context.texts.with("audit-hub-doubtful", &count), 1))
}

fn entry(ReadRecord { sequence, signed, fault }: ReadRecord) -> HubLogEntry {
    let fault = fault.map(|fault| match fault {
        hub::LogFault::Unreadable => LogFault::Unreadable,
        hub::LogFault::Unsigned => LogFault::Unsigned,
        hub::LogFault::Gap => LogFault::Gap,
        hub::LogFault::Again => LogFault::Again,
    });
    let none = HubLogEntry { sequence, fault: fault.map(Into::into), ..HubLogEntry::default() };
    let Some(signed) = signed else { return none };
    let record = signed.record;
    let line = record.line.as_deref().map(serde_json::from_str).transpose();
    // Signed, and yet not understood: of a later Beckon.
    let fault = if line.is_err() { Some(LogFault::Unreadable.into()) } else { none.fault };
    HubLogEntry {
        sequence,
        number: Some(record.number),
        machine: Some(record.machine),
        device: Some(signed.device),
        fault,
        line: line.unwrap_or_default(),
    }
}

/// What happened, where, by which device; and what is the matter with it.
fn line(context: &CommandContext, entry: &HubLogEntry) -> String {
    let (texts, fault) = (&context.texts, entry.fault.as_ref());
    let what = match &entry.line {
        Some(line) => text(texts, line, &clock::zone()),
        None if fault.is_none() => texts.get("audit-hub-begins"),
        None => texts.with("audit-hub-record", &[("number", Value::from(entry.sequence))]),
    };
    let name = |name: &Option<String>| name.as_deref().map(|it| exact(it).text);
    let (machine, device) = (name(&entry.machine), name(&entry.device));
    let device = device.filter(|device| machine.as_ref() != Some(device));
    let fault = fault.map(|fault| texts.get(&format!("audit-hub-{fault}")));
    [Some(what), machine, device, fault].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
