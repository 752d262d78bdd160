//! A tmux server of this user, and commands to it. The program is ours to find: a program that an agent
//! names would run outside whatever holds that agent.

use anyhow::{Context, Result, bail, ensure};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::time::Duration;
use tokio::process::Command;

/// A server that does not answer by then is stopped or hung.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// Where tmux lies, beside our own `PATH`: what a desktop starts may know fewer places.
const PLACES: &str = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin";

/// A server, by its socket.
#[derive(Debug)]
pub(super) struct TmuxServer {
    socket: String,
}

impl TmuxServer {
    /// # Errors
    /// When there is no such socket, or it is another user's.
    pub(super) fn at(socket: String) -> Result<Self> {
        let file = std::fs::metadata(&socket).context("Failed to find the socket of tmux")?;
        let ours = rustix::process::geteuid().as_raw();
        ensure!(
            file.file_type().is_socket() && file.uid() == ours,
            "the socket is not this user's"
        );
        Ok(Self { socket })
    }

    /// What it says.
    ///
    /// # Errors
    /// When it refuses or does not answer, or there is no tmux.
    pub(super) async fn run(&self, arguments: &[&str]) -> Result<String> {
        let own = std::env::var("PATH").unwrap_or_default();
        let mut tmux = Command::new("tmux");
        // A server is told the environment of its clients: it needs none of ours.
        tmux.env_clear()
            .env("PATH", format!("{own}:{PLACES}"))
            .env("LC_ALL", "C.UTF-8");
        tmux.arg("-S")
            .arg(&self.socket)
            .args(arguments)
            .kill_on_drop(true);
        let output = tokio::time::timeout(ANSWERS_WITHIN, tmux.output());
        let output = output
            .await
            .context("tmux does not answer")?
            .context("Failed to run tmux")?;
        if !output.status.success() {
            bail!(
                "tmux refuses: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What a person types to see that session. Names are whatever somebody called them.
    pub(super) fn attach(&self, session: &str) -> String {
        let default = format!("/tmp/tmux-{}/default", rustix::process::geteuid().as_raw());
        let server = match self.socket == default {
            true => String::new(),
            false => format!(" -S {}", quoted(&self.socket)),
        };
        format!("tmux{server} attach -t {}", quoted(&format!("={session}")))
    }
}

/// For a shell, where it needs that.
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
        let server = TmuxServer {
            socket: "/tmp/my sock".into(),
        };
        assert_eq!(
            server.attach("work"),
            "tmux -S '/tmp/my sock' attach -t '=work'"
        );
        let odd = r"tmux -S '/tmp/my sock' attach -t '=$(rm -r ~); it'\''s'";
        assert_eq!(server.attach("$(rm -r ~); it's"), odd);
    }
}
