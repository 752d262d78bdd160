//! The own history's record of the asks that the log on a hub names: nobody else's words for them
//! are believed, and the log itself has none.

use super::{instance_id, opened};
use anyhow::Result;
use beckon_client::wire::AuditLine;
use beckon_core::Ask;
use beckon_core::hub::{AskSubject, HUB_SOURCE};
use rusqlite::{Connection, OptionalExtension as _};
use std::path::Path;

/// The asks of one history, by what they are called on a hub.
#[derive(Debug)]
pub(crate) struct KnownAsks(Option<Known>);

#[derive(Debug)]
struct Known {
    connection: Connection,
    /// The name of this Beckon on the hub.
    node: String,
    /// The sources of the other machines.
    machines: Vec<String>,
}

impl KnownAsks {
    /// Opens the asks of that database; none where there is no database yet. `named` tells what the
    /// Beckon of a history is called on a hub.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn of(database: &Path, named: impl Fn(&str) -> String) -> Result<Self> {
        if !database.exists() {
            return Ok(Self(None));
        }
        let connection = opened(database)?;
        let node = named(&instance_id::read(&connection)?.unwrap_or_default());
        let machines = machines(&connection)?;
        Ok(Self(Some(Known {
            connection,
            node,
            machines,
        })))
    }

    /// Returns the line with what the ask is about; unchanged if this history does not tell, or if
    /// the line has it already.
    pub(crate) fn complete(&self, line: AuditLine, ask: &AskSubject) -> AuditLine {
        let known = self
            .0
            .as_ref()
            .and_then(|known| known.find(ask).ok().flatten());
        // A history that was put back gives numbers once more: the name alone doesn't tell.
        let shown = line.shown.as_deref().and_then(|shown| shown.parse().ok());
        match known.filter(|known| shown.is_none_or(|shown| known.is_at_owner(shown))) {
            Some(known) if line.title.is_none() => line.about(&known),
            _ => line,
        }
    }
}

impl Known {
    fn find(&self, subject: &AskSubject) -> Result<Option<Ask>> {
        if subject.node == self.node {
            let own = "SELECT ask FROM asks WHERE serial = ?1";
            let own = self
                .connection
                .prepare_cached(own)?
                .query_row([i64::try_from(subject.serial)?], |row| row.get(0));
            return Ok(read(own.optional()?).filter(Ask::is_own));
        }
        let theirs = "SELECT ask FROM asks WHERE source = ?1 AND own = ?2";
        let mut theirs = self.connection.prepare_cached(theirs)?;
        for machine in &self.machines {
            let found = theirs.query_row((machine, subject.own_id()), |row| row.get(0));
            let found = read(found.optional()?);
            if found.as_ref().and_then(AskSubject::of).as_ref() == Some(subject) {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// Parses an ask. `None` if another version wrote it in another shape.
fn read(text: Option<String>) -> Option<Ask> {
    serde_json::from_str(&text?).ok()
}

fn machines(connection: &Connection) -> Result<Vec<String>> {
    let mut statement =
        connection.prepare("SELECT DISTINCT source FROM asks WHERE substr(source, 1, ?1) = ?2")?;
    let length = i64::try_from(HUB_SOURCE.len())?;
    let rows = statement.query_map((length, HUB_SOURCE), |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
