//! The dialog in the terminal while a hook waits, and the process that is left to wait for it.
//!
//! Not here: how the register is read (`dialog.rs`), and what a hook makes of it (`asking.rs`).

use super::asking::WaitEnd;
use super::dialog::SessionDialog;
use super::register::RunningClaude;
use super::witness::WitnessedTerminal;
use std::time::Duration;

/// The number of looks for whether the hook was ended by a no in the terminal: Claude Code ends the
/// hook before the register tells of the no.
const REFUSED_LOOKS: u32 = 10;
const REFUSED_LOOK: Duration = Duration::from_millis(50);

/// The time within which a dialog is shown, also on a busy machine.
const COMES_WITHIN: Duration = Duration::from_secs(2);
/// The variable in which Claude Code tells its hooks whether it could show a dialog to somebody;
/// `0` if it runs with `--print` (seen in 2.1.330).
const ATTENDED: &str = "CLAUDE_CODE_SESSION_ATTENDED";

/// The view of the terminal while the hook waits.
pub(super) enum TerminalState {
    /// The dialog, as far as the register knows of it.
    Dialog(Option<SessionDialog>),
    /// Nothing, until the hook has ended.
    Held(Option<SessionDialog>),
}

impl TerminalState {
    pub(super) fn of(claude: &RunningClaude, held: bool) -> Self {
        let dialog = SessionDialog::of(claude);
        if held {
            Self::Held(dialog)
        } else {
            Self::Dialog(dialog)
        }
    }

    /// Whether a dialog is shown there that can be answered, as far as the register tells.
    pub(super) fn stands(&self) -> bool {
        matches!(self, Self::Dialog(Some(dialog)) if dialog.stands())
    }

    /// Whether a dialog is shown within a moment: Claude Code notes its dialog a third of a second
    /// after it has started the hook (measured with 2.1.330), and between two dialogs it notes
    /// none.
    pub(super) async fn stands_soon(&self) -> bool {
        let Self::Dialog(Some(dialog)) = self else {
            return false;
        };
        let is_attended = std::env::var_os(ATTENDED).is_none_or(|it| it != "0");
        let comes = async || tokio::time::timeout(COMES_WITHIN, dialog.comes()).await;
        is_attended && comes().await.is_ok()
    }

    /// Whether it was answered in the terminal.
    pub(super) fn is_answered(&self) -> bool {
        matches!(self, Self::Dialog(Some(dialog)) if dialog.is_gone())
    }

    pub(super) async fn answered(&self) {
        match self {
            Self::Dialog(Some(dialog)) => dialog.gone().await,
            Self::Dialog(None) | Self::Held(_) => std::future::pending().await,
        }
    }

    pub(super) async fn left(&self) {
        match self {
            Self::Dialog(Some(dialog)) | Self::Held(Some(dialog)) => dialog.left().await,
            Self::Dialog(None) | Self::Held(None) => std::future::pending().await,
        }
    }

    /// Returns why Claude Code has ended the hook: Claude Code ends itself, or its dialog was
    /// answered with a no, which the register says a moment later.
    pub(super) async fn interrupted(&self) -> WaitEnd {
        let Self::Dialog(Some(dialog)) = self else {
            return WaitEnd::Over;
        };

        let mut looks = 0;
        while dialog.lives() && looks < REFUSED_LOOKS {
            if dialog.is_gone() {
                return WaitEnd::Elsewhere;
            }
            looks += 1;
            tokio::time::sleep(REFUSED_LOOK).await;
        }
        WaitEnd::Over
    }

    /// Returns what of it a witness is to look at.
    pub(super) fn witnessed(self) -> WitnessedTerminal {
        match self {
            Self::Dialog(Some(dialog)) => match dialog.stands_since() {
                Some(since) => WitnessedTerminal::Dialog {
                    register: dialog.file(),
                    since,
                },
                None => WitnessedTerminal::Unknown,
            },
            Self::Held(Some(dialog)) => WitnessedTerminal::Held {
                register: dialog.file(),
            },
            Self::Dialog(None) | Self::Held(None) => WitnessedTerminal::Unknown,
        }
    }
}

/// Waits until Claude Code has ended, so that nobody reads a decision. The hook's parent may be a
/// shell that stays when Claude Code is killed, so that shell's parent counts.
#[cfg(unix)]
pub(super) async fn orphaned() {
    use std::os::unix::process::parent_id;
    let parents = || (parent_id(), shell_of(parent_id()));
    let (parent, claude) = parents();
    while parents() == (parent, claude) {
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

/// Returns the parent of a process, if the process is a shell that runs only this hook.
#[cfg(target_os = "linux")]
fn shell_of(pid: u32) -> Option<u32> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    if !String::from_utf8_lossy(&line).contains("hook claude-code") {
        return None;
    }
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

/// Returns no parent: other shells become the hook, as they are told to since Beckon writes `exec`
/// before it.
#[cfg(all(unix, not(target_os = "linux")))]
fn shell_of(_: u32) -> Option<u32> {
    None
}

/// Waits for ever: on this system the register tells, and otherwise the ask goes with the turn.
#[cfg(not(unix))]
pub(super) async fn orphaned() {
    std::future::pending().await
}
