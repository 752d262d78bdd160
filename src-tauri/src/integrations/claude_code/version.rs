//! Which Claude Code is installed. One that finds an event in its settings that it does not know
//! takes none of its hooks (seen in 2.0.45 and 2.1.50), so what is written there goes by its version.

use crate::integrations::claude_home;
use beckon_client::platform::children;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// `2.1.330`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub(super) u32, pub(super) u32, pub(super) u32);

/// It says so within a moment, and is not waited for when it does not.
const SAYS_WITHIN: Duration = Duration::from_secs(5);
const LOOK: Duration = Duration::from_millis(20);

/// `None` when it cannot be found, or does not say.
pub(super) fn installed() -> Option<Version> {
    programs().into_iter().find_map(ask)
}

/// By the path, and where its own installers put it.
fn programs() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let local = home.map(|home| home.join(".local/bin/claude"));
    let own = claude_home::folder()
        .ok()
        .map(|folder| folder.join("local/claude"));
    [Some("claude".into()), local, own]
        .into_iter()
        .flatten()
        .collect()
}

/// Does it lie anywhere? It is not run.
pub(super) fn is_installed() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("claude{}", std::env::consts::EXE_SUFFIX);
    let in_path = std::env::split_paths(&path).any(|folder| folder.join(&name).is_file());
    in_path
        || programs()
            .iter()
            .any(|program| program.is_absolute() && program.is_file())
}

fn ask(program: PathBuf) -> Option<Version> {
    let mut command = Command::new(program);
    command
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::piped());
    children::hide_console(&mut command);
    let mut child = command.spawn().ok()?;
    let began = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if began.elapsed() > SAYS_WITHIN {
            let _ = child.kill();
        }
        std::thread::sleep(LOOK);
    }
    let said = child.wait_with_output().ok()?.stdout;
    read(&String::from_utf8_lossy(&said))
}

/// `2.1.330 (Claude Code)`
fn read(said: &str) -> Option<Version> {
    let mut parts = said.split_whitespace().next()?.splitn(3, '.');
    let mut number = || {
        let part = parts.next()?;
        part.split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    Some(Version(number()?, number()?, number()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_as_claude_code_says_it() {
        assert_eq!(read("2.1.330 (Claude Code)\n"), Some(Version(2, 1, 330)));
        assert_eq!(read("2.2.0-beta.1 (Claude Code)"), Some(Version(2, 2, 0)));
        assert_eq!(read("claude: not logged in"), None);
        assert!(Version(2, 1, 330) > Version(2, 1, 50));
    }
}
