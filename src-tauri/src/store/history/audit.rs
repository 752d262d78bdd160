//! The audit: what happened to each ask, in order, read over a connection of its own, also while no
//! Beckon runs. Nothing is written, and nothing is brought to another schema.

use crate::store::receipts::ReceiptDetail;
use crate::store::{MIGRATIONS, PRETEND, asks, opening};
use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::wire::{AnsweredBy, AuditLine, OutcomeKind, WatchEvent};
use beckon_core::{Ask, Timestamp};
use rusqlite::{Connection, OpenFlags, Row};
use serde::Deserialize;
use std::path::Path;

/// The migrations after which receipts have details.
const DETAILED: usize = 23;

/// In the order of time; of one moment, as they came.
const DETAILS: &str = "
    SELECT receipts.at, receipts.what, receipts.source, receipts.own, asks.ask,
           receipts.shown, receipts.responder, receipts.detail
    FROM receipts LEFT JOIN asks
        ON asks.source = receipts.source AND asks.own = receipts.own
           AND asks.serial = receipts.serial
    WHERE receipts.at >= ?1 AND receipts.source <> ?2 ORDER BY receipts.at, receipts.id";

/// The same of an older Beckon's database, which no newer one has opened yet.
const PLAIN: &str = "
    SELECT at, what, source, own, NULL, NULL, NULL, NULL
    FROM receipts WHERE at >= ?1 AND source <> ?2 ORDER BY at, id";

/// Calls `take` for each thing that happened since then, in the order of time, until it says no. One
/// that cannot be understood is left out.
///
/// # Errors
/// When the database was written by a newer Beckon or cannot be read.
pub(crate) fn each(
    database: &Path,
    since: Timestamp,
    mut take: impl FnMut(AuditLine) -> bool,
) -> Result<()> {
    if !database.exists() {
        // Nothing has happened yet.
        return Ok(());
    }
    let connection = opening::connect_again(database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .context("Failed to open the database")?;
    let mut statement = connection.prepare(query(&connection, database)?)?;
    let mut rows = statement.query((since.0, PRETEND))?;
    while let Some(row) = rows.next()? {
        if let Some(line) = line(row)?
            && !take(line)
        {
            break;
        }
    }
    Ok(())
}

fn query(connection: &Connection, database: &Path) -> Result<&'static str> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match usize::try_from(version).unwrap_or_default() {
        newer if newer > MIGRATIONS.len() => {
            let known = MIGRATIONS.len();
            Err(SystemFailure::Newer { file: database.into(), found: version, known }.into())
        }
        version if version >= DETAILED => Ok(DETAILS),
        _ => Ok(PLAIN),
    }
}

fn line(row: &Row<'_>) -> rusqlite::Result<Option<AuditLine>> {
    let text = |column| row.get::<_, Option<String>>(column);
    let Ok(what) = word(&row.get::<_, String>(1)?) else { return Ok(None) };
    let detail: Option<ReceiptDetail> = text(7)?.and_then(|it| serde_json::from_str(&it).ok());
    let detail = detail.unwrap_or_default();
    let what = match (what, detail.outcome) {
        // As `watch` tells it: the proof that the agent has our answer.
        (WatchEvent::Settled, Some(OutcomeKind::Answered)) => WatchEvent::Taken,
        (what, _) => what,
    };
    let line = AuditLine::new(row.get(0)?, what, row.get(2)?, row.get(3)?);
    let ask: Option<Ask> = text(4)?.and_then(|ask| serde_json::from_str(&ask).ok());
    let line = match &ask {
        Some(ask) => line.about(ask),
        None => line,
    };
    let responder = text(6)?.and_then(|text| asks::responder(&text));
    Ok(Some(AuditLine {
        shown: text(5)?,
        on: detail.channel.map(Into::into),
        by: detail.by.map(Into::into),
        responder: responder.as_ref().map(AnsweredBy::from),
        ending: detail.ending.map(Into::into),
        outcome: detail.outcome.map(Into::into),
        returned: detail.returned.map(Into::into),
        ..line
    }))
}

fn word(text: &str) -> serde_json::Result<WatchEvent> {
    WatchEvent::deserialize(serde_json::Value::from(text))
}

#[cfg(test)]
mod tests;
