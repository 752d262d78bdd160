//! The table `asks`: one row per ask ever seen, with its state. It is searched only at the start, so
//! it has no index but its keys: each would be one more page in every commit.

use super::PRETEND;
use anyhow::Result;
use beckon_core::{Answer, Ask, AskId, Entry, Memory, State, Surface, Target, Timestamp};
use rusqlite::{Connection, Row, params};

/// An answer that was on its way, and where it was given.
type Given = (Answer, Surface);

pub(super) const CREATE: &str = "
    CREATE TABLE asks (
        serial     INTEGER PRIMARY KEY,
        source     TEXT NOT NULL,
        own        TEXT NOT NULL,
        ask        TEXT NOT NULL,
        state      TEXT NOT NULL,
        asked_at   INTEGER NOT NULL,
        settled_at INTEGER,
        UNIQUE (source, own)
    ) STRICT;";

/// A draft lives as long as its ask is open; reminders and the warning are given once; of an ask that
/// is gone its answer is kept, in case it comes back.
pub(super) const DRAFTS: &str = "
    ALTER TABLE asks ADD COLUMN draft TEXT;
    ALTER TABLE asks ADD COLUMN reminded_at INTEGER;
    ALTER TABLE asks ADD COLUMN warned_at INTEGER;
    ALTER TABLE asks ADD COLUMN given TEXT;
    ALTER TABLE asks ADD COLUMN inquired INTEGER NOT NULL DEFAULT 0;";

pub(super) fn put(connection: &Connection, entry: &Entry) -> Result<()> {
    let settled_at = match &entry.state {
        State::Settled { at, .. } => Some(at.0),
        State::Open | State::Answering { .. } => None,
    };
    let mut statement = connection.prepare_cached(
        "INSERT INTO asks
             (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         ON CONFLICT (source, own) DO UPDATE SET
             serial = excluded.serial, asked_at = excluded.asked_at,
             ask = excluded.ask, state = excluded.state, settled_at = excluded.settled_at,
             draft = excluded.draft, reminded_at = excluded.reminded_at,
             warned_at = excluded.warned_at, given = NULL, inquired = 0",
    )?;
    statement.execute(params![
        i64::try_from(entry.serial)?,
        entry.ask.id.source.0,
        entry.ask.id.own,
        serde_json::to_string(&entry.ask)?,
        serde_json::to_string(&entry.state)?,
        entry.ask.asked_at.0,
        settled_at,
        entry.draft.as_ref().map(serde_json::to_string).transpose()?,
        entry.reminded_at.map(|at| at.0),
        entry.warned_at.map(|at| at.0),
    ])?;
    Ok(())
}

/// Notes what is kept of an ask that is gone, in the row that [`put`] wrote.
pub(super) fn put_gone(
    connection: &Connection,
    ask: &AskId,
    given: Option<&Given>,
    inquired: bool,
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "UPDATE asks SET given = ?3, inquired = ?4 WHERE source = ?1 AND own = ?2",
    )?;
    let given = given.map(serde_json::to_string).transpose()?;
    statement.execute(params![ask.source.0, ask.own, given, inquired])?;
    Ok(())
}

/// What is not settled, and what is but still has a card to be withdrawn.
pub(super) fn open(connection: &Connection) -> Result<Vec<Entry>> {
    let mut statement = connection.prepare(
        "SELECT serial, ask, state, draft, reminded_at, warned_at FROM asks
         WHERE settled_at IS NULL
            OR EXISTS (SELECT 1 FROM cards WHERE cards.source = asks.source AND cards.own = asks.own)
         ORDER BY serial",
    )?;
    let mut rows = statement.query([])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row)?);
    }
    Ok(entries)
}

pub(super) fn settled_since(
    connection: &Connection,
    since: Timestamp,
) -> Result<Vec<(AskId, Memory)>> {
    let mut statement = connection.prepare(
        "SELECT serial, ask, state, draft, reminded_at, warned_at, given, inquired FROM asks
         WHERE settled_at >= ?1",
    )?;
    let mut rows = statement.query([since.0])?;
    let mut memories = Vec::new();
    while let Some(row) = rows.next()? {
        let entry = read(row)?;
        let given: Option<String> = row.get(6)?;
        let inquired: bool = row.get(7)?;
        let Target { serial, fingerprint } = entry.target();
        if let State::Settled { outcome, at } = entry.state {
            let id = entry.ask.id.clone();
            let given = given.map(|given| serde_json::from_str(&given)).transpose()?;
            let ask = inquired.then(|| Box::new(entry.ask));
            memories.push((id, Memory { serial, fingerprint, outcome, at, ask, given }));
        }
    }
    Ok(memories)
}

/// The last so many that have an answer, the newest last.
pub(super) fn latest(connection: &Connection, since: Timestamp, most: usize) -> Result<Vec<Entry>> {
    // Only numbers are sorted; an ask can be long.
    let mut statement = connection.prepare(
        "SELECT serial, ask, state, draft, reminded_at, warned_at FROM asks
         WHERE serial IN (
             SELECT serial FROM asks
             WHERE settled_at >= ?1 AND source <> ?2
                 AND json_extract(state, '$.settled.outcome') <> 'gone'
             ORDER BY settled_at DESC, serial DESC LIMIT ?3)
         ORDER BY settled_at, serial",
    )?;
    let mut rows = statement.query(params![since.0, PRETEND, i64::try_from(most)?])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row)?);
    }
    Ok(entries)
}

pub(super) fn last_serial(connection: &Connection) -> Result<u64> {
    let last: Option<i64> =
        connection.query_row("SELECT max(serial) FROM asks", [], |row| row.get(0))?;
    Ok(u64::try_from(last.unwrap_or(0))?)
}

/// The columns serial, ask, state, draft, reminded_at, warned_at.
fn read(row: &Row<'_>) -> Result<Entry> {
    let text = |column| row.get::<_, String>(column);
    let time = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(Timestamp));
    let ask: Ask = serde_json::from_str(&text(1)?)?;
    let draft: Option<String> = row.get(3)?;
    let mut entry = Entry::new(ask, u64::try_from(row.get::<_, i64>(0)?)?);
    entry.state = serde_json::from_str(&text(2)?)?;
    // One of another shape is begun anew; the ask is worth more.
    entry.draft = draft.and_then(|draft| serde_json::from_str(&draft).ok());
    (entry.reminded_at, entry.warned_at) = (time(4)?, time(5)?);
    Ok(entry)
}
