//! The grants for more than once: the permissions that were answered "always" here.

use super::{HistoryReader, PRETEND};
use anyhow::Result;
use beckon_core::{
    Answer, Ask, AskContent, AskState, Grant, Outcome, Permission, Surface, Timestamp,
};
use rusqlite::Row;

/// The number of asks that are read at most; older grants have been over for long.
const MOST: i64 = 1_000;
/// The pattern of "always" in a state as it is written; what else contains it is left out when it
/// is read.
const ALWAYS: &str = "%\"always\"%";

/// A permission that was answered "always", and whose agent has taken it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GrantRow {
    /// The number of the ask.
    pub serial: u64,
    /// The ask that was answered.
    pub ask: Ask,
    /// The permission that was asked for.
    pub permission: Permission,
    /// The place where it was granted.
    pub by: Surface,
    /// The time at which the ask was settled.
    pub at: Timestamp,
}

impl HistoryReader {
    /// Returns the grants since then, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn grants(&self, since: Timestamp) -> Result<Vec<GrantRow>> {
        let connection = self.open()?;
        let mut statement = connection.prepare(
            "SELECT serial, ask, state FROM asks
             WHERE settled_at >= ?1 AND source <> ?2 AND state LIKE ?3
             ORDER BY settled_at DESC, serial DESC LIMIT ?4",
        )?;
        let rows = statement.query_map((since.0, PRETEND, ALWAYS, MOST), |row| Ok(grant(row)))?;
        // A row of another shape is left out.
        Ok(rows.filter_map(|row| row.ok()?.transpose()?.ok()).collect())
    }
}

/// Reads a grant; `None` if the row is something else that had that word in it.
fn grant(row: &Row<'_>) -> Result<Option<GrantRow>> {
    let ask: Ask = serde_json::from_str(&row.get::<_, String>(1)?)?;
    let state: AskState = serde_json::from_str(&row.get::<_, String>(2)?)?;
    let AskState::Settled {
        outcome: Outcome::Answered { answer, by },
        at,
    } = state
    else {
        return Ok(None);
    };
    let AskContent::Permission(permission) = &ask.kind else {
        return Ok(None);
    };
    if answer != Answer::Grant(Grant::Always) {
        return Ok(None);
    }
    let permission = permission.clone();
    let serial = u64::try_from(row.get::<_, i64>(0)?)?;
    Ok(Some(GrantRow {
        serial,
        ask,
        permission,
        by,
        at,
    }))
}
