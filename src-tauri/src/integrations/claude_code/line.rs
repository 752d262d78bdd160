//! The command line of our hooks: how it is written for the shell that runs it, and recognized
//! among those of others.

use crate::platform::program;
use anyhow::{Context as _, Result};
use beckon_client::json;
use beckon_client::platform::children::Program;
use beckon_client::platform::failure::SystemFailure;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// The words that our hooks run, after the program's own path.
const RUNS: &str = "hook claude-code";
/// The word that a user may have added to the line.
pub(super) const FINISHED: &str = "--finished";
/// The event that the program is told when it is tried out; it only answers that it is there.
pub(crate) const TRIAL: &str = "beckon:trial";
/// The signs between the words of a line.
const BLANKS: [char; 2] = [' ', '\t'];
/// Programs that start the one that they are given, of POSIX, GNU coreutils, util-linux and
/// Windows.
const LAUNCHERS: [&str; 13] = [
    "chrt", "cmd", "cmd.exe", "env", "ionice", "nice", "nohup", "setpriv", "setsid", "stdbuf",
    "taskset", "time", "timeout",
];
/// Options of `cmd` before the command.
const OF_CMD: [&str; 6] = ["/C", "/D", "/S", "/c", "/d", "/s"];
/// Options of the other launchers that are followed by a word, where that is no number.
const TAKE_A_WORD: [&str; 6] = ["-C", "--chdir", "-s", "--signal", "-u", "--unset"];
/// The time limit for trying it out. It starts within a moment, on a busy machine within seconds.
const RUNS_WITHIN: Duration = Duration::from_secs(10);

/// The properties of a line of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HookLine {
    pub(super) finished: bool,
    /// Whether its words stand by themselves, and no shell reads it.
    pub(super) in_words: bool,
}

/// Writes the line for this program. Hooks are run by a shell, from any directory. `exec` makes the
/// shell give way to us. Otherwise the shell would stay behind when Claude Code is killed, and we
/// would not see that nobody waits any more.
///
/// # Errors
/// When the program's place cannot be told, or cannot be written for a shell.
pub(super) fn write() -> Result<String> {
    write_for(&program::path()?)
}

fn write_for(program: &Path) -> Result<String> {
    let exec = if cfg!(windows) { "" } else { "exec " };
    let path = program.to_str().filter(|path| cfg!(unix) || is_plain(path));
    let path = path.with_context(|| SystemFailure::HookLine(program.display().to_string()))?;
    Ok(format!("{exec}{} {RUNS}", quoted(path)))
}

/// Quotes a path. A shell still reads some signs within double quotes. For a path without those,
/// both kinds of quotes mean the same, and the double ones are what Beckon has always written.
fn quoted(path: &str) -> String {
    if is_plain(path) {
        format!("\"{path}\"")
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// Tells whether a path means itself within double quotes (POSIX.1-2024, Shell Command Language,
/// 2.2.3; `!` is history to some, `%` a variable to Windows).
fn is_plain(path: &str) -> bool {
    let backslash = |sign: char| cfg!(unix) && sign == '\\';
    !path.contains(|sign| matches!(sign, '"' | '$' | '`' | '!' | '\n') || backslash(sign))
        && (cfg!(unix) || !path.contains('%'))
}

/// Runs the line once as Claude Code does, and checks that it is this program that answers.
///
/// # Errors
/// When it is not.
pub(super) fn try_out(line: &str) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let event = json!({ "hook_event_name": TRIAL, "session_id": "" }).to_string();
    let shell = Program::at(Path::new("/bin/sh"))?.args(["-c", line]);
    let failed = || SystemFailure::HookLine(line.to_owned());
    let answer = shell
        .ask_with(event.as_bytes(), RUNS_WITHIN)
        .with_context(failed)?;
    let said = json::read(&answer.output).map(|read| read.value);
    if said == Some(trial_answer()) {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&answer.errors);
    let why = errors.lines().next().unwrap_or_default().to_owned();
    let why = if why.is_empty() {
        answer.status.to_string()
    } else {
        why
    };
    Err(anyhow::Error::msg(why).context(failed()))
}

/// Returns this program's answer to [`TRIAL`].
pub(crate) fn trial_answer() -> Value {
    json!({ "beckon": env!("CARGO_PKG_VERSION") })
}

/// Reads a command line: `None` if it is not ours. Ours is what this program's writer, or an
/// earlier one, made: an optional `exec`, one word that leads to a Beckon, our own words, and
/// nothing else.
pub(super) fn read(command: &str) -> Option<HookLine> {
    let command = command.trim();
    let rest = command
        .strip_prefix("exec")
        .filter(|rest| rest.starts_with(BLANKS))
        .map_or(command, |rest| rest.trim_start_matches(BLANKS));
    let words = behind_program(rest).or_else(|| behind_own_path(rest))?;
    // A second line is a second command.
    if words.contains(['\n', '\r']) {
        return None;
    }
    let words: Vec<&str> = words
        .split(BLANKS)
        .filter(|word| !word.is_empty())
        .collect();
    read_own_words(&words, false)
}

/// Reads a program and its arguments, which no shell reads. They are ours where a Beckon is
/// started, by itself or by known launchers that only start what they are given. A program that
/// merely has a Beckon among its arguments is its user's own.
pub(super) fn read_words(program: &str, arguments: &[&str]) -> Option<HookLine> {
    let words: Vec<&str> = [&[program], arguments].concat();
    let at = words.iter().position(|word| is_our_name(file_name(word)))?;
    if !are_launchers(&words[..at]) {
        return None;
    }
    read_own_words(&words[at + 1..], true)
}

/// Tells whether these words start what follows them, and nothing else.
fn are_launchers(words: &[&str]) -> bool {
    let Some(first) = words.first() else {
        return true;
    };
    if !LAUNCHERS.contains(&file_name(first)) {
        return false;
    }
    let mut pairs = words.iter().zip(&words[1..]);
    pairs.all(|(before, word)| is_for_launcher(before, word))
}

/// Tells whether a word is the launcher's own: another launcher, an option and what belongs to it,
/// a variable, a number.
fn is_for_launcher(before: &str, word: &str) -> bool {
    LAUNCHERS.contains(&file_name(word))
        || word.starts_with('-')
        || word.contains('=')
        || word.starts_with(|sign: char| sign.is_ascii_digit())
        || OF_CMD.contains(&word)
        || TAKE_A_WORD.contains(&before)
}

fn file_name(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or_default()
}

fn read_own_words(words: &[&str], in_words: bool) -> Option<HookLine> {
    let finished = match words {
        ["hook", "claude-code"] => false,
        ["hook", "claude-code", FINISHED] => true,
        _ => return None,
    };
    Some(HookLine { finished, in_words })
}

/// Returns what follows this program's own path between double quotes. Earlier Beckons wrote it so,
/// whatever stood in it.
fn behind_own_path(line: &str) -> Option<&str> {
    let own = program::path().ok()?.to_str()?.to_owned();
    line.strip_prefix('"')?
        .strip_prefix(&own)?
        .strip_prefix('"')
}

/// Returns what follows the first word, if that leads to a Beckon.
fn behind_program(line: &str) -> Option<&str> {
    let (word, rest) = first_word(line)?;
    is_our_name(file_name(&word)).then_some(rest)
}

/// Tells whether a file name is a Beckon's. An AppImage may be called by its version or renamed by
/// a person.
fn is_our_name(name: &str) -> bool {
    let own = program::path().ok();
    let own = own.as_ref().and_then(|own| own.file_name()?.to_str());
    let lower = name.to_ascii_lowercase();
    let is_image = lower.starts_with("beckon") && lower.ends_with(".appimage");
    lower == "beckon" || lower == "beckon.exe" || is_image || own == Some(name)
}

/// Returns the first word of a line of a shell, and what follows it. `None` where more than a word
/// stands there: a second command, a command substitution, a pattern.
fn first_word(line: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut signs = line.char_indices();
    let mut quote: Option<char> = None;
    while let Some((at, sign)) = signs.next() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (Some('\''), _) => word.push(sign),
            (None, '\'' | '"') => quote = Some(sign),
            (_, '`') => return None,
            (_, '$') if signs.as_str().starts_with('(') => return None,
            (_, '\\') => match signs.as_str().chars().next() {
                Some(next @ ('"' | '\\' | '$' | '`')) => {
                    signs.next();
                    word.push(next);
                }
                Some(next) if quote.is_none() && cfg!(unix) => {
                    signs.next();
                    word.push(next);
                }
                _ => word.push(sign),
            },
            (Some(_), _) => word.push(sign),
            (None, ' ' | '\t') => return Some((word, &line[at..])),
            (
                None,
                '\n' | '\r' | '|' | '&' | ';' | '<' | '>' | '(' | ')' | '*' | '?' | '[' | '#' | '=',
            ) => {
                return None;
            }
            (None, _) => word.push(sign),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &[(&str, bool)] = &[
        (r#"exec "/usr/bin/beckon" hook claude-code"#, false),
        (r#""/usr/bin/beckon" hook claude-code"#, false),
        (
            r#""C:\Program Files\Beckon\beckon.exe" hook claude-code"#,
            false,
        ),
        ("beckon hook claude-code", false),
        (
            "  exec  ~/.local/bin/beckon  hook  claude-code  --finished ",
            true,
        ),
        ("$HOME/.local/bin/beckon hook claude-code --finished", true),
        (r#"exec "$HOME/bin/beckon" hook claude-code"#, false),
        (r"exec '/a'\''b/$x`y`/beckon' hook claude-code", false),
        (r"/a\ b/beckon hook claude-code", false),
        (
            r#"exec "/me/Beckon-0.1.0-x86_64.AppImage" hook claude-code"#,
            false,
        ),
    ];

    #[test]
    fn ours_is_what_runs_a_beckon_with_our_words_and_nothing_else() {
        for (line, finished) in OURS {
            assert_eq!(
                read(line),
                Some(HookLine {
                    in_words: false,
                    finished: *finished
                }),
                "{line}"
            );
        }
    }

    #[test]
    fn what_only_contains_our_words_is_somebody_elses() {
        for line in [
            "webhook claude-code --audit",
            "guard-hook claude-code",
            "my-beckon hook claude-code",
            "/opt/beckon/guard hook claude-code",
            "beckon-guard hook claude-code",
            "beckon.sh hook claude-code",
            "beckon hook claude-code --audit",
            "beckon hook claude-code --finished --finished",
            "beckon hook claude-code | tee log",
            "beckon hook claude-code; rm x",
            "beckon hook claude-code # note",
            "beckon hook claude-code > log",
            "beckon; hook claude-code",
            "beckon --x hook claude-code",
            "A=b beckon hook claude-code",
            "env beckon hook claude-code",
            "echo 'beckon hook claude-code'",
            r#"echo "exec "/usr/bin/beckon" hook claude-code""#,
            r#"exec "/guard" x "/y/beckon" hook claude-code"#,
            r#""$(guard)/beckon" hook claude-code"#,
            "`guard`/beckon hook claude-code",
            "execbeckon hook claude-code",
            "beckon hook claude-code-audit",
            "beckon hook",
            "hook claude-code",
            "",
            "exec beckon\nhook claude-code",
            "beckon\n hook claude-code",
            "beckon hook\nclaude-code",
            "exec\nbeckon hook claude-code",
            "beckon\u{a0}hook claude-code",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn ours_in_words_is_what_starts_a_beckon_and_not_what_is_told_of_one() {
        let ours = |words: &[&str]| read_words(words[0], &words[1..]).is_some();
        for words in [
            &["/usr/bin/beckon"][..],
            &["/usr/bin/env", "BECKON_HOME=/a b", "beckon"],
            &["env", "-u", "DISPLAY", "-i", "beckon"],
            &["nice", "-n", "10", "/x/beckon"],
            &["timeout", "--foreground", "9h", "nice", "/x/beckon"],
        ] {
            let line = [words, &["hook", "claude-code"]].concat();
            assert!(ours(&line), "{line:?}");
        }
        for words in [
            &["/bin/logger", "-t", "/x/beckon"][..],
            &["echo", "beckon"],
            &["sh", "-c", "guard", "beckon"],
            &["env", "logger", "beckon"],
            &["nice", "-n", "10", "guard", "beckon"],
            &["/opt/beckon/guard", "beckon"],
        ] {
            let line = [words, &["hook", "claude-code"]].concat();
            assert!(!ours(&line), "{line:?}");
        }
    }

    #[test]
    fn whatever_stands_in_a_path_is_known_again() {
        for folder in [
            "/usr/bin", "/a b", "/a$HOME", "/a`id`", "/a\"b", "/a'b", "/a!b", r"/a\b", "/ü/字",
        ] {
            let line = write_for(&Path::new(folder).join("beckon")).unwrap();
            assert_eq!(
                read(&line),
                Some(HookLine {
                    finished: false,
                    in_words: false
                }),
                "{line}"
            );
            assert_eq!(
                read(&format!("{line} {FINISHED}")),
                Some(HookLine {
                    finished: true,
                    in_words: false
                })
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_shell_runs_the_path_as_it_is() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("a b$HOME`id`\"c'd\\e!$(id)\n*");
        std::fs::create_dir(&folder).unwrap();
        let program = folder.join("beckon");
        std::fs::write(&program, format!("#!/bin/sh\necho '{}'\n", trial_answer())).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        try_out(&write_for(&program).unwrap()).unwrap();
        std::fs::write(&program, "#!/bin/sh\nexit 0\n").unwrap();
        assert!(
            try_out(&write_for(&program).unwrap()).is_err(),
            "another program"
        );
        std::fs::remove_file(&program).unwrap();
        assert!(try_out(&write_for(&program).unwrap()).is_err());
    }
}
