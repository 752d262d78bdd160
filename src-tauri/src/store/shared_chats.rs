//! The table `shared_chats`: who may answer by a bot that several machines share, with the marks by which
//! an old record is known as such. It stays empty without a hub.

use anyhow::Result;
use beckon_core::hub::MarkedEntry;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

pub(super) const CREATE: &str = "
    CREATE TABLE shared_chats (
        bot   INTEGER NOT NULL,
        name  TEXT NOT NULL,
        mark  INTEGER NOT NULL,
        value TEXT,
        PRIMARY KEY (bot, name)
    ) STRICT;";

/// An entry of a bot's chats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SharedChatRow {
    /// The bot.
    pub bot: i64,
    /// The entry's name.
    pub name: String,
    /// The value and its mark, as they hold now.
    pub entry: MarkedEntry,
}

pub(super) fn put(connection: &Connection, rows: &[SharedChatRow]) -> Result<()> {
    for SharedChatRow { bot, name, entry } in rows {
        connection.execute(
            "INSERT INTO shared_chats (bot, name, mark, value) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (bot, name) DO UPDATE SET mark = excluded.mark, value = excluded.value",
            params![bot, name, mark(entry.mark), entry.value],
        )?;
    }
    Ok(())
}

pub(super) fn read(connection: &Connection, bot: i64) -> Result<BTreeMap<String, MarkedEntry>> {
    let mut statement =
        connection.prepare("SELECT name, mark, value FROM shared_chats WHERE bot = ?1")?;
    let rows = statement.query_map([bot], |row| {
        let mark = u64::try_from(row.get::<_, i64>(1)?).unwrap_or_default();
        Ok((
            row.get(0)?,
            MarkedEntry {
                mark,
                value: row.get(2)?,
            },
        ))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Converts a mark for SQLite; one beyond the range counts as the highest.
fn mark(mark: u64) -> i64 {
    i64::try_from(mark).unwrap_or(i64::MAX)
}
