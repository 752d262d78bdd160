//! The table `standing`: what the human said of their presence, and the pause. One row.

use anyhow::Result;
use beckon_core::{PresenceOverride, Timestamp};
use rusqlite::{Connection, OptionalExtension, params};

pub(super) const CREATE: &str = "
    CREATE TABLE standing (
        only_row     INTEGER PRIMARY KEY CHECK (only_row = 1),
        said         TEXT NOT NULL,
        paused_until INTEGER
    ) STRICT;";

/// What the human said may hold for a while only.
pub(super) const UNTIL: &str = "ALTER TABLE standing ADD COLUMN said_until INTEGER;";

pub(super) fn put(
    connection: &Connection,
    said: PresenceOverride,
    said_until: Option<Timestamp>,
    paused_until: Option<Timestamp>,
) -> Result<()> {
    connection.execute(
        "INSERT INTO standing (only_row, said, said_until, paused_until) VALUES (1, ?1, ?2, ?3)
         ON CONFLICT (only_row) DO UPDATE SET
             said = excluded.said, said_until = excluded.said_until,
             paused_until = excluded.paused_until",
        params![
            serde_json::to_string(&said)?,
            said_until.map(|at| at.0),
            paused_until.map(|at| at.0)
        ],
    )?;
    Ok(())
}

/// What the human said, until when, and the pause.
type PresenceRow = (PresenceOverride, Option<Timestamp>, Option<Timestamp>);

pub(super) fn read(connection: &Connection) -> Result<PresenceRow> {
    let row: Option<(String, Option<i64>, Option<i64>)> = connection
        .query_row("SELECT said, said_until, paused_until FROM standing", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    Ok(match row {
        Some((said, until, paused)) => {
            // A word of another version's is no reason not to start.
            let said = serde_json::from_str(&said).unwrap_or_default();
            (said, until.map(Timestamp), paused.map(Timestamp))
        }
        None => (PresenceOverride::Auto, None, None),
    })
}
