//! The rules for commands that are dangerous beyond doubt. A new rule is a line in one of these
//! files and one in the table of `core/tests/stories/risks.rs`, where it also says what it must
//! leave alone.
//!
//! Not here: where a path leads (`paths.rs`), and programs that merely start a command
//! (`starters.rs`).

mod databases;
mod deletes;
mod downloads;
mod feeds;
mod git;
mod outside;
mod verbs;

use super::Risk;
use super::paths::Project;
use super::quotes;
use super::shell::{self, Command, Line, Word, program};
use super::starters::Run;
use super::text::SAID;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

pub(super) use databases::{destroyers, is_client};
pub(super) use verbs::Table as VerbTable;

pub(super) type Found = (Risk, Range<usize>);

/// A program with its words, as the rules look at it.
struct Called<'a> {
    /// The name without its folder, in small letters.
    name: Cow<'a, str>,
    /// The words from its name on.
    words: &'a [Word],
    /// Whether it is given words that are not in the line.
    many: bool,
    /// Whether the output of another command is its input.
    is_fed: bool,
}

/// The surroundings in which a command works.
struct Where<'a> {
    project: &'a Project,
    /// Whether an earlier command has changed the directory.
    moved: bool,
    /// Programs whose verbs are dangerous.
    verbs: &'a VerbTable,
    line: &'a Line,
}

impl Where<'_> {
    fn is_outside(&self, path: &str) -> bool {
        self.project.is_left_by(path, self.moved)
    }
}

/// Returns everything found in a line.
pub(super) fn found(line: &Line, project: &Project, verbs: &VerbTable) -> Vec<Found> {
    let mut found = feeds::found(line);
    found.extend(downloads::found(line));
    let unread = line.unread.iter();
    found.extend(unread.map(|range| (Risk::RunsUnseen, range.clone())));
    let is_powershell = line.commands.iter().any(is_cmdlet);
    let mut place = Where {
        project,
        moved: false,
        verbs,
        line,
    };
    for command in in_order(line) {
        of_command(command, &place, is_powershell, &mut found);
        place.moved |= command.reading.runs.iter().any(|run| moves(command, run));
    }
    found
}

/// Returns the commands in the order of the line: scripts are read after the commands that they
/// belong to.
fn in_order(line: &Line) -> Vec<&Command> {
    let mut commands: Vec<&Command> = line.commands.iter().collect();
    let start = |command: &&Command| command.words.first().map_or(0, |word| word.range.start);
    commands.sort_by_key(start);
    commands
}

fn of_command(command: &Command, place: &Where<'_>, is_powershell: bool, found: &mut Vec<Found>) {
    let (words, reading) = (&command.words, &command.reading);
    let files = command.writes_to.iter();
    let outside = files.filter(|file| place.is_outside(file.text()));
    found.extend(outside.map(|file| (Risk::Outside, file.range.clone())));
    let admins = reading.admins.iter().filter_map(|at| words.get(*at));
    found.extend(admins.map(|word| (Risk::Admin, word.range.clone())));
    for unseen in &reading.unseen {
        found.extend(span(words, unseen.start, unseen.end.saturating_sub(1)).map(unseen_at));
    }
    for word in reading.code.iter().filter_map(|at| words.get(*at)) {
        let deleters = quotes::deleters(word.text()).into_iter();
        found.extend(deleters.map(|range| (Risk::Deletes, word.script.places(&range))));
    }
    let is_computed = command.is_computed(is_powershell);
    for run in &reading.runs {
        of_run(command, run, place, found);
        let is_unseen = is_computed && !run.is_guess && is_computed_name(&words[run.from..run.to]);
        if is_unseen {
            found.push(unseen_at(words[run.from].range.clone()));
        }
    }
}

fn of_run(command: &Command, run: &Run, place: &Where<'_>, found: &mut Vec<Found>) {
    let called = Called {
        name: name(&command.words[run.from]),
        words: &command.words[run.from..run.to],
        many: run.many,
        is_fed: command.is_fed,
    };
    let deletes = deletes::last(&called).map(|last| (Risk::Deletes, last));
    let rewrites = git::rewrites(&called)
        .or_else(|| outside::deep(&called))
        .map(|last| (Risk::Rewrites, last));
    let data = databases::last(&called).map(|last| (Risk::Deletes, last));
    let all = [deletes, rewrites, data, place.verbs.last(&called)];
    let spans = all.into_iter().flatten().filter_map(|(risk, last)| {
        let range = span(&command.words, run.start, run.from + last)?;
        Some((risk, range))
    });
    found.extend(spans);
    let unseen = git::unseen_pushes(&called, |list| says_by_git(place.line, list));
    let unseen = unseen.and_then(|last| span(&command.words, run.start, run.from + last));
    found.extend(unseen.map(unseen_at));
    let files = outside::files(&called).into_iter();
    let words = files.filter_map(|at| called.words.get(at));
    let outside = words.filter(|word| place.is_outside(outside::path(word)));
    found.extend(outside.map(|word| (Risk::Outside, word.range.clone())));
}

/// Whether a substitution runs git, for the name of a branch, say.
fn says_by_git(line: &Line, list: usize) -> bool {
    let mut commands = line.commands.iter();
    let said = commands.find(|command| command.feeds == Some(shell::Feed::Said(list)));
    let first = said.and_then(|command| command.words.first());
    first.is_some_and(|word| name(word) == "git")
}

fn unseen_at(range: Range<usize>) -> Found {
    (Risk::RunsUnseen, range)
}

/// Returns the range from one word to another.
fn span(words: &[Word], first: usize, last: usize) -> Option<Range<usize>> {
    let (first, last) = (&words.get(first)?.range, &words.get(last)?.range);
    let (start, end) = (first.start.min(last.start), first.end.max(last.end));
    Some(start..end)
}

fn name(word: &Word) -> Cow<'_, str> {
    shell::name(word.text())
}

fn moves(command: &Command, run: &Run) -> bool {
    let name = name(&command.words[run.from]);
    matches!(
        name.as_ref(),
        "cd" | "pushd" | "chdir" | "sl" | "set-location" | "push-location"
    )
}

/// Whether it is only known when it runs which program that is.
fn is_computed_name(words: &[Word]) -> bool {
    let Some((word, rest)) = words.split_first() else {
        return false;
    };
    let name = program(word.text());
    let has_list = name.starts_with('{') && name.contains(',');
    // A pattern alone is one of `case`.
    let is_pattern = !rest.is_empty() && name.len() > 1 && name.contains(['*', '?']);
    let is_unknown = |c: char| matches!(c, '$' | SAID);
    // Variables of the shell itself, and words in braces, are no computed names.
    let is_counted = matches!(name, "$" | "$$" | "$?" | "$!" | "$#");
    name == "{}" || has_list || is_pattern || name.contains(is_unknown) && !is_counted
}

/// Whether the command is a cmdlet such as `Remove-Item`: then a first word with `$` is a value,
/// and no program.
fn is_cmdlet(command: &Command) -> bool {
    let word = command.words.first().map_or("", Word::text);
    let Some((verb, noun)) = word.split_once('-') else {
        return word.starts_with("$env:") || word.starts_with("$_");
    };
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric())
    };
    is_word(verb) && is_word(noun)
}

impl Command {
    /// Whether the value of its first word may be a program.
    fn is_computed(&self, is_powershell: bool) -> bool {
        let second = self.words.get(1).map_or("", Word::text);
        !self.is_code() && (!is_powershell || self.is_called) && second != "in"
    }
}
