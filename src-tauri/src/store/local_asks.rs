//! The table `asking`: the facts of asks that are made through Beckon itself that the desk does not
//! keep. It is read only at the start.

use crate::sources::local_asks::messages::{AskRecord, AskedContent, RecordChange};
use crate::store::readable::readable;
use anyhow::Result;
use beckon_core::{AskContent, Timestamp};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

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

pub(super) const PROOF: &str = "ALTER TABLE asking ADD COLUMN proof TEXT;";

pub(super) const OVER: &str = "ALTER TABLE asking ADD COLUMN over INTEGER NOT NULL DEFAULT 0;";

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
        "INSERT INTO asking (own, questions, attended, deadline, ended, ended_at, receipts, proof,
                             over)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
         ON CONFLICT (own) DO UPDATE SET
             questions = excluded.questions, deadline = excluded.deadline,
             ended = excluded.ended, ended_at = excluded.ended_at, proof = excluded.proof,
             over = excluded.over",
    )?;
    let ended = record.ended.as_ref();
    statement.execute(params![
        record.own,
        text_of(&record.asked)?,
        record.attended,
        record.deadline.map(|at| at.0),
        ended
            .map(|(end, _)| serde_json::to_string(end))
            .transpose()?,
        ended.map(|(_, at)| at.0),
        record.receipts,
        record.proof,
        record.is_over,
    ])?;
    Ok(())
}

pub(super) fn read(connection: &Connection) -> Result<Vec<AskRecord>> {
    let mut statement = connection.prepare(
        "SELECT own, questions, attended, deadline, ended, ended_at, receipts, proof, over
         FROM asking",
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
        asked: asked_of(&row.get::<_, String>(1)?)?,
        attended: row.get(2)?,
        receipts: row.get(6)?,
        deadline: row.get::<_, Option<i64>>(3)?.map(Timestamp),
        ended: ended.zip(at.map(Timestamp)),
        proof: row.get(7)?,
        is_over: row.get(8)?,
    })
}

/// Returns the hash that is kept instead of the content once an ask is over. An older file has the
/// content.
#[derive(Deserialize, Serialize)]
struct Hashed {
    hash: String,
}

/// Returns the text that is kept. Questions are kept bare, as in files from before there were other
/// kinds.
fn text_of(asked: &AskedContent) -> Result<String> {
    Ok(match asked {
        AskedContent::Hashed(hash) => serde_json::to_string(&Hashed { hash: hash.clone() })?,
        AskedContent::Whole(AskContent::Questions(questions)) => serde_json::to_string(questions)?,
        AskedContent::Whole(kind) => serde_json::to_string(kind)?,
    })
}

fn asked_of(text: &str) -> Result<AskedContent> {
    if let Ok(Hashed { hash }) = serde_json::from_str(text) {
        return Ok(AskedContent::Hashed(hash));
    }
    Ok(AskedContent::Whole(match serde_json::from_str(text) {
        Ok(questions) => AskContent::Questions(questions),
        Err(_) => serde_json::from_str(text)?,
    }))
}
