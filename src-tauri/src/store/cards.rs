//! The table `cards`: where each open ask is shown, and how its channel finds the card again.

use anyhow::Result;
use beckon_core::{AskId, Card, Channel, Entry};
use rusqlite::{Connection, params};
use std::collections::HashMap;

pub(super) const CREATE: &str = "
    CREATE TABLE cards (
        source  TEXT NOT NULL,
        own     TEXT NOT NULL,
        channel TEXT NOT NULL,
        handle  TEXT,
        PRIMARY KEY (source, own, channel)
    ) STRICT, WITHOUT ROWID;";

/// A card that the human closed does not come back by a restart.
pub(super) const CLOSED: &str = "ALTER TABLE cards ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;";

pub(super) fn put(
    connection: &Connection,
    ask: &AskId,
    channel: Channel,
    handle: Option<&str>,
    closed: bool,
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO cards (source, own, channel, handle, closed) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (source, own, channel) DO UPDATE SET
             handle = excluded.handle, closed = excluded.closed",
    )?;
    statement.execute(params![ask.source.0, ask.own, channel.name(), handle, closed])?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, ask: &AskId, channel: Channel) -> Result<()> {
    let mut statement = connection
        .prepare_cached("DELETE FROM cards WHERE source = ?1 AND own = ?2 AND channel = ?3")?;
    statement.execute(params![ask.source.0, ask.own, channel.name()])?;
    Ok(())
}

/// Puts the cards to their asks.
pub(super) fn fill(connection: &Connection, entries: &mut [Entry]) -> Result<()> {
    let places: HashMap<AskId, usize> =
        entries.iter().enumerate().map(|(i, entry)| (entry.ask.id.clone(), i)).collect();
    let mut statement =
        connection.prepare("SELECT source, own, channel, handle, closed FROM cards")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let id = AskId::new(row.get::<_, String>(0)?, row.get::<_, String>(1)?);
        let (Some(&place), Some(channel)) =
            (places.get(&id), Channel::named(&row.get::<_, String>(2)?))
        else {
            continue;
        };
        let card = Card { handle: row.get(3)?, closed: row.get(4)?, ..Card::default() };
        entries[place].cards.insert(channel, card);
    }
    Ok(())
}
