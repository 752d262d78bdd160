//! Claude Code's register of its sessions: a small file per process in `~/.claude/sessions`. It is
//! not documented (seen in 2.1.197 to 2.1.332), so nothing follows from what it does not say: if it
//! is missing, or has another form, the events of the session have to do.
//!
//! One session may be gone on with in two processes (`claude --resume` in two terminals). Each has
//! an entry of its own, and a hook's is that of the process from which it descends.
//!
//! Not here: what the dialog does that an entry tells of (`dialog.rs`).

use super::ids::ProcessMark;
use crate::integrations::claude_home;
use crate::platform::processes::{self, Ancestor};
use beckon_client::json;
use beckon_client::platform::foreign;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// An entry of the register.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RegisterEntry {
    pub(super) pid: u32,
    pub(super) session_id: String,
    #[serde(default)]
    status: RegisterStatus,
    #[serde(default)]
    pub(super) status_updated_at: i64,
}

/// The state of a session in the register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RegisterStatus {
    /// The session shows a dialog.
    Waiting,
    /// The session works.
    Busy,
    /// `idle`, and whatever else.
    #[default]
    #[serde(other)]
    Other,
}

impl RegisterEntry {
    pub(super) fn waits(&self) -> bool {
        self.status == RegisterStatus::Waiting
    }

    pub(super) fn works_since(&self) -> Option<i64> {
        (self.status == RegisterStatus::Busy).then_some(self.status_updated_at)
    }
}

/// The Claude Code that runs a hook.
#[derive(Debug)]
pub(super) struct RunningClaude {
    /// The register's entry, and its file.
    pub(super) entry: Option<(RegisterEntry, PathBuf)>,
    ancestors: Vec<Ancestor>,
}

impl RunningClaude {
    /// Returns the one from which this process descends, as far as the register knows of it.
    pub(super) fn of(session: &str) -> Self {
        let ancestors = processes::ancestors(std::process::id());
        Self {
            entry: entry_of(session, &ancestors),
            ancestors,
        }
    }

    /// Returns the mark that tells it from others; `None` if no register names it.
    pub(super) fn mark(&self) -> Option<ProcessMark> {
        let (entry, _) = self.entry.as_ref()?;
        let its = self.ancestors.iter().find(|it| it.pid == entry.pid)?;
        Some(ProcessMark::of(its))
    }

    /// Returns the marks that could tell it from others, whichever of the processes above a hook it
    /// is. At its end it may have left the register.
    pub(super) fn possible_marks(&self) -> Vec<ProcessMark> {
        self.ancestors.iter().map(ProcessMark::of).collect()
    }
}

#[cfg(any(test, fuzzing))]
impl RunningClaude {
    pub(super) fn unknown() -> Self {
        Self::unregistered(Vec::new())
    }

    pub(super) fn unregistered(ancestors: Vec<Ancestor>) -> Self {
        Self {
            entry: None,
            ancestors,
        }
    }

    /// Makes one that is the nearest of the processes above a hook.
    #[cfg(test)]
    pub(super) fn registered(process: Ancestor) -> Self {
        let entry = RegisterEntry {
            pid: process.pid,
            session_id: String::new(),
            status: RegisterStatus::Other,
            status_updated_at: 0,
        };
        Self {
            entry: Some((entry, PathBuf::new())),
            ancestors: vec![process],
        }
    }
}

/// Returns the entry of the nearest ancestor. If none has one, it is the only process of the
/// session: the process that started a hook may have ended in between.
fn entry_of(session: &str, ancestors: &[Ancestor]) -> Option<(RegisterEntry, PathBuf)> {
    let folder = claude_home::folder().ok()?.join("sessions");
    let files = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|file| Some(file.ok()?.path()));
    let known = files.filter_map(|file| Some((read(&file)?, file)));
    // A process that was killed leaves its entry behind.
    let mut its: Vec<(RegisterEntry, PathBuf)> = known
        .filter(|(entry, _)| entry.session_id == session && processes::is_running(entry.pid))
        .collect();

    let distance =
        |(entry, _): &(RegisterEntry, PathBuf)| ancestors.iter().position(|it| it.pid == entry.pid);
    its.sort_by_key(|entry| distance(entry).unwrap_or(usize::MAX));
    let is_known = its.len() == 1 || its.first().and_then(distance).is_some();
    is_known.then(|| its.swap_remove(0))
}

/// Reads an entry. A pipe in its place is none, and is not waited for.
pub(super) fn read(file: &Path) -> Option<RegisterEntry> {
    let content = foreign::read(file).ok()??;
    let entry = json::read(&content)?;
    let is_whole = !entry.flaws.hide_something();
    is_whole.then(|| serde_json::from_value(entry.value).ok())?
}
