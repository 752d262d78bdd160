//! The audit: the events of each ask, in order. It is read over a connection of its own, also while
//! no Beckon runs. Nothing is written, and no schema is migrated.

#[cfg(feature = "hub")]
mod known;

#[cfg(feature = "hub")]
pub(crate) use known::KnownAsks;

use crate::store::receipts::ReceiptDetail;
use crate::store::{MIGRATIONS, PRETEND, asks, instance_id, opening};
use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::wire::{AnsweredBy, AuditLine, OutcomeKind, WatchEvent};
use beckon_core::hub::AskSubject;
use beckon_core::{Ask, Timestamp};
use rusqlite::{Connection, OpenFlags, Row};
use serde::Deserialize;
use std::path::Path;

/// The number of migrations after which receipts have details.
const DETAILED: usize = 23;

/// The query for the details of receipts, each with the ask as it was then.
macro_rules! details {
    ($which:literal) => {
        concat!(
            "SELECT receipts.at, receipts.what, receipts.source, receipts.own, asks.ask,
                    receipts.shown, receipts.responder, receipts.detail, receipts.id,
                    receipts.serial
             FROM receipts LEFT JOIN asks
                 ON asks.source = receipts.source AND asks.own = receipts.own
                    AND asks.serial = receipts.serial
             WHERE ",
            $which
        )
    };
}

/// Selects in the order of time; events of one moment in the order in which they were saved.
const DETAILS: &str =
    details!("receipts.at >= ?1 AND receipts.source <> ?2 ORDER BY receipts.at, receipts.id");

/// Selects a limited number of rows after an id, in the order in which they were saved.
const ROWS: &str = details!("receipts.id > ?1 ORDER BY receipts.id LIMIT ?2");

/// Selects like [`DETAILS`] from an older Beckon's database, which no newer one has migrated yet.
const PLAIN: &str = "
    SELECT at, what, source, own, NULL, NULL, NULL, NULL
    FROM receipts WHERE at >= ?1 AND source <> ?2 ORDER BY at, id";

/// Calls `take` for each event since then, in the order of time, until it returns false. An event
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
    let connection = opened(database)?;
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

/// A page of the audit, in the order in which it was saved.
#[derive(Debug)]
pub(crate) struct AuditPage {
    /// The unique id of the history; empty if it has none yet.
    pub history: String,
    /// The lines that can be understood, each with the id of its row.
    pub lines: Vec<(i64, LoggedLine)>,
    /// The last row that was read.
    pub last: i64,
}

/// An event of the audit.
#[derive(Debug)]
pub(crate) struct LoggedLine {
    /// The line of the audit.
    pub line: AuditLine,
    /// Whether the ask's history is here, and not at another Beckon.
    pub is_own: bool,
    /// The ask's subject on a hub, if it may be there.
    pub ask: Option<AskSubject>,
}

/// Reads what happened after that row, at most `most` rows, at the Beckon that is called `node` on
/// a hub.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn after(database: &Path, node: &str, row: i64, most: usize) -> Result<AuditPage> {
    let connection = opened(database)?;
    let history = instance_id::read(&connection)?.unwrap_or_default();
    let mut statement = connection.prepare(ROWS)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut rows = statement.query((row, most))?;
    let mut page = AuditPage {
        history,
        lines: Vec::new(),
        last: row,
    };
    while let Some(row) = rows.next()? {
        page.last = row.get(8)?;
        let is_pretended = row.get::<_, String>(2)? == PRETEND;
        if let Some(line) = line(row)?.filter(|_| !is_pretended) {
            page.lines.push((page.last, logged(row, line, node)?));
        }
    }
    Ok(page)
}

/// Adds to the line what only counts where several machines tell.
fn logged(row: &Row<'_>, line: AuditLine, node: &str) -> rusqlite::Result<LoggedLine> {
    let Some(known) = ask(row)? else {
        return Ok(LoggedLine {
            line,
            is_own: true,
            ask: None,
        });
    };
    let serial: Option<i64> = row.get(9)?;
    let serial = serial.and_then(|serial| u64::try_from(serial).ok());
    let ask = serial.and_then(|serial| AskSubject::named(&known, (node, serial)));
    let shown = line.shown.as_deref().and_then(|shown| shown.parse().ok());
    let shown = shown.and_then(|shown| known.shown_at_owner(shown));
    let line = AuditLine {
        shown: shown.map(|shown| shown.to_string()),
        ..line
    };
    Ok(LoggedLine {
        line,
        is_own: known.is_own(),
        ask,
    })
}

/// Returns the history's name, and its last row.
///
/// # Errors
/// When the database cannot be read.
pub(crate) fn last_row(database: &Path) -> Result<(String, i64)> {
    let connection = opened(database)?;
    let history = instance_id::read(&connection)?.unwrap_or_default();
    let newest = "SELECT coalesce(max(id), 0) FROM receipts";
    Ok((history, connection.query_row(newest, [], |row| row.get(0))?))
}

fn opened(database: &Path) -> Result<Connection> {
    opening::connect_again(database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .context("Failed to open the database")
}

fn query(connection: &Connection, database: &Path) -> Result<&'static str> {
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match usize::try_from(version).unwrap_or_default() {
        newer if newer > MIGRATIONS.len() => {
            let known = MIGRATIONS.len();
            Err(SystemFailure::Newer {
                file: database.into(),
                found: version,
                known,
            }
            .into())
        }
        version if version >= DETAILED => Ok(DETAILS),
        _ => Ok(PLAIN),
    }
}

fn line(row: &Row<'_>) -> rusqlite::Result<Option<AuditLine>> {
    let text = |column| row.get::<_, Option<String>>(column);
    let Ok(what) = word(&row.get::<_, String>(1)?) else {
        return Ok(None);
    };
    let detail: Option<ReceiptDetail> = text(7)?.and_then(|it| serde_json::from_str(&it).ok());
    let detail = detail.unwrap_or_default();
    let what = match (what, detail.outcome) {
        // `watch` uses the same word: the proof that the agent has our answer.
        (WatchEvent::Settled, Some(OutcomeKind::Answered)) => WatchEvent::Taken,
        (what, _) => what,
    };
    let line = AuditLine::new(row.get(0)?, what, row.get(2)?, row.get(3)?);
    let line = match ask(row)? {
        Some(ask) => line.about(&ask),
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

fn ask(row: &Row<'_>) -> rusqlite::Result<Option<Ask>> {
    let text: Option<String> = row.get(4)?;
    Ok(text.and_then(|ask| serde_json::from_str(&ask).ok()))
}

fn word(text: &str) -> serde_json::Result<WatchEvent> {
    WatchEvent::deserialize(serde_json::Value::from(text))
}

#[cfg(test)]
mod tests;
