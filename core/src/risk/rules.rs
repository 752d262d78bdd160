//! Which commands are dangerous beyond doubt. A new rule is a line here and one in the table of
//! `core/tests/stories/risks.rs`, where it also says what it must leave alone.

use super::Risk;
use super::shell::{Command, Word, is_shell, program};
use alloc::vec::Vec;
use core::ops::Range;

type Found = (Risk, Range<usize>);

/// Who gives a command an administrator's rights.
const ADMINS: [&str; 6] = ["sudo", "doas", "pkexec", "run0", "gsudo", "su"];
/// Their options that have a value.
const WITH_VALUE: [&str; 7] = ["-u", "-g", "-h", "-p", "-C", "-D", "-c"];
/// Who says what others have written.
const DOWNLOADERS: [&str; 7] =
    ["curl", "wget", "fetch", "iwr", "irm", "invoke-webrequest", "invoke-restmethod"];
/// Who runs what it is told, beside shells.
const INTERPRETERS: [&str; 9] =
    ["python", "python3", "node", "perl", "ruby", "php", "deno", "iex", "invoke-expression"];

/// Everything found in these commands.
pub(super) fn found(commands: &[Command], directory: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for command in commands {
        let words = without_admin(command.program_and_words(), &mut found);
        let Some((name, rest)) = words.split_first() else { continue };
        let named = program(&name.text).to_ascii_lowercase();
        let risks = [
            deletes(&named, rest).map(|last| (Risk::Deletes, last)),
            rewrites(&named, rest).map(|last| (Risk::Rewrites, last)),
        ];
        let spans = risks.into_iter().flatten();
        found.extend(spans.map(|(risk, last)| (risk, name.range.start..last.range.end)));
        if DOWNLOADERS.contains(&named.as_str())
            && let Some(runner) = runner(commands, command)
        {
            found.push((Risk::RunsDownload, name.range.clone()));
            found.push((Risk::RunsDownload, runner));
        }
        let files = command.writes_to.iter().filter(|file| is_outside(&file.text, directory));
        found.extend(files.map(|file| (Risk::Outside, file.range.clone())));
    }
    found
}

/// What is run with an administrator's rights can be dangerous in itself, too.
fn without_admin<'a>(mut words: &'a [Word], found: &mut Vec<Found>) -> &'a [Word] {
    while let [first, rest @ ..] = words
        && ADMINS.contains(&program(&first.text))
    {
        found.push((Risk::Admin, first.range.clone()));
        words = rest;
        while let [option, rest @ ..] = words
            && option.text.starts_with('-')
        {
            let has_value = WITH_VALUE.contains(&option.text.as_str());
            words = if has_value { rest.get(1..).unwrap_or_default() } else { rest };
        }
    }
    words
}

/// The last word that makes it delete recursively or without asking.
fn deletes<'a>(program: &str, words: &'a [Word]) -> Option<&'a Word> {
    let long = |names: &'static [&str]| move |word: &&Word| names.contains(&word.text.as_str());
    let last = |is: &dyn Fn(&&Word) -> bool| words.iter().rfind(|word| is(word));
    match program {
        "rm" => {
            last(&|word| is_flag(word, &['r', 'R', 'f']) || long(&["--recursive", "--force"])(word))
        }
        "find" => last(&long(&["-delete"])),
        "git" => {
            let (verb, rest) = git(words)?;
            let forces = |word: &&Word| is_flag(word, &['f']) || word.text == "--force";
            rest.iter().rfind(forces).filter(|_| verb.text == "clean")
        }
        "shred" | "wipefs" | "mkfs" => words.last(),
        "dd" => last(&|word| word.text.starts_with("of=/dev/")),
        "rd" | "rmdir" | "del" | "erase" => {
            last(&|word| ["/s", "/q", "/f"].iter().any(|flag| word.text.eq_ignore_ascii_case(flag)))
        }
        "remove-item" | "ri" => last(&|word| {
            ["-recurse", "-force", "-r", "-fo"]
                .iter()
                .any(|flag| word.text.eq_ignore_ascii_case(flag))
        }),
        _ if program.starts_with("mkfs.") => words.last(),
        _ => None,
    }
}

/// The last word that makes git throw away what others have, or what nobody else has.
fn rewrites<'a>(program: &str, words: &'a [Word]) -> Option<&'a Word> {
    if program != "git" {
        return None;
    }
    let (verb, rest) = git(words)?;
    let dangerous = |word: &&Word| match verb.text.as_str() {
        "push" => {
            let text = word.text.as_str();
            let refspec = text.starts_with('+') || text.starts_with(':') && text.len() > 1;
            is_flag(word, &['f', 'd'])
                || refspec
                || matches!(text, "--force" | "--mirror" | "--delete" | "--prune")
                || text.starts_with("--force-with-lease")
        }
        "reset" => word.text == "--hard",
        _ => false,
    };
    rest.iter().rfind(dangerous)
}

/// Its verb and what follows; options of git itself stand before that.
fn git(words: &[Word]) -> Option<(&Word, &[Word])> {
    let (first, rest) = words.split_first()?;
    match first.text.as_str() {
        "-C" | "-c" | "--git-dir" | "--work-tree" => git(rest.get(1..)?),
        option if option.starts_with('-') => git(rest),
        _ => Some((first, rest)),
    }
}

/// `-rf`, but not `--recursive`.
fn is_flag(word: &Word, letters: &[char]) -> bool {
    let flags = word.text.strip_prefix('-').filter(|flags| !flags.starts_with('-'));
    flags.is_some_and(|flags| flags.contains(letters))
}

/// Who runs what this command says, however many pass it on.
fn runner(commands: &[Command], from: &Command) -> Option<Range<usize>> {
    let mut taker = from.feeds;
    for _ in 0..commands.len() {
        let command = commands.get(taker?)?;
        let mut none = Vec::new();
        let words = without_admin(command.program_and_words(), &mut none);
        if let Some(first) = words.first() {
            let name = program(&first.text).to_ascii_lowercase();
            let is_dot = first.text == ".";
            if is_dot || is_shell(&name) || INTERPRETERS.contains(&name.as_str()) {
                return Some(first.range.clone());
            }
        }
        taker = command.feeds;
    }
    None
}

/// A path that certainly leads out of the project. What a variable holds nobody knows, and where
/// everybody keeps what lasts for a moment is nowhere.
pub(super) fn is_outside(path: &str, directory: &str) -> bool {
    const NOWHERE: [&str; 4] = ["/dev/", "/tmp/", "/var/tmp/", "/proc/self/fd/"];
    let path = path.trim();
    if NOWHERE.iter().any(|place| path.starts_with(place)) && !climbs(path) {
        return false;
    }
    let is_windows = path.as_bytes().get(1..3).is_some_and(|it| it == b":\\" || it == b":/");
    let leaves = path.starts_with("../") || path.starts_with("..\\") || path == "..";
    let is_home = path == "~" || path.starts_with("~/");
    let absolute = path.starts_with('/') || is_windows;
    (absolute || is_home || leaves) && !is_inside(path, directory)
}

/// Is it the project's directory, or below it?
pub(super) fn is_inside(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches(['/', '\\']);
    let below = path.strip_prefix(directory).filter(|_| !directory.is_empty());
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\'])) && !climbs(path)
}

fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "..")
}
