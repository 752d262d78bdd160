//! What the programs that Beckon starts inherit: the environment, without the secrets that it may
//! carry for Beckon.

use std::ffi::{OsStr, OsString};
use std::process::Command;

/// Where Beckon's files lie is no secret, and its own programs need it.
const PASSED_ON: &str = "BECKON_HOME";

/// Keeps Beckon's own variables from a program that is about to be started.
pub fn withhold_secrets(command: &mut Command) {
    withhold(command, std::env::vars_os().map(|(name, _)| name));
}

fn withhold(command: &mut Command, names: impl Iterator<Item = OsString>) {
    for name in names.filter(|name| is_ours(name)) {
        command.env_remove(name);
    }
}

fn is_ours(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with("BECKON_") && name != PASSED_ON
}

/// Starts it without a console window of its own, where one would flash up.
#[cfg(windows)]
pub fn hide_console(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    /// `CREATE_NO_WINDOW`
    const FLAGS: u32 = 0x0800_0000;
    command.creation_flags(FLAGS);
}

/// Starts it without a console window of its own: nothing to do here.
#[cfg(not(windows))]
pub fn hide_console(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_started_is_told_no_secret() {
        let names = [
            "BECKON_TELEGRAM_TOKEN",
            "BECKON_HOME",
            "BECKON_OPENCODE_PASSWORD_X",
            "PATH",
        ];
        let mut command = Command::new("true");
        withhold(&mut command, names.into_iter().map(OsString::from));
        let mut removed: Vec<_> = command.get_envs().collect();
        removed.sort_unstable();
        let gone = |name| (OsStr::new(name), None);
        assert_eq!(
            removed,
            [
                gone("BECKON_OPENCODE_PASSWORD_X"),
                gone("BECKON_TELEGRAM_TOKEN")
            ]
        );
    }
}
