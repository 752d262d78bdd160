//! What of this machine's history others may read in the log on the hub. Nothing here writes it there.

use crate::hub::{HistoryLines, HistoryPage};
use crate::store::audit::{self, LoggedLine};
use anyhow::{Context as _, Result};
use beckon_client::wire::{AuditLine, WatchEvent};
use std::path::PathBuf;

/// So many rows of the history are read at once.
const PAGE: usize = 200;
/// More letters of what was asked are not told.
const LONGEST_TITLE: usize = 300;

/// The audit's lines, of that database.
#[derive(Debug)]
pub(super) struct AuditLines {
    pub(super) database: PathBuf,
}

impl HistoryLines for AuditLines {
    fn after(&self, row: i64, is_of_several: bool) -> Result<HistoryPage> {
        let page = audit::after(&self.database, row, PAGE)?;
        let told = |(row, line)| Some(told(line, is_of_several)?.map(|line| (row, line)));
        let lines = page.lines.into_iter().filter_map(told).collect::<Result<_>>()?;
        Ok(HistoryPage { history: page.history, lines, last: page.last })
    }

    fn newest(&self) -> Result<(String, i64)> {
        audit::last_row(&self.database)
    }
}

/// What others may read of it. Of another machine's ask, that one tells the rest itself; among several
/// people not everybody may see everything, so there only its hash says what was asked.
fn told(logged: LoggedLine, is_of_several: bool) -> Option<Result<String>> {
    let LoggedLine { line, is_own } = logged;
    if !is_own && !is_done_here(&line) {
        return None;
    }
    let title = line.title.map(|title| title.chars().take(LONGEST_TITLE).collect());
    let (title, project) = if is_of_several { (None, None) } else { (title, line.project) };
    let line = AuditLine { title, project, ..line };
    Some(serde_json::to_string(&line).context("Failed to write a line of the log"))
}

/// What only the machine knows where it was done.
fn is_done_here(line: &AuditLine) -> bool {
    use WatchEvent::{Agreed, Answered, Returned, Shown, Undelivered};
    let done_here = [Agreed, Answered, Returned, Shown, Undelivered];
    line.what.known().is_some_and(|what| done_here.contains(&what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(what: WatchEvent, is_own: bool) -> LoggedLine {
        let line = AuditLine::new(0, what, "local".into(), "q1".into());
        let title = Some("secret".repeat(100));
        let (project, shown) = (Some("shop".into()), Some("0123".into()));
        LoggedLine { line: AuditLine { title, project, shown, ..line }, is_own }
    }

    fn read(line: LoggedLine, is_of_several: bool) -> Option<AuditLine> {
        told(line, is_of_several).map(|text| serde_json::from_str(&text.unwrap()).unwrap())
    }

    #[test]
    fn among_several_people_only_its_hash_says_what_was_asked() {
        let alone = read(line(WatchEvent::Answered, true), false).unwrap();
        assert_eq!(alone.title.unwrap().len(), LONGEST_TITLE);
        let team = read(line(WatchEvent::Answered, true), true).unwrap();
        assert_eq!((team.title, team.project, team.shown), (None, None, Some("0123".into())));
    }

    #[test]
    fn of_another_machines_ask_only_what_was_done_here_is_told() {
        assert!(read(line(WatchEvent::Answered, false), false).is_some());
        assert!(read(line(WatchEvent::Settled, false), false).is_none(), "its owner tells it");
        assert!(read(line(WatchEvent::Settled, true), false).is_some());
    }
}
