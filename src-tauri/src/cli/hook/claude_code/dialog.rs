//! What stands in Claude Code's terminal, as far as its register of sessions tells: a small file per
//! process in `~/.claude/sessions`, which says `waiting` while a dialog waits for its human. It is
//! nowhere documented (seen in 2.1.197 to 2.1.330), so what it does not say means nothing: without
//! it, or in another form, the events of the session have to do.

use crate::integrations::claude_home;
use crate::platform::processes;
use beckon_client::json;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// So often it is looked whether the dialog still stands: answered there, the other cards are gone
/// within two seconds.
const LOOK: Duration = Duration::from_millis(250);
/// So often it is looked whether Claude Code is still there.
const LOOK_AT_CLAUDE: Duration = Duration::from_secs(2);

/// An entry of the register.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RegisterEntry {
    pid: u32,
    session_id: String,
    #[serde(default)]
    status: RegisterStatus,
    #[serde(default)]
    status_updated_at: i64,
}

/// What the session does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RegisterStatus {
    /// It shows a dialog.
    Waiting,
    /// It works.
    Busy,
    /// `idle`, and whatever else.
    #[default]
    #[serde(other)]
    Other,
}

impl RegisterEntry {
    fn waits(&self) -> bool {
        self.status == RegisterStatus::Waiting
    }

    fn works_since(&self) -> Option<i64> {
        (self.status == RegisterStatus::Busy).then_some(self.status_updated_at)
    }
}

/// The dialog of one session's main thread.
#[derive(Debug)]
pub(super) struct SessionDialog {
    file: PathBuf,
    pid: u32,
    /// Since when the session worked, in Claude Code's own time, when it was looked at first.
    worked: Option<i64>,
    /// Since when it stands, in the same time; set when it was seen first.
    stood: OnceLock<i64>,
}

impl SessionDialog {
    /// `None` when the register does not know that session.
    pub(super) fn of(session: &str) -> Option<Self> {
        let folder = claude_home::folder().ok()?.join("sessions");
        let files = std::fs::read_dir(folder)
            .ok()?
            .filter_map(|file| Some(file.ok()?.path()));
        let known = files.filter_map(|file| Some((read(&file)?, file)));
        // One that was killed leaves its entry behind.
        let mut its = known
            .filter(|(entry, _)| entry.session_id == session && processes::is_running(entry.pid));
        let (entry, file) = its.next()?;
        let worked = entry.works_since();
        let dialog = Self {
            file,
            pid: entry.pid,
            worked,
            stood: OnceLock::new(),
        };
        dialog.look(&entry);
        Some(dialog)
    }

    /// Where the register keeps the session.
    pub(super) fn file(&self) -> PathBuf {
        self.file.clone()
    }

    /// Since when it stands; `None` when it was never seen.
    pub(super) fn stands_since(&self) -> Option<i64> {
        self.stood.get().copied()
    }

    /// It stood, and does no more: somebody has answered in the terminal.
    pub(super) fn is_gone(&self) -> bool {
        read(&self.file).is_some_and(|entry| self.look(&entry))
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

    /// Does Claude Code still run?
    pub(super) fn lives(&self) -> bool {
        processes::is_running(self.pid)
    }

    fn look(&self, entry: &RegisterEntry) -> bool {
        if entry.waits() {
            self.stood.get_or_init(|| entry.status_updated_at);
        }
        !entry.waits() && (self.stood.get().is_some() || self.came_and_went(entry))
    }

    /// Was it answered between two looks? Time is stamped where the state changes, and nowhere else,
    /// so work that began later came after something else.
    fn came_and_went(&self, entry: &RegisterEntry) -> bool {
        self.worked
            .is_some_and(|since| entry.status_updated_at > since)
    }
}

/// Has the dialog that stood since then gone, or made way for another? An entry that cannot be read
/// tells nothing: it may be being written.
pub(super) fn has_moved_on(file: &std::path::Path, since: i64) -> bool {
    read(file).is_some_and(|entry| !entry.waits() || entry.status_updated_at != since)
}

/// Does the Claude Code of that entry still run?
pub(super) fn lives(file: &std::path::Path) -> bool {
    read(file).is_some_and(|entry| processes::is_running(entry.pid))
}

fn read(file: &std::path::Path) -> Option<RegisterEntry> {
    let entry = json::read(&std::fs::read(file).ok()?)?;
    let is_whole = !entry.flaws.cut;
    is_whole.then(|| serde_json::from_value(entry.value).ok())?
}
