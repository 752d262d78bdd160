//! The command `beckon audit --hub`: what all machines have written to the hub's log, in the hub's
//! order, with the device that has signed each record and what of it is not proven. The titles come
//! from this machine's own history, as far as it has them.

use super::{AuditArguments, text};
use crate::cli::hub::{faults, settings};
use crate::cli::{CommandContext, CommandResult, fail, say, say_json_text};
use crate::hub::log::reading::{self, ReadRecord};
use crate::platform::identity;
use crate::store::audit::KnownAsks;
use beckon_client::connection::ClientError;
use beckon_client::platform::clock;
use beckon_client::text::{Value, words};
use beckon_client::wire::{AuditLine, HubLogEntry};
use beckon_core::hub::{AskSubject, LogFault, LogRecord, Signed};
use beckon_core::visible::exact;
use std::process::ExitCode;

/// Prints the log. Programs see by the exit code whether all of it is proven.
pub(super) async fn run(context: &CommandContext, arguments: &AuditArguments) -> CommandResult {
    let hub = settings::joined(context)?;
    let unread = |error| ClientError::Said(words::failure(&context.texts, &error));
    let named = |word: &str| identity::bound(word, context.paths.home());
    let known = KnownAsks::of(&context.paths.database, named).map_err(unread)?;
    let mut doubtful = 0_usize;
    let print = |record: ReadRecord| {
        let ask = record
            .signed
            .as_ref()
            .and_then(|signed| signed.record.ask.clone());
        let entry = entry(record, &known);
        doubtful += usize::from(entry.fault.is_some());
        if arguments.jsonl {
            say_json_text(&serde_json::to_string(&entry).unwrap_or_default())
        } else {
            say(&line(context, &entry, ask.as_ref()))
        }
    };
    let known_desk = settings::known_desk(context, &hub).await;
    let read = reading::each(&hub, arguments.since, known_desk, print).await;
    let newest = read.map_err(|fault| faults::said(context, fault))?;
    settings::warn_of_older(context, &newest);
    if doubtful == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    let count = [("count", Value::from(doubtful))];
    Ok(fail(&context.texts.with("audit-hub-doubtful", &count), 1))
}

fn entry(
    ReadRecord {
        sequence,
        signed,
        fault,
    }: ReadRecord,
    known: &KnownAsks,
) -> HubLogEntry {
    let none = HubLogEntry {
        sequence,
        fault: fault.map(Into::into),
        ..HubLogEntry::default()
    };
    let Some(Signed { device, record }) = signed else {
        return none;
    };
    let line = told(&record, known);
    // A signed record that is not understood is of a later Beckon.
    let fault = if line.is_err() {
        Some(LogFault::Unreadable.into())
    } else {
        none.fault
    };
    HubLogEntry {
        sequence,
        number: Some(record.number),
        machine: Some(device.clone()),
        device: Some(device),
        fault,
        ask: record.ask.map(|ask| format!("{}-{}", ask.node, ask.serial)),
        line: line.unwrap_or_default(),
    }
}

fn told(record: &LogRecord, known: &KnownAsks) -> serde_json::Result<Option<AuditLine>> {
    let Some(line) = record.line.as_deref() else {
        return Ok(None);
    };
    let line: AuditLine = serde_json::from_str(line)?;
    Ok(Some(match &record.ask {
        Some(ask) => known.complete(line, ask),
        None => line,
    }))
}

/// Returns the line: what happened, to which ask, where, by which device, and the fault of the
/// record.
fn line(context: &CommandContext, entry: &HubLogEntry, ask: Option<&AskSubject>) -> String {
    let (texts, fault) = (&context.texts, entry.fault.as_ref());
    let what = match &entry.line {
        Some(line) => text(texts, line, &clock::zone()),
        None if fault.is_none() => texts.get("audit-hub-begins"),
        None => texts.with(
            "audit-hub-record",
            &[("number", Value::from(entry.sequence))],
        ),
    };
    let name = |name: &Option<String>| name.as_deref().map(|it| exact(it).text);
    let (machine, device) = (name(&entry.machine), name(&entry.device));
    let device = device.filter(|device| machine.as_ref() != Some(device));
    let fault = fault.map(|fault| texts.get(&format!("audit-hub-{fault}")));
    // The ask is named as the list of another machine names it.
    let ask = ask.map(AskSubject::own_id);
    [Some(what), ask, machine, device, fault]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" · ")
}
