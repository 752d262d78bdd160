//! The waits of agents, and where they were answered: rows for sums, without what was asked.

use super::{HistoryReader, PRETEND};
use anyhow::Result;
use beckon_client::wire::{AnswerPlace, OutcomeKind};
use beckon_core::{AskState, Timestamp};
use rusqlite::Row;

/// Two queries, an index for each: with `OR` SQLite would go through all asks there are.
pub(super) const WAITS: &str = "
    SELECT asked_at, settled_at, state, answered_at FROM asks
        WHERE settled_at >= ?1 AND source <> ?2
    UNION ALL
    SELECT asked_at, settled_at, state, answered_at FROM asks
        WHERE settled_at IS NULL AND source <> ?2";

/// An ask that was waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    /// The beginning of the wait.
    pub asked_at: Timestamp,
    /// The end of the wait: when our answer was given, else when the ask was over; `None` while it
    /// is open.
    pub until: Option<Timestamp>,
    /// Whether the ask was answered, here or elsewhere.
    pub answered: bool,
    /// The place where it was answered, if that is known.
    pub by: Option<AnswerPlace>,
}

impl HistoryReader {
    /// Returns the waits of all asks that are open, or have ended since then.
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
    let answered_at = row.get::<_, Option<i64>>(3)?;
    let outcome = match &state {
        AskState::Settled { outcome, .. } => Some(outcome),
        AskState::Open | AskState::Answering { .. } => None,
    };
    let until = match &state {
        AskState::Open => None,
        AskState::Answering { at, .. } => Some(at.0),
        AskState::Settled { outcome, .. } => {
            answered_at.filter(|_| outcome.is_ours()).or(settled_at)
        }
    };
    let answered = outcome
        .map(OutcomeKind::from)
        .is_some_and(|kind| matches!(kind, OutcomeKind::Answered | OutcomeKind::AnsweredElsewhere));
    Ok(Wait {
        asked_at: Timestamp(asked_at),
        until: until.map(Timestamp),
        answered,
        by: outcome.and_then(AnswerPlace::of).filter(|_| answered),
    })
}
