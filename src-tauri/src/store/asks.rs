//! The table `asks`: one row per ask ever seen, with its state. It is searched only at the start, so
//! it has no index but its keys: each would be one more page in every commit.

use anyhow::Result;
use beckon_core::{Ask, AskId, Entry, Memory, State, Timestamp};
use rusqlite::{Connection, Row, params};

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

pub(super) fn put(connection: &Connection, entry: &Entry) -> Result<()> {
    let settled_at = match &entry.state {
        State::Settled { at, .. } => Some(at.0),
        State::Open | State::Answering { .. } => None,
    };
    let mut statement = connection.prepare_cached(
        "INSERT INTO asks (serial, source, own, ask, state, asked_at, settled_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (source, own) DO UPDATE SET
             ask = excluded.ask, state = excluded.state, settled_at = excluded.settled_at",
    )?;
    statement.execute(params![
        i64::try_from(entry.serial)?,
        entry.ask.id.source.0,
        entry.ask.id.own,
        serde_json::to_string(&entry.ask)?,
        serde_json::to_string(&entry.state)?,
        entry.ask.asked_at.0,
        settled_at,
    ])?;
    Ok(())
}

/// What is not settled, and what is but still has a card to be withdrawn.
pub(super) fn open(connection: &Connection) -> Result<Vec<Entry>> {
    let mut statement = connection.prepare(
        "SELECT serial, ask, state FROM asks
         WHERE settled_at IS NULL
            OR EXISTS (SELECT 1 FROM cards WHERE cards.source = asks.source AND cards.own = asks.own)
         ORDER BY serial",
    )?;
    let rows = statement.query_map([], read)?;
    rows.map(|row| Ok(entry(row?)?.0)).collect()
}

pub(super) fn settled_since(
    connection: &Connection,
    since: Timestamp,
) -> Result<Vec<(AskId, Memory)>> {
    let mut statement =
        connection.prepare("SELECT serial, ask, state FROM asks WHERE settled_at >= ?1")?;
    let rows = statement.query_map([since.0], read)?;
    let mut memories = Vec::new();
    for row in rows {
        let (entry, state) = entry(row?)?;
        if let State::Settled { outcome, at } = state {
            let memory = Memory { serial: entry.serial, outcome, at, ask: None, given: None };
            memories.push((entry.ask.id, memory));
        }
    }
    Ok(memories)
}

pub(super) fn last_serial(connection: &Connection) -> Result<u64> {
    let last: Option<i64> =
        connection.query_row("SELECT max(serial) FROM asks", [], |row| row.get(0))?;
    Ok(u64::try_from(last.unwrap_or(0))?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<(i64, String, String)> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?))
}

fn entry((serial, ask, state): (i64, String, String)) -> Result<(Entry, State)> {
    let ask: Ask = serde_json::from_str(&ask)?;
    let state: State = serde_json::from_str(&state)?;
    let mut entry = Entry::new(ask, u64::try_from(serial)?);
    entry.state = state.clone();
    Ok((entry, state))
}
