//! The asker for the card: the program that runs `beckon ask`, and the directory it works in.

use crate::platform::processes::{self, Process};
use std::path::Path;

/// The most shells in a row that only run one command for another program; there is no reason for
/// more.
const MOST_SHELLS: usize = 4;
/// The programs that run a script, whose name says more.
const INTERPRETERS: [&str; 12] = [
    "sh",
    "bash",
    "dash",
    "zsh",
    "fish",
    "ksh",
    "pwsh",
    "powershell",
    "python",
    "node",
    "ruby",
    "perl",
];

/// Returns the directory that the card names.
pub(in crate::cli) fn directory() -> Option<String> {
    std::env::current_dir()
        .ok()
        .map(|dir| dir.display().to_string())
}

/// Returns the program that has called us: a script by its own name, and not the shell in which an
/// agent runs its commands.
pub(in crate::cli) fn program() -> Option<String> {
    let mut caller = parent(&processes::of(std::process::id())?)?;
    for _ in 0..MOST_SHELLS {
        if !runs_a_command(&caller) {
            break;
        }
        caller = parent(&caller)?;
    }
    Some(name(&caller))
}

fn parent(process: &Process) -> Option<Process> {
    processes::of(process.parent?)
}

/// Whether a process only runs one command, as `sh -c …` does, whatever other options it has.
fn runs_a_command(process: &Process) -> bool {
    let first = process
        .arguments
        .iter()
        .take_while(|part| part.starts_with('-'));
    let command = |part: &String| !part.starts_with("--") && part.ends_with('c');
    is_interpreter(&process.program) && first.into_iter().any(command)
}

fn name(process: &Process) -> String {
    let script = process.arguments.iter().find(|part| !part.starts_with('-'));
    let script = script.filter(|_| is_interpreter(&process.program));
    let named = script.and_then(|script| Path::new(script).file_name());
    named.map_or_else(
        || process.program.clone(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// Whether a program is an interpreter; `python3.12` is a `python`.
fn is_interpreter(program: &str) -> bool {
    let plain = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    INTERPRETERS.contains(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(program: &str, arguments: &[&str]) -> Process {
        Process {
            pid: 1,
            parent: None,
            program: program.into(),
            arguments: arguments.iter().map(|&part| part.to_owned()).collect(),
            directory: None,
            started: None,
        }
    }

    #[test]
    fn a_script_has_its_own_name_and_a_shell_that_runs_one_command_has_none() {
        let table: [(&str, &[&str], &str, bool); 7] = [
            ("bash", &["/home/me/deploy.sh", "-c"], "deploy.sh", false),
            ("bash", &["-l", "-c", "beckon ask"], "beckon ask", true),
            ("zsh", &["-lc", "beckon ask"], "beckon ask", true),
            ("bash", &[], "bash", false),
            (
                "python3.12",
                &["-u", "tools/release.py"],
                "release.py",
                false,
            ),
            ("make", &["deploy"], "make", false),
            ("code", &["--exec", "x"], "code", false),
        ];
        for (program, arguments, expected, runs) in table {
            let process = process(program, arguments);
            assert_eq!(runs_a_command(&process), runs, "{process:?}");
            if !runs {
                assert_eq!(name(&process), expected);
            }
        }
    }
}
