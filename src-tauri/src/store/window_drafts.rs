//! The table `window_drafts`: what was begun to be answered in a window. A draft goes when its ask
//! is settled; a window that is killed finds it again.

use anyhow::{Context, Result};
use beckon_core::AskId;
use rusqlite::{Connection, params};
use std::collections::BTreeMap;

pub(super) const CREATE: &str = "
    CREATE TABLE window_drafts (
        source TEXT NOT NULL,
        own    TEXT NOT NULL,
        draft  TEXT NOT NULL,
        PRIMARY KEY (source, own)
    ) STRICT;";

pub(super) fn put(connection: &Connection, ask: &AskId, draft: Option<&str>) -> Result<()> {
    let Some(draft) = draft else {
        return delete(connection, ask);
    };
    connection
        .prepare_cached(
            "INSERT INTO window_drafts (source, own, draft) VALUES (?1, ?2, ?3)
             ON CONFLICT (source, own) DO UPDATE SET draft = excluded.draft",
        )?
        .execute(params![ask.source.0, ask.own, draft])
        .context("Failed to keep what was typed")?;
    Ok(())
}

pub(super) fn delete(connection: &Connection, ask: &AskId) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM window_drafts WHERE source = ?1 AND own = ?2")?
        .execute(params![ask.source.0, ask.own])?;
    Ok(())
}

pub(super) fn all(connection: &Connection) -> Result<BTreeMap<AskId, String>> {
    let mut statement =
        connection.prepare_cached("SELECT source, own, draft FROM window_drafts")?;
    let rows = statement.query_map([], |row| {
        Ok((
            AskId::new(row.get::<_, String>(0)?, row.get::<_, String>(1)?),
            row.get(2)?,
        ))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
