//! A file that is there while the human is: `CLAUDE_CLIENT_PRESENCE_FILE` of Claude Code, which
//! sends no push to the phone while the file exists
//! (<https://code.claude.com/docs/en/env-vars>, read in November 2026; it looks only whether there
//! is one). Scripts may look at it too.
//!
//! Where nobody knows whether the human is here, there is none, and nothing is kept back. Not here:
//! who counts as away, which is the core's.

use beckon_core::{Override, Presence, PresenceView};
use std::path::{Path, PathBuf};
use tokio::sync::watch;

/// The variable that names the file; in Beckon's environment as in Claude Code's.
const VARIABLE: &str = "CLAUDE_CLIENT_PRESENCE_FILE";

/// Keeps the file. It goes with the program, if that is not killed.
#[derive(Debug)]
pub struct Marker {
    path: PathBuf,
    here: watch::Sender<bool>,
}

impl Marker {
    /// Keeps the file that the environment names, else the `usual` one. Needs a tokio runtime.
    pub fn start(usual: PathBuf) -> Self {
        let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
        let path = named.map_or(usual, PathBuf::from);
        let (here, told) = watch::channel(false);
        tokio::spawn(keep(path.clone(), told));
        Self { path, here }
    }

    /// Where the human is by now.
    pub fn tell(&self, presence: &PresenceView) {
        self.here.send_if_modified(|here| std::mem::replace(here, is_here(presence)) != *here);
    }

    /// The program ends, and with it what it knows.
    pub fn end(&self) {
        put(&self.path, false);
    }
}

/// One that an earlier run left behind goes at once. The disk may be slow, and the loop waits for
/// none.
async fn keep(path: PathBuf, mut told: watch::Receiver<bool>) {
    loop {
        let (path, here) = (path.clone(), *told.borrow_and_update());
        let put = tokio::task::spawn_blocking(move || put(&path, here));
        if put.await.is_err() || told.changed().await.is_err() {
            return;
        }
    }
}

fn put(path: &Path, here: bool) {
    let done = match here {
        true => std::fs::write(path, ""),
        false => std::fs::remove_file(path),
    };
    let absent = |error: &std::io::Error| error.kind() == std::io::ErrorKind::NotFound;
    if let Err(error) = done
        && (here || !absent(&error))
    {
        tracing::warn!(%error, path = %path.display(), "the presence file cannot be kept");
    }
}

fn is_here(view: &PresenceView) -> bool {
    let seen = matches!(view.standing.reading.presence, Presence::Here | Presence::Idle);
    !view.away && (seen || view.standing.said == Override::Here)
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{Reading, Standing};

    #[test]
    fn the_human_is_here_only_where_that_is_known() {
        let view = |presence, said, away| {
            let reading = Reading { presence, ..Reading::default() };
            PresenceView { standing: Standing { reading, said }, away, said_until: None }
        };
        let (auto, here) = (Override::Auto, Override::Here);
        assert!(is_here(&view(Presence::Here, auto, false)));
        assert!(is_here(&view(Presence::Idle, auto, false)), "not for long enough");
        assert!(is_here(&view(Presence::Unknown, here, false)), "they said so");
        assert!(!is_here(&view(Presence::Unknown, auto, false)));
        assert!(!is_here(&view(Presence::Idle, auto, true)));
        assert!(!is_here(&view(Presence::Here, Override::Away, true)));
    }
}
