//! The table `hub_desk`: the last record of who belongs to a desk, signed by its admin. A hub that
//! shows an older list again, because it was restored or because it lies, brings back nobody who
//! was taken off.

use anyhow::Result;
use beckon_core::hub::DeskRecord;
use rusqlite::{Connection, OptionalExtension, params};

pub(super) const CREATE: &str = "
    CREATE TABLE hub_desk (
        admin    TEXT PRIMARY KEY,
        revision INTEGER NOT NULL,
        record   TEXT NOT NULL
    ) STRICT;";

pub(super) fn put(connection: &Connection, admin: &str, desk: &DeskRecord) -> Result<()> {
    connection.execute(
        "INSERT INTO hub_desk (admin, revision, record) VALUES (?1, ?2, ?3)
         ON CONFLICT (admin) DO UPDATE SET revision = excluded.revision, record = excluded.record
         WHERE excluded.revision > revision",
        params![
            admin,
            i64::try_from(desk.revision)?,
            serde_json::to_string(desk)?
        ],
    )?;
    Ok(())
}

pub(super) fn read(connection: &Connection, admin: &str) -> Result<Option<DeskRecord>> {
    let mut statement = connection.prepare("SELECT record FROM hub_desk WHERE admin = ?1")?;
    let record: Option<String> = statement.query_row([admin], |row| row.get(0)).optional()?;
    Ok(record
        .map(|record| serde_json::from_str(&record))
        .transpose()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_list_does_not_come_back() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(CREATE).unwrap();
        let of = |revision| DeskRecord {
            v: 1,
            revision,
            ..DeskRecord::default()
        };
        for revision in [2, 1, 2] {
            put(&connection, "key", &of(revision)).unwrap();
            assert_eq!(read(&connection, "key").unwrap(), Some(of(2)));
        }
    }
}
