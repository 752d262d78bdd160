//! The reasons why a session is not reached, and what a person is told of it.

use beckon_client::text::Texts;
use std::path::Path;

/// A reason why a session is not reached. Each has its own sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DestinationError {
    /// The session runs at another Beckon, of that name.
    #[error("it runs at the Beckon {0}")]
    Elsewhere(String),
    /// Nothing tells where the session runs; the text is what its source calls its directory.
    #[error("nothing tells where it runs")]
    Unknown(String),
    /// The session's process has ended.
    #[error("its process has ended")]
    Ended,
    /// The session runs in a tmux session that no terminal shows.
    #[cfg_attr(
        all(windows, not(test)),
        expect(dead_code, reason = "Windows has no tmux")
    )]
    #[error("no terminal shows its tmux session {session}")]
    Detached {
        /// The name of the tmux session.
        session: String,
        /// The command that a person types to see it.
        command: String,
    },
    /// The session runs in a tmux that is not known to be this user's. The text is the command that
    /// shows it.
    #[cfg_attr(all(windows, not(test)), expect(dead_code, reason = "as above"))]
    #[error("its tmux is not known to be this user's")]
    UnprovenTmux(String),
    /// tmux does not show the session's pane. The text is what its source calls its directory.
    #[cfg_attr(all(windows, not(test)), expect(dead_code, reason = "as above"))]
    #[error("tmux does not show its pane")]
    NoPane(String),
    /// The session's window was not found, or the desktop does not let us raise it.
    #[error("its window cannot be brought to the front")]
    NotRaised {
        /// The session's directory, as its source calls it.
        directory: String,
        /// Whether the session's tmux pane is the one that its terminal shows.
        pane: bool,
    },
    /// No browser takes that page.
    #[error("no browser opens {0}")]
    NoBrowser(String),
}

impl DestinationError {
    /// Returns the sentence for a person.
    pub(crate) fn words(&self, texts: &Texts) -> String {
        let with = |key, name, value: &str| texts.with(key, &[(name, value.into())]);
        match self {
            Self::Elsewhere(beckon) => with("problem-runs-elsewhere", "beckon", beckon),
            Self::Unknown(directory) => {
                in_folder(texts.get("problem-runs-somewhere"), directory, texts)
            }
            Self::Ended => texts.get("problem-runs-no-more"),
            Self::Detached { session, command } => {
                let args = [
                    ("session", session.as_str().into()),
                    ("command", command.as_str().into()),
                ];
                texts.with("problem-detached", &args)
            }
            Self::UnprovenTmux(command) => with("problem-unproven-tmux", "command", command),
            Self::NoPane(directory) => in_folder(texts.get("problem-no-pane"), directory, texts),
            Self::NotRaised { directory, pane } => {
                let key = if *pane {
                    "problem-pane-not-raised"
                } else {
                    "problem-not-raised"
                };
                in_folder(texts.get(key), directory, texts)
            }
            Self::NoBrowser(url) => with("problem-no-browser", "url", url),
        }
    }
}

/// Adds the folder to a sentence. Some sources have no folder, and put a name there.
fn in_folder(sentence: String, directory: &str, texts: &Texts) -> String {
    if !Path::new(directory).is_absolute() {
        return sentence;
    }
    let args = [
        ("sentence", sentence.into()),
        ("directory", directory.into()),
    ];
    texts.with("problem-in-folder", &args)
}
