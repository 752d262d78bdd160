//! The table `seal`: a random word that tells the buttons of this database from those of another.
//! It has one row.

use anyhow::Result;
use rand::Rng;
use rand::distr::Alphanumeric;
use rusqlite::{Connection, OptionalExtension};

pub(super) const CREATE: &str = "
    CREATE TABLE seal (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        word     TEXT NOT NULL
    ) STRICT;";

/// 62^10 words; short, since Telegram gives a button 64 bytes
/// (<https://core.telegram.org/bots/api#inlinekeyboardbutton>).
const LENGTH: usize = 10;

/// Returns the word that was made before, if any.
pub(super) fn read(connection: &Connection) -> Result<Option<String>> {
    Ok(connection
        .query_row("SELECT word FROM seal", [], |row| row.get(0))
        .optional()?)
}

pub(super) fn read_or_create(connection: &Connection) -> Result<String> {
    if let Some(word) = read(connection)? {
        return Ok(word);
    }
    let word: String = rand::rng()
        .sample_iter(Alphanumeric)
        .take(LENGTH)
        .map(char::from)
        .collect();
    connection.execute("INSERT INTO seal (only_row, word) VALUES (1, ?1)", [&word])?;
    Ok(word)
}
