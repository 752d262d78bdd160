//! The table `serials`: the highest serial that may have been used. It is on the disk before such a
//! serial is seen anywhere. So a power cut, which takes the last rows with it, never leads to a
//! serial that is used twice: buttons carry serials. It has one row.

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension};

pub(super) const CREATE: &str = "
    CREATE TABLE serials (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        reserved INTEGER NOT NULL
    ) STRICT;
    INSERT INTO serials SELECT 1, coalesce(max(serial), 0) FROM asks;";

/// The number of serials that are reserved at once.
const BLOCK: u64 = 1_000;
/// The number of reserved serials below which the next block is reserved. A disk that is full for a
/// while accepts no row, and there must be reserved serials left for that time.
const SPARE: u64 = BLOCK / 2;

/// Returns the highest serial that may have been used.
pub(super) fn reserved(connection: &Connection) -> Result<u64> {
    let reserved: Option<i64> = connection
        .query_row("SELECT reserved FROM serials", [], |row| row.get(0))
        .optional()?;
    let highest: Option<i64> =
        connection.query_row("SELECT max(serial) FROM asks", [], |row| row.get(0))?;
    Ok(u64::try_from(reserved.max(highest).unwrap_or(0))?)
}

/// Returns up to which serial to reserve after that one was given; `None` if enough are reserved.
pub(super) fn wanted(serial: u64, reserved: u64) -> Option<u64> {
    (serial + SPARE > reserved).then_some(serial + BLOCK)
}

/// Reserves serials. They count as reserved once this is on the disk.
pub(super) fn reserve(connection: &Connection, up_to: u64) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO serials (only_row, reserved) VALUES (1, ?1)
         ON CONFLICT (only_row) DO UPDATE SET reserved = excluded.reserved",
    )?;
    statement.execute([i64::try_from(up_to)?])?;
    Ok(())
}
