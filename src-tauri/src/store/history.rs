//! The history: the asks that are over. It is read over a connection of its own, so that the loop
//! never waits for a search.

pub(crate) mod audit;
mod grants;
mod waits;

pub(crate) use grants::GrantRow;
pub(crate) use waits::Wait;

use super::{PRETEND, asks, opening};
use anyhow::{Context, Result};
use beckon_client::wire::{
    AnswerPlace, Ending, HistoryEntry, LateReply, OutcomeKind, Today, WireWord, history_entry,
};
use beckon_core::{Ask, AskId, AskState, Timestamp};
use rusqlite::{Connection, OpenFlags, Row};
use std::path::{Path, PathBuf};

/// A search of the history. A field that is `None` or empty restricts nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct HistoryFilter {
    /// Stands in the title, the project, the agent's name, a question, an answer or a reason; upper and lower case are
    /// one.
    pub text: Option<String>,
    /// The endings whose name in the human's language contains the text: entries with these are
    /// found as well.
    pub named: Vec<Ending>,
    /// The way in which the ask ended; an unknown word matches nothing.
    pub outcome: Option<WireWord<OutcomeKind>>,
    /// The decision.
    pub ending: Option<Ending>,
    /// The place where it was answered; an unknown word matches nothing.
    pub by: Option<WireWord<AnswerPlace>>,
    /// The time before which the ask must have been settled.
    pub before: Option<Timestamp>,
    /// The most entries.
    pub limit: usize,
}

/// The traces of an ask in the database, for the self-test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HistoryRow {
    /// Whether the ask is over.
    pub settled: bool,
    /// The channels that still show the ask.
    pub cards: usize,
}

/// A reader of the history.
#[derive(Clone, Debug)]
pub(crate) struct HistoryReader {
    database: PathBuf,
}

impl HistoryReader {
    /// Reads that database.
    pub(crate) fn of(database: &Path) -> Self {
        Self {
            database: database.into(),
        }
    }

    /// Returns the entries that were found, the newest first, and whether there are more.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn search(&self, query: &HistoryFilter) -> Result<(Vec<HistoryEntry>, bool)> {
        let mut found = Vec::new();
        let before = query.before.map_or(i64::MAX, |at| at.0);
        self.each(before, 0, |entry| {
            if fits(&entry, query) {
                found.push(entry);
            }
            found.len() <= query.limit
        })?;
        let more = found.len() > query.limit;
        found.truncate(query.limit);
        Ok((found, more))
    }

    /// Sums up the answered asks that were settled since `midnight`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn since(&self, midnight: Timestamp) -> Result<Today> {
        let mut waits = Vec::new();
        self.each(i64::MAX, midnight.0, |entry| {
            match entry.outcome.known() {
                Some(OutcomeKind::Answered | OutcomeKind::AnsweredElsewhere) => {
                    waits.push(entry.waited_ms);
                }
                Some(
                    OutcomeKind::DismissedElsewhere | OutcomeKind::Expired | OutcomeKind::Gone,
                )
                | None => {}
            }
            true
        })?;
        Ok(today(waits))
    }

    /// Returns what the database holds of an ask: whether it is over, and its cards.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(crate) fn leftover(&self, ask: &AskId) -> Result<HistoryRow> {
        let connection = self.open()?;
        let name = (&ask.source.0, &ask.own);
        let settled = "SELECT count(*) FROM asks
             WHERE source = ?1 AND own = ?2 AND settled_at IS NOT NULL";
        let settled: i64 = connection.query_row(settled, name, |row| row.get(0))?;
        let cards = "SELECT count(*) FROM cards WHERE source = ?1 AND own = ?2";
        let cards: i64 = connection.query_row(cards, name, |row| row.get(0))?;
        Ok(HistoryRow {
            settled: settled > 0,
            cards: usize::try_from(cards)?,
        })
    }

    /// Calls `take` for each settled ask, the newest first, until it returns false.
    fn each(
        &self,
        before: i64,
        since: i64,
        mut take: impl FnMut(HistoryEntry) -> bool,
    ) -> Result<()> {
        let connection = self.open()?;
        let mut statement = connection.prepare(
            "SELECT ask, state, responder, late, given, answered_at FROM asks
             WHERE settled_at < ?1 AND settled_at >= ?2 AND source <> ?3
             ORDER BY settled_at DESC, serial DESC",
        )?;
        let mut rows = statement.query((before, since, PRETEND))?;
        while let Some(row) = rows.next()? {
            let Some(entry) = entry(row)? else { continue };
            if !take(entry) {
                break;
            }
        }
        Ok(())
    }

    fn open(&self) -> Result<Connection> {
        opening::connect_again(&self.database, OpenFlags::SQLITE_OPEN_READ_ONLY)
            .context("Failed to open the history")
    }
}

/// Reads an entry; `None` if an older Beckon wrote it in another shape.
fn entry(row: &Row<'_>) -> rusqlite::Result<Option<HistoryEntry>> {
    let (ask, state): (String, String) = (row.get(0)?, row.get(1)?);
    let text = |column| row.get::<_, Option<String>>(column);
    let responder = text(2)?.and_then(|text| asks::responder(&text));
    let (late, given) = (text(3)?, text(4)?);
    let late = late.and_then(|text| asks::late(&text));
    let late = late.or_else(|| given.and_then(|text| asks::unproven(&text)));
    let (Ok(ask), Ok(AskState::Settled { outcome, at })) = (
        serde_json::from_str::<Ask>(&ask),
        serde_json::from_str(&state),
    ) else {
        return Ok(None);
    };
    let entry = history_entry(&ask, &outcome, responder.as_ref(), at);
    // The wait of an ask that we answered ends when the answer was given, however long that was on
    // its way.
    let answered_at = row.get::<_, Option<i64>>(5)?.filter(|_| outcome.is_ours());
    let waited_ms = answered_at.map_or(entry.waited_ms, |at| (at - ask.asked_at.0).max(0));
    Ok(Some(HistoryEntry {
        waited_ms,
        late: late.map(|late| LateReply::of(&ask, late)),
        ..entry
    }))
}

fn fits(entry: &HistoryEntry, query: &HistoryFilter) -> bool {
    query
        .outcome
        .as_ref()
        .is_none_or(|outcome| *outcome == entry.outcome)
        && query
            .by
            .as_ref()
            .is_none_or(|by| entry.by.as_ref() == Some(by))
        && query.ending.is_none_or(|ending| ending == entry.ending)
        && query
            .text
            .as_ref()
            .is_none_or(|text| speaks_of(entry, text, &query.named))
}

fn speaks_of(entry: &HistoryEntry, text: &str, named: &[Ending]) -> bool {
    let wanted = text.trim().to_lowercase();
    let texts = [&entry.title, &entry.project]
        .into_iter()
        .chain(&entry.session);
    let mut texts = texts
        .chain(&entry.reason)
        .chain(&entry.agent)
        .chain(&entry.asked)
        .chain(entry.answer.iter().chain(late_answer(entry)).flatten());
    named.contains(&entry.ending) || texts.any(|text| text.to_lowercase().contains(&wanted))
}

fn late_answer(entry: &HistoryEntry) -> &[Vec<String>] {
    entry.late.as_ref().map_or(&[], |late| &late.answer)
}

/// Returns the median wait of those that were answered, in milliseconds.
fn today(mut waits: Vec<i64>) -> Today {
    waits.sort_unstable();
    let median = waits.get(waits.len() / 2).copied();
    let answered = u32::try_from(waits.len()).unwrap_or(u32::MAX);
    Today {
        answered,
        waited_median_ms: median.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
