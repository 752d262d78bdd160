//! The file that exists while the human is here: `CLAUDE_CLIENT_PRESENCE_FILE` of Claude Code,
//! which sends no push to the phone while the file exists
//! (<https://code.claude.com/docs/en/env-vars>, read in November 2026; its content does not
//! matter). Scripts may use it too.
//!
//! While it is unknown whether the human is here there is no file, so that no push is held back.
//! Where the system can do that, the file also disappears when the program ends, in whatever way.
//!
//! Not here: when the human counts as away, which is decided in the core.

#[cfg_attr(target_os = "linux", path = "marker/linux.rs")]
#[cfg_attr(windows, path = "marker/windows.rs")]
#[cfg_attr(not(any(target_os = "linux", windows)), path = "marker/plain.rs")]
mod platform;

use beckon_core::{Presence, PresenceOverride, PresenceView};
use std::path::{Path, PathBuf};
use tokio::sync::watch;

/// The variable that names the file, both in Beckon's environment and in Claude Code's.
const VARIABLE: &str = "CLAUDE_CLIENT_PRESENCE_FILE";

/// The keeper of the file.
#[derive(Debug)]
pub(crate) struct PresenceMarker {
    path: PathBuf,
    here: watch::Sender<bool>,
}

impl PresenceMarker {
    /// Keeps the file that the environment names, else the `usual` one. Needs a tokio runtime.
    pub(crate) fn start(usual: PathBuf) -> Self {
        let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        let path = named.map_or(usual, PathBuf::from);
        let (here, told) = watch::channel(false);
        tokio::spawn(keep(path.clone(), told));
        Self { path, here }
    }

    /// Tells the keeper whether the human is here now.
    pub(crate) fn tell(&self, presence: &PresenceView) {
        self.here
            .send_if_modified(|here| std::mem::replace(here, is_here(presence)) != *here);
    }

    /// Removes the file: the program ends, and nothing is known any more.
    pub(crate) fn end(&self) {
        if let Err(error) = remove(&self.path) {
            warn(&self.path, &error);
        }
    }
}

/// Makes and removes the file as it is told. A file of an earlier run is removed at once. The disk
/// may be slow, and the loop does not wait for it.
async fn keep(path: PathBuf, mut told: watch::Receiver<bool>) {
    let mut held = None;
    loop {
        let (path, here, before) = (path.clone(), *told.borrow_and_update(), held.take());
        let put = tokio::task::spawn_blocking(move || put(&path, here, before));
        match put.await {
            Ok(now) => held = now,
            Err(_) => return,
        }
        if told.changed().await.is_err() {
            return;
        }
    }
}

fn put(path: &Path, here: bool, before: Option<platform::HeldFile>) -> Option<platform::HeldFile> {
    if here && before.is_some() {
        return before;
    }
    drop(before);
    let done = if here {
        platform::put(path).map(Some)
    } else {
        remove(path).map(|()| None)
    };
    done.unwrap_or_else(|error| {
        warn(path, &error);
        None
    })
}

/// Removes our file, if there is one. A file that is not ours stays: the variable may name a file
/// of the user's by mistake.
fn remove(path: &Path) -> std::io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok_and(|found| !is_ours(path, &found)) {
        return Err(std::io::Error::other("somebody else's file lies there"));
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether a file is ours, which means that it is empty, or a link to a file that a process holds
/// open.
fn is_ours(path: &Path, found: &std::fs::Metadata) -> bool {
    if found.is_symlink() {
        return std::fs::read_link(path).is_ok_and(|target| target.starts_with("/proc"));
    }
    found.is_file() && found.len() == 0
}

fn warn(path: &Path, error: &std::io::Error) {
    tracing::warn!(%error, path = %path.display(), "the presence file cannot be kept");
}

fn is_here(view: &PresenceView) -> bool {
    let seen = matches!(
        view.standing.reading.presence,
        Presence::Here | Presence::Idle
    );
    !view.away && (seen || view.standing.said == PresenceOverride::Here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{PresenceReading, PresenceState};

    #[test]
    fn a_file_of_somebody_elses_is_not_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("named by mistake");
        std::fs::write(&file, "a person's words").unwrap();
        assert!(remove(&file).is_err());
        assert!(file.exists());
        std::fs::write(&file, "").unwrap();
        remove(&file).unwrap();
        assert!(!file.exists());
        remove(&file).unwrap();
    }

    #[test]
    fn the_human_is_here_only_where_that_is_known() {
        let view = |presence, said, away| {
            let reading = PresenceReading {
                presence,
                ..PresenceReading::default()
            };
            let standing = PresenceState { reading, said };
            PresenceView {
                standing,
                away,
                ..PresenceView::default()
            }
        };
        let (auto, here) = (PresenceOverride::Auto, PresenceOverride::Here);
        assert!(is_here(&view(Presence::Here, auto, false)));
        assert!(
            is_here(&view(Presence::Idle, auto, false)),
            "not for long enough"
        );
        assert!(
            is_here(&view(Presence::Unknown, here, false)),
            "they said so"
        );
        assert!(!is_here(&view(Presence::Unknown, auto, false)));
        assert!(!is_here(&view(Presence::Idle, auto, true)));
        assert!(!is_here(&view(
            Presence::Here,
            PresenceOverride::Away,
            true
        )));
    }
}
