//! The table `standing`: what the human said of their presence, and the pause. One row.

use anyhow::Result;
use beckon_core::{Override, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

pub(super) const CREATE: &str = "
    CREATE TABLE standing (
        only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
        said         TEXT NOT NULL,
        paused_until INTEGER
    ) STRICT;";

pub(super) fn put(
    connection: &Connection,
    said: Override,
    paused_until: Option<Timestamp>,
) -> Result<()> {
    connection.execute(
        "INSERT INTO standing (only_row, said, paused_until) VALUES (1, ?1, ?2)
         ON CONFLICT (only_row) DO UPDATE SET
             said = excluded.said, paused_until = excluded.paused_until",
        params![serde_json::to_string(&said)?, paused_until.map(|at| at.0)],
    )?;
    Ok(())
}

pub(super) fn read(connection: &Connection) -> Result<(Override, Option<Timestamp>)> {
    let row: Option<(String, Option<i64>)> = connection
        .query_row("SELECT said, paused_until FROM standing", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    Ok(match row {
        Some((said, until)) => (serde_json::from_str(&said)?, until.map(Timestamp)),
        None => (Override::Auto, None),
    })
}
