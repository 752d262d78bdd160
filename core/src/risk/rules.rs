//! Which commands are dangerous beyond doubt. A new rule is a line here and one in the table of
//! `core/tests/stories/risks.rs`, where it also says what it must leave alone.
//!
//! Not here: where a path leads (`paths.rs`), and who merely starts a command (`starters.rs`).

use super::Risk;
use super::paths::is_outside;
use super::shell::{Command, Feed, Word, is_shell, program};
use super::starters;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

pub(super) type Found = (Risk, Range<usize>);

/// Who says what others have written.
const DOWNLOADERS: [&str; 7] = [
    "curl",
    "wget",
    "fetch",
    "iwr",
    "irm",
    "invoke-webrequest",
    "invoke-restmethod",
];
/// Who runs its input, where it is given no program, beside shells.
const INTERPRETERS: [&str; 7] = ["python", "python3", "node", "perl", "ruby", "php", "deno"];
/// So many programs pass on what was downloaded; no person writes more.
const LONGEST_PIPE: usize = 32;

/// Everything found in these commands.
pub(super) fn found(commands: &[Command], directory: &str) -> Vec<Found> {
    let (mut found, mut moved) = (Vec::new(), false);
    // Each once: thousands may feed one that has thousands of words.
    let started = commands
        .iter()
        .map(|command| starters::without(&command.words, &mut found));
    let started: Vec<&[Word]> = started.collect();
    for (command, words) in commands.iter().zip(&started) {
        let outside = |file: &&Word| is_outside(&file.text, directory, moved);
        let files = command.writes_to.iter().filter(outside);
        found.extend(files.map(|file| (Risk::Outside, file.range.clone())));
        let Some((first, rest)) = words.split_first() else {
            continue;
        };
        let name = name(first);
        let risks = [
            (Risk::Deletes, deletes(&name, rest)),
            (Risk::Rewrites, rewrites(&name, rest)),
        ];
        let spans = risks
            .into_iter()
            .filter_map(|(risk, last)| Some((risk, last?)));
        found.extend(spans.map(|(risk, last)| (risk, first.range.start..last.range.end)));
        if DOWNLOADERS.contains(&name.as_str())
            && let Some(runner) = runner(commands, &started, command)
        {
            found.push((Risk::RunsDownload, first.range.clone()));
            found.push((Risk::RunsDownload, runner));
        }
        moved |= matches!(
            name.as_str(),
            "cd" | "pushd" | "set-location" | "push-location"
        );
    }
    found
}

fn name(word: &Word) -> String {
    program(&word.text).to_ascii_lowercase()
}

fn is_one_of(word: &Word, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| word.text.eq_ignore_ascii_case(name))
}

/// The last word that makes it delete recursively or without asking.
fn deletes<'a>(program: &str, words: &'a [Word]) -> Option<&'a Word> {
    const OF_POWERSHELL: [&str; 3] = ["-recurse", "-force", "-fo"];
    let last = |is: &dyn Fn(&Word) -> bool| words.iter().rfind(|word| is(word));
    match program {
        "rm" => {
            // Files may be called as options are.
            let options = words
                .split(|word| word.text == "--")
                .next()
                .unwrap_or_default();
            options.iter().rfind(|word| {
                let only = |flags: &str| flags.chars().all(|c| "rRfivdI".contains(c));
                let short = word.text.strip_prefix('-').is_some_and(only);
                short && is_flag(word, &['r', 'R', 'f'])
                    || matches!(word.text.as_str(), "--recursive" | "--force")
                    || is_one_of(word, &OF_POWERSHELL)
            })
        }
        "find" => last(&|word| word.text == "-delete").or_else(|| {
            let runs = |word: &Word| matches!(word.text.as_str(), "-exec" | "-execdir");
            let (first, rest) = words[words.iter().position(runs)? + 1..].split_first()?;
            // One in another is read no further: nobody knows how many there are.
            let program = Some(name(first)).filter(|program| program != "find")?;
            deletes(&program, rest)
        }),
        "git" => {
            let (verb, rest) = git(words)?;
            let forces = |word: &&Word| is_flag(word, &['f']) || word.text == "--force";
            rest.iter()
                .rfind(forces)
                .filter(|_| verb.text == "clean" && !is_rehearsal(rest))
        }
        "dd" => last(&|word| {
            let device = word.text.strip_prefix("of=/dev/");
            device.is_some_and(|it| !matches!(it, "null" | "zero" | "stdout" | "stderr"))
        }),
        "rd" | "rmdir" | "del" | "erase" => {
            last(&|word| is_one_of(word, &["/s", "/q", "/f"]) || is_one_of(word, &OF_POWERSHELL))
        }
        "remove-item" | "ri" => last(&|w| w.text == "-r" || is_one_of(w, &OF_POWERSHELL)),
        "shred" | "mkfs" => words.last(),
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
    rest.iter().rfind(dangerous).filter(|_| !is_rehearsal(rest))
}

/// It only says what it would do.
fn is_rehearsal(words: &[Word]) -> bool {
    words
        .iter()
        .any(|word| word.text == "--dry-run" || is_flag(word, &['n']))
}

/// Its verb and what follows; options of git itself stand before that.
fn git(mut words: &[Word]) -> Option<(&Word, &[Word])> {
    loop {
        let (first, rest) = words.split_first()?;
        words = match first.text.as_str() {
            "-C" | "-c" | "--git-dir" | "--work-tree" => rest.get(1..)?,
            option if option.starts_with('-') => rest,
            _ => return Some((first, rest)),
        };
    }
}

/// `-rf`, but not `--recursive`.
fn is_flag(word: &Word, letters: &[char]) -> bool {
    let flags = word
        .text
        .strip_prefix('-')
        .filter(|flags| !flags.starts_with('-'));
    flags.is_some_and(|flags| flags.contains(letters))
}

/// Who runs what this command says, however many pass it on.
fn runner(commands: &[Command], started: &[&[Word]], from: &Command) -> Option<Range<usize>> {
    let mut feed = from.feeds;
    for _ in 0..LONGEST_PIPE {
        let (taker, as_script) = match feed? {
            Feed::Input(taker) => (taker, false),
            Feed::Script(taker) => (taker, true),
        };
        if let Some((first, rest)) = started.get(taker)?.split_first()
            && (as_script || runs_input(&name(first), rest))
        {
            return Some(first.range.clone());
        }
        feed = commands.get(taker)?.feeds;
    }
    None
}

/// Is what it reads its program? Not where it is given one.
fn runs_input(program: &str, words: &[Word]) -> bool {
    let is_short = |word: &Word| word.text.starts_with('-') && !word.text.starts_with("--");
    match program {
        "iex" | "invoke-expression" => true,
        _ if is_shell(program) => {
            let has = |letter: char| words.iter().any(|w| is_short(w) && w.text.contains(letter));
            let file = words
                .iter()
                .find(|word| !word.text.starts_with('-') || word.text == "-");
            !has('c') && (has('s') || file.is_none_or(|file| file.text == "-"))
        }
        _ if INTERPRETERS.contains(&program) => words.first().is_none_or(|word| word.text == "-"),
        _ => false,
    }
}
