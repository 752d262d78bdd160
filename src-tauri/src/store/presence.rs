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

/// The column for the time until which holds what the human said; `NULL` if it holds on.
pub(super) const UNTIL: &str = "ALTER TABLE standing ADD COLUMN said_until INTEGER;";

/// The column for the clock's time when the row was written: how long the rest is to hold must not
/// depend on a clock that is set meanwhile.
pub(super) const AT: &str = "ALTER TABLE standing ADD COLUMN at INTEGER;";

/// The row.
#[derive(Debug, Default)]
pub(super) struct Standing {
    pub(super) said: PresenceOverride,
    pub(super) said_until: Option<Timestamp>,
    pub(super) paused_until: Option<Timestamp>,
    /// The time at which the row was written; `None` in an older Beckon's row.
    pub(super) at: Option<Timestamp>,
}

pub(super) fn put(connection: &Connection, row: &Standing) -> Result<()> {
    connection.execute(
        "INSERT INTO standing (only_row, said, said_until, paused_until, at)
         VALUES (1, ?1, ?2, ?3, ?4)
         ON CONFLICT (only_row) DO UPDATE SET
             said = excluded.said, said_until = excluded.said_until,
             paused_until = excluded.paused_until, at = excluded.at",
        params![
            serde_json::to_string(&row.said)?,
            row.said_until.map(|at| at.0),
            row.paused_until.map(|at| at.0),
            row.at.map(|at| at.0)
        ],
    )?;
    Ok(())
}

pub(super) fn read(connection: &Connection) -> Result<Standing> {
    let row = connection
        .query_row(
            "SELECT said, said_until, paused_until, at FROM standing",
            [],
            |row| {
                let said: String = row.get(0)?;
                let time = |column| {
                    row.get::<_, Option<i64>>(column)
                        .map(|at| at.map(Timestamp))
                };
                Ok(Standing {
                    // A word of another version's is no reason not to start.
                    said: serde_json::from_str(&said).unwrap_or_default(),
                    said_until: time(1)?,
                    paused_until: time(2)?,
                    at: time(3)?,
                })
            },
        )
        .optional()?;
    Ok(row.unwrap_or_default())
}
