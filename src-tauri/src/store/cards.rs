//! The table `cards`: the channels that show each open ask, with the handles by which they find the
//! cards.

use anyhow::Result;
use beckon_core::{AskId, Card, Channel, Entry, LeftoverCard};
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

/// The column for whether the human closed the card, so that a restart does not bring it back.
pub(super) const CLOSED: &str = "ALTER TABLE cards ADD COLUMN closed INTEGER NOT NULL DEFAULT 0;";

/// The column for the number of the card's ask, since the name may be another ask's before the card
/// is gone. Earlier rows have none, and belong to the ask that has the name.
pub(super) const SERIAL: &str = "ALTER TABLE cards ADD COLUMN serial INTEGER;";

pub(super) fn put(connection: &Connection, card: &LeftoverCard, closed: bool) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO cards (source, own, channel, handle, closed, serial)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (source, own, channel) DO UPDATE SET
             handle = excluded.handle, closed = excluded.closed, serial = excluded.serial",
    )?;
    let LeftoverCard {
        ask,
        channel,
        serial,
        handle,
    } = card;
    let serial = serial.map(i64::try_from).transpose()?;
    statement.execute(params![
        ask.source.0,
        ask.own,
        channel.name(),
        handle,
        closed,
        serial
    ])?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, ask: &AskId, channel: Channel) -> Result<()> {
    let mut statement = connection
        .prepare_cached("DELETE FROM cards WHERE source = ?1 AND own = ?2 AND channel = ?3")?;
    statement.execute(params![ask.source.0, ask.own, channel.name()])?;
    Ok(())
}

/// Gives each ask its cards. Returns the leftover ones, whose names are other asks' now.
pub(super) fn fill(connection: &Connection, entries: &mut [Entry]) -> Result<Vec<LeftoverCard>> {
    let places: HashMap<AskId, usize> = entries
        .iter()
        .enumerate()
        .map(|(i, entry)| (entry.ask.id.clone(), i))
        .collect();
    let mut statement =
        connection.prepare("SELECT source, own, channel, handle, closed, serial FROM cards")?;
    let mut rows = statement.query([])?;
    let mut leftover = Vec::new();
    while let Some(row) = rows.next()? {
        let ask = AskId::new(row.get::<_, String>(0)?, row.get::<_, String>(1)?);
        let Some(channel) = Channel::named(&row.get::<_, String>(2)?) else {
            continue;
        };
        let (handle, serial) = (row.get(3)?, row.get::<_, Option<i64>>(5)?);
        let serial = serial.map(u64::try_from).transpose()?;
        let entry = places.get(&ask).map(|&place| &mut entries[place]);
        match entry.filter(|entry| serial.is_none_or(|serial| serial == entry.serial)) {
            Some(entry) => {
                let card = Card {
                    handle,
                    closed: row.get(4)?,
                    ..Card::default()
                };
                entry.cards.insert(channel, card);
            }
            None => leftover.push(LeftoverCard {
                ask,
                channel,
                serial,
                handle,
            }),
        }
    }
    Ok(leftover)
}
