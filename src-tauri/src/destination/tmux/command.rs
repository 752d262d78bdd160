//! The commands to a tmux server that has proven itself. We find the program ourselves: one that an
//! agent names would run outside whatever holds that agent.

use super::proof::ProvenSocket;
use anyhow::{Context, Result, bail};
use beckon_client::platform::children::{self, Program};
use std::path::PathBuf;
use std::time::Duration;

/// The time after which a server that has not answered is taken to be stopped or hung.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// The directories in which tmux may be, beside our own `PATH`.
const PLACES: [&str; 5] = [
    "/usr/local/bin",
    "/usr/bin",
    "/bin",
    "/opt/homebrew/bin",
    "/opt/local/bin",
];

/// Finds the program.
pub(super) fn program() -> Option<PathBuf> {
    children::find_also_in("tmux", &PLACES)
}

/// A tmux server, by its socket.
#[derive(Debug)]
pub(super) struct TmuxServer {
    /// The socket's path, as the environment of what runs in it names it.
    pub(super) name: String,
    pub(super) socket: ProvenSocket,
}

impl TmuxServer {
    /// Runs a command and returns what the server says.
    ///
    /// # Errors
    /// When it refuses or does not answer, or there is no tmux.
    pub(super) async fn run(&self, arguments: &[&str]) -> Result<String> {
        let program = program().context("there is no tmux")?;
        // A server is told the environment of its clients: it needs none of ours.
        let tmux = Program::at(&program)?
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .arg("-S")
            .arg(self.socket.path())
            .args(arguments);
        let asked = tokio::task::spawn_blocking(move || tmux.ask(ANSWERS_WITHIN));
        let answer = asked.await?.context("Failed to run tmux")?;
        if !answer.status.success() {
            let why = String::from_utf8_lossy(&answer.errors);
            bail!("tmux refuses: {}", why.trim());
        }
        Ok(String::from_utf8_lossy(&answer.output).into_owned())
    }
}

/// Returns the command that a person types to see that session, or else the one that was shown
/// last. Names are whatever somebody called them, so they are quoted.
pub(super) fn attach(socket: &str, session: Option<&str>) -> String {
    let default = format!("/tmp/tmux-{}/default", rustix::process::geteuid().as_raw());
    let server = if socket == default {
        String::new()
    } else {
        format!(" -S {}", quoted(socket))
    };
    let session = session.map(|session| format!(" -t {}", quoted(&format!("={session}"))));
    format!("tmux{server} attach{}", session.unwrap_or_default())
}

/// Quotes a word for a shell, where it needs that.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    // zsh expands a leading `=`.
    if word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_is_told_to_type_is_one_word_whatever_a_session_is_called() {
        let attach = |session| attach("/tmp/my sock", session);
        assert_eq!(
            attach(Some("work")),
            "tmux -S '/tmp/my sock' attach -t '=work'"
        );
        assert_eq!(attach(None), "tmux -S '/tmp/my sock' attach");
        let odd = r"tmux -S '/tmp/my sock' attach -t '=$(rm -r ~); it'\''s'";
        assert_eq!(attach(Some("$(rm -r ~); it's")), odd);
    }
}
