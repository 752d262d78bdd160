//! Scripts that a shell runs and that are not in the line: a download, or the output of another
//! program.

use super::super::Risk;
use super::super::shell::{Command, Feed, Line, Word};
use super::{Found, name, unseen_at};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

/// The programs that print what others have written.
const DOWNLOADERS: [&str; 12] = [
    "curl",
    "wget",
    "fetch",
    "iwr",
    "irm",
    "invoke-webrequest",
    "invoke-restmethod",
    "aria2c",
    "http",
    "https",
    "xh",
    "lynx",
];
/// The programs that print a shell's settings, as manuals recommend, with the word that belongs to
/// it.
const SETTINGS: [(&str, &str); 26] = [
    ("ssh-agent", ""),
    ("dircolors", ""),
    ("brew", "shellenv"),
    ("direnv", "hook"),
    ("direnv", "export"),
    ("pyenv", "init"),
    ("pyenv", "virtualenv-init"),
    ("rbenv", "init"),
    ("nodenv", "init"),
    ("goenv", "init"),
    ("fnm", "env"),
    ("mise", "activate"),
    ("mise", "env"),
    ("opam", "env"),
    ("conda", "shell.bash"),
    ("conda", "shell.zsh"),
    ("zoxide", "init"),
    ("starship", "init"),
    ("atuin", "init"),
    ("fzf", "--bash"),
    ("fzf", "--zsh"),
    ("kubectl", "completion"),
    ("minikube", "docker-env"),
    ("docker-machine", "env"),
    ("luarocks", "path"),
    ("thefuck", "--alias"),
];
/// The most programs that pass on a download; no person writes more.
const LONGEST_PIPE: usize = 32;

/// Finds downloads that are run, and output that is run unseen.
pub(super) fn found(line: &Line) -> Vec<Found> {
    let (mut found, mut runners) = (Vec::new(), BTreeSet::new());
    for command in &line.commands {
        let Some(download) = downloader(command) else {
            continue;
        };
        if let Some(runner) = runner(line, command) {
            runners.insert((runner.start, runner.end));
            found.push((Risk::RunsDownload, download.range.clone()));
            found.push((Risk::RunsDownload, runner));
        }
    }
    let said = line
        .commands
        .iter()
        .filter(|command| !says_settings(command));
    let said = said.filter_map(|command| match command.feeds? {
        feed @ Feed::Said(_) => taker(line, feed),
        Feed::Input(_) => None,
    });
    let fed = line.commands.iter().filter(|command| command.is_fed);
    let unseen = fed.filter_map(runs_input).chain(said);
    let unknown = unseen.filter(|runner| !runners.contains(&(runner.start, runner.end)));
    found.extend(unknown.map(unseen_at));
    found
}

pub(super) fn downloader(command: &Command) -> Option<&Word> {
    let runs = command.reading.runs.iter().filter(|run| !run.is_guess);
    let mut programs = runs.filter_map(|run| command.words.get(run.from));
    programs.find(|word| DOWNLOADERS.contains(&name(word).as_ref()))
}

fn says_settings(command: &Command) -> bool {
    let Some(run) = command.reading.runs.first() else {
        return false;
    };
    let words = command.words.get(run.from..run.to).unwrap_or_default();
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    let (name, second) = (name(first), rest.first().map_or("", Word::text));
    let mut known = SETTINGS.iter();
    known.any(|(program, verb)| *program == name && (verb.is_empty() || *verb == second))
}

/// Returns the program that runs the output of this command, however many pass it on.
fn runner(line: &Line, command: &Command) -> Option<Range<usize>> {
    let mut feed = command.feeds;
    for _ in 0..LONGEST_PIPE {
        if let Some(runner) = taker(line, feed?) {
            return Some(runner);
        }
        feed = match feed? {
            Feed::Input(next) => line.commands.get(next)?.feeds,
            Feed::Said(_) => None,
        };
    }
    None
}

/// Returns the program that runs the output, if the next one does.
fn taker(line: &Line, feed: Feed) -> Option<Range<usize>> {
    match feed {
        Feed::Input(next) => runs_input(line.commands.get(next)?),
        Feed::Said(list) => line.takers.get(list)?.clone(),
    }
}

/// Returns the place of a program that runs what it reads.
fn runs_input(command: &Command) -> Option<Range<usize>> {
    let word = command.words.get(command.reading.input?)?;
    Some(word.range.clone())
}
