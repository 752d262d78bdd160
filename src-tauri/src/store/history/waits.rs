//! How long agents waited, and where they were answered: rows for sums, without what was asked.

use super::{HistoryReader, PRETEND};
use anyhow::Result;
use beckon_client::wire::{AnswerPlace, OutcomeKind};
use beckon_core::{AskState, Timestamp};
use rusqlite::Row;

/// Two queries, an index for each: with `OR` SQLite would go through all asks there are.
pub(super) const WAITS: &str = "
    SELECT asked_at, settled_at, state FROM asks WHERE settled_at >= ?1 AND source <> ?2
    UNION ALL
    SELECT asked_at, settled_at, state FROM asks WHERE settled_at IS NULL AND source <> ?2";

/// An ask that was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// From then …
    pub asked_at: Timestamp,
    /// … to then; `None`: it is still open.
    pub until: Option<Timestamp>,
    /// Somebody has answered it, here or elsewhere.
    pub answered: bool,
    /// Where, if that is known.
    pub by: Option<AnswerPlace>,
}

impl HistoryReader {
    /// Of all that is open, or has ended since then.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn waits(&self, since: Timestamp) -> Result<Vec<Wait>> {
        let connection = self.open()?;
        let mut statement = connection.prepare(WAITS)?;
        let rows = statement.query_map((since.0, PRETEND), |row| Ok(wait(row)))?;
        // A row of another shape is left out.
        Ok(rows.filter_map(|row| row.ok()?.ok()).collect())
    }
}

fn wait(row: &Row<'_>) -> Result<Wait> {
    let (asked_at, settled_at) = (row.get(0)?, row.get::<_, Option<i64>>(1)?);
    let state: AskState = serde_json::from_str(&row.get::<_, String>(2)?)?;
    let outcome = match &state {
        AskState::Settled { outcome, .. } => Some(outcome),
        AskState::Open | AskState::Answering { .. } => None,
    };
    let answered = outcome
        .map(OutcomeKind::from)
        .is_some_and(|kind| matches!(kind, OutcomeKind::Answered | OutcomeKind::AnsweredElsewhere));
    Ok(Wait {
        asked_at: Timestamp(asked_at),
        until: settled_at.map(Timestamp),
        answered,
        by: outcome.and_then(AnswerPlace::of).filter(|_| answered),
    })
}
