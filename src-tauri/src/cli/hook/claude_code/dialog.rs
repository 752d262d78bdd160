//! The dialog in Claude Code's terminal, as far as its register of sessions tells: an entry says
//! `waiting` while a dialog waits for its human.

use super::proof::TerminalSight;
use super::register::{RegisterEntry, RunningClaude, read};
use crate::platform::processes;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// The pause between two looks whether the dialog is still shown. After an answer in the terminal
/// the other cards are to be gone within two seconds.
const LOOK: Duration = Duration::from_millis(250);
/// The pause between two looks whether Claude Code is still there.
const LOOK_AT_CLAUDE: Duration = Duration::from_secs(2);

/// The dialog of one session's main thread.
#[derive(Debug)]
pub(super) struct SessionDialog {
    file: PathBuf,
    pid: u32,
    /// Since when the session worked, in Claude Code's own time, when it was looked at first.
    worked: Option<i64>,
    /// The time since which it is shown, by the same clock; set when it was seen first.
    stood: OnceLock<i64>,
}

impl SessionDialog {
    /// Returns the dialog of that session; `None` when the register does not know the session.
    pub(super) fn of(claude: &RunningClaude) -> Option<Self> {
        let (entry, file) = claude.entry.as_ref()?;
        let dialog = Self {
            file: file.clone(),
            pid: entry.pid,
            worked: entry.works_since(),
            stood: OnceLock::new(),
        };
        dialog.look(entry);
        Some(dialog)
    }

    /// Returns the register's file of the session.
    pub(super) fn file(&self) -> PathBuf {
        self.file.clone()
    }

    /// Returns since when it is shown; `None` when it was never seen.
    pub(super) fn stands_since(&self) -> Option<i64> {
        self.stood.get().copied()
    }

    /// Whether the dialog was shown and no longer is: it was answered in the terminal.
    pub(super) fn is_gone(&self) -> bool {
        read(&self.file).is_some_and(|entry| self.look(&entry))
    }

    /// Whether it is shown now.
    pub(super) fn stands(&self) -> bool {
        !self.is_gone() && self.stood.get().is_some()
    }

    /// Waits until it is shown.
    pub(super) async fn comes(&self) {
        while !self.stands() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Ends when it is gone: at two looks, since of several dialogs each follows the one before.
    pub(super) async fn gone(&self) {
        let mut gone = 0;
        while gone < 2 {
            gone = if self.is_gone() { gone + 1 } else { 0 };
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Ends when Claude Code has.
    pub(super) async fn left(&self) {
        while self.lives() {
            tokio::time::sleep(LOOK_AT_CLAUDE).await;
        }
    }

    /// Whether Claude Code still runs.
    pub(super) fn lives(&self) -> bool {
        processes::is_running(self.pid)
    }

    fn look(&self, entry: &RegisterEntry) -> bool {
        if entry.waits() {
            self.stood.get_or_init(|| entry.status_updated_at);
        }
        !entry.waits() && (self.stood.get().is_some() || self.came_and_went(entry))
    }

    /// Whether the dialog was answered between two looks. The entry's time is set where the state
    /// changes, and nowhere else, so work that began later came after another dialog.
    fn came_and_went(&self, entry: &RegisterEntry) -> bool {
        self.worked
            .is_some_and(|since| entry.status_updated_at > since)
    }
}

/// Whether the dialog that was shown since then has gone, or made way for another. An entry that
/// cannot be read tells nothing: Claude Code may be writing it.
pub(super) fn has_moved_on(file: &Path, since: i64) -> bool {
    read(file).is_some_and(|entry| !entry.waits() || entry.status_updated_at != since)
}

/// Looks what the terminal shows where a dialog was held back.
pub(super) fn look_after_held(file: &Path) -> TerminalSight {
    match read(file) {
        Some(entry) if !processes::is_running(entry.pid) => TerminalSight::Ended,
        Some(entry) if entry.waits() => TerminalSight::StandsAfterHeld,
        Some(_) => TerminalSight::Held,
        None if file.exists() => TerminalSight::Unknown,
        None => TerminalSight::Ended,
    }
}

/// Returns when the Claude Code of that entry was started.
pub(super) fn claude_began(file: &Path) -> Option<SystemTime> {
    processes::of(read(file)?.pid)?.started
}
