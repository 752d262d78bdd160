//! The table `rounds`: the number of used rounds of each shared ask. An answer of a used round is
//! never taken again, whatever the hub still holds. It stays empty without a hub.

use anyhow::Result;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

pub(super) const CREATE: &str = "
    CREATE TABLE rounds (
        serial INTEGER PRIMARY KEY,
        used   INTEGER NOT NULL
    ) STRICT;";

pub(super) fn put(connection: &Connection, rounds: &[(u64, u32)]) -> Result<()> {
    for (serial, used) in rounds {
        connection.execute(
            "INSERT INTO rounds (serial, used) VALUES (?1, ?2)
             ON CONFLICT (serial) DO UPDATE SET used = max(used, excluded.used)",
            params![i64::try_from(*serial)?, used],
        )?;
    }
    Ok(())
}

/// Removes the rounds of asks that the history has forgotten, which are never asked again. Row 0
/// belongs to no ask, and stays.
pub(super) fn prune(connection: &Connection) -> Result<()> {
    connection.execute(
        "DELETE FROM rounds WHERE serial <> 0
             AND NOT EXISTS (SELECT 1 FROM asks WHERE asks.serial = rounds.serial)",
        [],
    )?;
    Ok(())
}

pub(super) fn read(connection: &Connection) -> Result<BTreeMap<u64, u32>> {
    let mut statement = connection.prepare("SELECT serial, used FROM rounds")?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
    rows.map(|row| {
        let (serial, used) = row?;
        Ok((u64::try_from(serial)?, used))
    })
    .collect()
}
