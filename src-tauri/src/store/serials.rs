//! The table `serials`: up to where numbers of asks may have been used. It is always on the disk
//! before such a number is seen anywhere, so that a power cut, which takes the last rows with it,
//! never leads to a number that is used twice: buttons carry them. One row.

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
/// The next block is reserved when fewer are left: a disk that is full for a while takes in no row,
/// and the numbers given meanwhile must be reserved all the same.
const SPARE: u64 = BLOCK / 2;

/// Returns the highest number that may have been used.
pub(super) fn reserved(connection: &Connection) -> Result<u64> {
    let reserved: Option<i64> = connection
        .query_row("SELECT reserved FROM serials", [], |row| row.get(0))
        .optional()?;
    let highest: Option<i64> =
        connection.query_row("SELECT max(serial) FROM asks", [], |row| row.get(0))?;
    Ok(u64::try_from(reserved.max(highest).unwrap_or(0))?)
}

/// Returns up to where serials are to be reserved when that one is given and the others are
/// reserved already.
pub(super) fn wanted(serial: u64, reserved: u64) -> Option<u64> {
    (serial + SPARE > reserved).then_some(serial + BLOCK)
}

/// Reserves them; they are when this is on the disk.
pub(super) fn reserve(connection: &Connection, up_to: u64) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO serials (only_row, reserved) VALUES (1, ?1)
         ON CONFLICT (only_row) DO UPDATE SET reserved = excluded.reserved",
    )?;
    statement.execute([i64::try_from(up_to)?])?;
    Ok(())
}
