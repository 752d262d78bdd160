//! The table `asking`: of what was asked through Beckon itself, what the desk does not keep. It is
//! read only at the start.

use crate::sources::local_asks::messages::{AskRecord, RecordChange};
use crate::store::readable::readable;
use anyhow::Result;
use beckon_core::{AskContent, Timestamp};
use rusqlite::{Connection, Row, params};

pub(super) const CREATE: &str = "
    CREATE TABLE asking (
        own       TEXT PRIMARY KEY,
        questions TEXT NOT NULL,
        attended  INTEGER NOT NULL,
        deadline  INTEGER,
        ended     TEXT,
        ended_at  INTEGER
    ) STRICT;";

pub(super) const RECEIPTS: &str =
    "ALTER TABLE asking ADD COLUMN receipts INTEGER NOT NULL DEFAULT 0;";

pub(super) fn put(connection: &Connection, changes: &[RecordChange]) -> Result<()> {
    for change in changes {
        match change {
            RecordChange::Put(record) => put_record(connection, record)?,
            RecordChange::Forget(before) => {
                connection.execute("DELETE FROM asking WHERE ended_at < ?1", [before.0])?;
            }
        }
    }
    Ok(())
}

fn put_record(connection: &Connection, record: &AskRecord) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO asking (own, questions, attended, deadline, ended, ended_at, receipts)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         ON CONFLICT (own) DO UPDATE SET
             deadline = excluded.deadline, ended = excluded.ended, ended_at = excluded.ended_at",
    )?;
    let ended = record.ended.as_ref();
    statement.execute(params![
        record.own,
        text_of(&record.kind)?,
        record.attended,
        record.deadline.map(|at| at.0),
        ended
            .map(|(end, _)| serde_json::to_string(end))
            .transpose()?,
        ended.map(|(_, at)| at.0),
        record.receipts,
    ])?;
    Ok(())
}

pub(super) fn read(connection: &Connection) -> Result<Vec<AskRecord>> {
    let mut statement = connection.prepare(
        "SELECT own, questions, attended, deadline, ended, ended_at, receipts FROM asking",
    )?;
    readable(statement.query([])?, read_record)
}

fn read_record(row: &Row<'_>) -> Result<AskRecord> {
    let ended: Option<String> = row.get(4)?;
    let at: Option<i64> = row.get(5)?;
    let ended = ended
        .map(|ended| serde_json::from_str(&ended))
        .transpose()?;
    Ok(AskRecord {
        own: row.get(0)?,
        kind: kind_of(&row.get::<_, String>(1)?)?,
        attended: row.get(2)?,
        receipts: row.get(6)?,
        deadline: row.get::<_, Option<i64>>(3)?.map(Timestamp),
        ended: ended.zip(at.map(Timestamp)),
    })
}

/// Questions stand there bare, as in files from before anything else could be asked.
fn text_of(kind: &AskContent) -> Result<String> {
    Ok(match kind {
        AskContent::Questions(questions) => serde_json::to_string(questions)?,
        AskContent::Permission(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => {
            serde_json::to_string(kind)?
        }
    })
}

fn kind_of(text: &str) -> Result<AskContent> {
    match serde_json::from_str(text) {
        Ok(questions) => Ok(AskContent::Questions(questions)),
        Err(_) => Ok(serde_json::from_str(text)?),
    }
}
