//! The version of the Claude Code that is installed. One that finds an event in its settings that
//! it does not know takes none of its hooks (seen in 2.0.45 and 2.1.50), so what is written there
//! goes by its version.

use crate::integrations::claude_home;
use beckon_client::platform::children::{self, Program};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A version, as `2.1.330`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub(super) u32, pub(super) u32, pub(super) u32);

/// The time limit for Claude Code to say its version. It says so within a moment, and is not waited
/// for when it does not.
const SAYS_WITHIN: Duration = Duration::from_secs(5);

/// Returns the version; `None` when Claude Code cannot be found, or does not say.
pub(super) fn installed() -> Option<Version> {
    programs().iter().find_map(|program| ask(program))
}

/// Returns the places of its program: by the path, and where its own installers put it.
fn programs() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let local = home.map(|home| home.join(".local/bin/claude"));
    let own = claude_home::folder()
        .ok()
        .map(|folder| folder.join("local/claude"));
    let programs = [children::find("claude"), local, own].into_iter().flatten();
    programs.filter(|program| program.is_absolute()).collect()
}

/// Tells whether its program lies in any of these places. It is not run.
pub(super) fn is_installed() -> bool {
    programs().iter().any(|program| program.is_file())
}

fn ask(program: &Path) -> Option<Version> {
    let program = Program::at(program).ok()?.arg("--version");
    let said = program.ask(SAYS_WITHIN).ok()?.output;
    read(&String::from_utf8_lossy(&said))
}

/// Reads a version out of a text such as `2.1.330 (Claude Code)`.
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
