//! The part of this machine's history that others may read in the log on the hub. Nothing here
//! writes it there.

use crate::hub::{HistoryLine, HistoryLines, HistoryPage};
use crate::store::audit::{self, LoggedLine};
use anyhow::{Context as _, Result};
use beckon_client::wire::{AuditLine, WatchEvent};
use std::path::PathBuf;

/// The number of rows of the history that are read at once.
const PAGE: usize = 200;

/// The audit's lines, of that database.
#[derive(Debug)]
pub(super) struct AuditLines {
    pub(super) database: PathBuf,
    /// The name of this Beckon on the hub.
    pub(super) node: String,
}

impl HistoryLines for AuditLines {
    fn after(&self, row: i64) -> Result<HistoryPage> {
        let page = audit::after(&self.database, &self.node, row, PAGE)?;
        let told = page
            .lines
            .into_iter()
            .filter_map(|(row, line)| told(row, line));
        let lines = told.collect::<Result<_>>()?;
        Ok(HistoryPage {
            history: page.history,
            lines,
            last: page.last,
        })
    }

    fn newest(&self) -> Result<(String, i64)> {
        audit::last_row(&self.database)
    }
}

/// Returns the line that is published. For another machine's ask only events of this machine are
/// published: its own machine publishes the rest. Title and project are left out, since anyone may
/// join the hub later; only the hash of the content says what was asked. Each machine has the
/// titles in its own history.
fn told(row: i64, logged: LoggedLine) -> Option<Result<HistoryLine>> {
    let LoggedLine { line, is_own, ask } = logged;
    if !is_own && !is_done_here(&line) {
        return None;
    }
    let line = AuditLine {
        title: None,
        project: None,
        ..line
    };
    let text = serde_json::to_string(&line).context("Failed to write a line of the log");
    Some(text.map(|text| HistoryLine { row, ask, text }))
}

/// Whether only the machine where the event happened knows of it.
fn is_done_here(line: &AuditLine) -> bool {
    use WatchEvent::{Agreed, Answered, Returned, Shown, Undelivered};
    let done_here = [Agreed, Answered, Returned, Shown, Undelivered];
    line.what
        .known()
        .is_some_and(|what| done_here.contains(&what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(what: WatchEvent, is_own: bool) -> Option<AuditLine> {
        let line = AuditLine::new(0, what, "local".into(), "q1".into());
        let (title, project) = (Some("secret".into()), Some("shop".into()));
        let line = AuditLine {
            title,
            project,
            shown: Some("0123".into()),
            ..line
        };
        let told = told(
            7,
            LoggedLine {
                line,
                is_own,
                ask: None,
            },
        )?;
        Some(serde_json::from_str(&told.unwrap().text).unwrap())
    }

    #[test]
    fn only_its_hash_says_what_was_asked() {
        let told = read(WatchEvent::Answered, true).unwrap();
        assert_eq!(
            (told.title, told.project, told.shown),
            (None, None, Some("0123".into()))
        );
    }

    #[test]
    fn only_what_was_done_here_is_published_of_another_machines_ask() {
        assert!(read(WatchEvent::Answered, false).is_some());
        assert!(
            read(WatchEvent::Settled, false).is_none(),
            "its owner tells it"
        );
        assert!(read(WatchEvent::Settled, true).is_some());
    }
}
