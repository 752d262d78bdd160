//! The dangers of a command: each is marked, named, and not allowed by one press. So is what a
//! command runs that cannot be seen in it.
//!
//! Few marks: one that is often wrong is no longer read. A help, not a guard: a command can do harm
//! in many more ways, and a script that it runs is not looked into. Reading a command word by word
//! is in `risk/shell.rs`, the programs that it starts in `risk/starters.rs`, the rules are in
//! `risk/rules.rs`.

mod arguments;
mod documents;
mod options;
mod paths;
mod quotes;
mod rules;
mod shell;
mod starters;
mod steps;
mod text;

use crate::{Ask, AskContent, FileChange, Permission};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use paths::Project;

/// The length up to which a command is looked at, in bytes: what does not fit a surface is not
/// allowed by one press anyway.
const LOOKED_AT: usize = 64 * 1024;
/// The number of marks of a permission, besides one of each kind that comes later in the text. A
/// surface has no room for more.
const MOST_MARKS: usize = 200;

/// A kind of harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Risk {
    /// Deletes files, recursively or without asking.
    Deletes,
    /// Runs with the rights of an administrator.
    Admin,
    /// Replaces what others may have pulled, or throws away what was not committed.
    Rewrites,
    /// Runs what it has just downloaded.
    RunsDownload,
    /// Runs commands that cannot be seen in it: another program's output, or a program that is only
    /// known when it runs.
    RunsUnseen,
    /// Reaches outside the project.
    Outside,
}

/// The words that are dangerous, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedRisk {
    /// The harm that they do.
    pub risk: Risk,
    /// The place in the text, in bytes.
    pub range: Range<usize>,
    /// The marked words of the text.
    pub words: String,
}

/// The knowledge of programs, by their names: made once for all commands of a permission.
struct Tables {
    starters: starters::Table,
    verbs: rules::VerbTable,
}

impl Tables {
    fn new() -> Self {
        Self {
            starters: starters::Table::new(),
            verbs: rules::VerbTable::new(),
        }
    }
}

/// The number of bytes of several commands, together, that are still looked at.
struct Looked(usize);

impl Looked {
    /// Returns as much of a command as is looked at.
    fn at<'a>(&mut self, command: &'a str) -> &'a str {
        let seen = &command[..command.floor_char_boundary(self.0)];
        self.0 -= seen.len();
        seen
    }
}

/// Returns what is dangerous in a command that runs in this directory, in the order of the text.
pub fn of_command(command: &str, directory: &str) -> Vec<MarkedRisk> {
    let seen = Looked(LOOKED_AT).at(command);
    of_seen(seen, &Project::new(directory), &Tables::new())
}

fn of_seen(seen: &str, project: &Project, tables: &Tables) -> Vec<MarkedRisk> {
    let documents = documents::without_documents(seen);
    let line = shell::read(&documents, &tables.starters);
    let mut found = rules::found(&line, project, &tables.verbs);
    for (_, range) in &documents.code {
        let code = &seen[range.clone()];
        let deleters = quotes::deleters(code).into_iter();
        let deleters = deleters.chain(rules::destroyers(code));
        let place = |it: Range<usize>| range.start + it.start..range.start + it.end;
        found.extend(deleters.map(|it| (Risk::Deletes, place(it))));
    }
    found.sort_by_key(|(risk, range)| (range.start, range.end, *risk));
    found.dedup();
    let marked = |(risk, range): (Risk, Range<usize>)| {
        let words = seen.get(range.clone())?.into();
        Some(MarkedRisk { risk, range, words })
    };
    found.into_iter().filter_map(marked).collect()
}

/// Returns the programs that commands run, in the order of the text. Commands that merely change
/// the directory, or put others in an order, are left out.
pub(crate) fn programs(commands: &[&str]) -> Vec<String> {
    let table = starters::Table::new();
    let mut looked = Looked(LOOKED_AT);
    let of = |command: &&str| programs_of(looked.at(command), &table);
    commands.iter().flat_map(of).collect()
}

fn programs_of(seen: &str, table: &starters::Table) -> Vec<String> {
    const ORDER: [&str; 14] = [
        "cd", "pushd", "popd", "for", "case", "esac", "done", "fi", "}", "set", "export", "[",
        "[[", "true",
    ];
    let line = shell::read(&documents::without_documents(seen), table);
    // A program's own code has words that look like programs.
    let commands = line.commands.iter().filter(|command| !command.is_code());
    let mut words: Vec<&shell::Word> = commands.flat_map(started).collect();
    words.sort_by_key(|word| word.range.start);
    let names = words.into_iter().map(|word| called(word.text()));
    let is_one = |name: &String| !name.is_empty() && !ORDER.contains(&name.as_str());
    names.filter(is_one).collect()
}

/// Returns the words that are programs. A command that starts nothing that could be read is named
/// itself.
fn started(command: &shell::Command) -> Vec<&shell::Word> {
    let runs = command.reading.runs.iter().filter(|run| !run.is_guess);
    let programs: Vec<_> = runs.filter_map(|run| command.words.get(run.from)).collect();
    if !programs.is_empty() {
        return programs;
    }
    let starter = command.words.iter().find(|word| !word.text().contains('='));
    starter.into_iter().collect()
}

/// Returns a program's name if it is where a system has its programs; else its path, since any
/// program may have any name there. A program that is only known when it is run is shown as a
/// substitution.
fn called(word: &str) -> String {
    const OF_THE_SYSTEM: [&str; 6] = [
        "/bin/",
        "/sbin/",
        "/usr/bin/",
        "/usr/sbin/",
        "/usr/local/bin/",
        "/opt/homebrew/bin/",
    ];
    let word = &word.replace(text::SAID, "$(…)");
    let name = shell::program(word);
    let is_of_the_system = |folder: &&str| word.strip_prefix(*folder) == Some(name);
    match word.trim() {
        "" => "$(…)".into(),
        _ if !word.contains(['/', '\\']) || OF_THE_SYSTEM.iter().any(is_of_the_system) => {
            name.into()
        }
        path => path.into(),
    }
}

/// Returns what is dangerous about the change of a file: it is lost, or what is written lies
/// outside.
fn of_file(change: &FileChange, is_outside: impl Fn(&str) -> bool) -> Vec<MarkedRisk> {
    let mut marks = Vec::new();
    if let FileChange::Delete(path) = change {
        marks.push(whole(Risk::Deletes, path));
    }
    let outside = change.paths().into_iter().filter(|path| is_outside(path));
    marks.extend(outside.map(|path| whole(Risk::Outside, path)));
    marks
}

fn whole(risk: Risk, path: &str) -> MarkedRisk {
    MarkedRisk {
        risk,
        range: 0..path.len(),
        words: path.into(),
    }
}

/// Returns the marks of patterns, since some sources tell a command as a pattern alone. Of each
/// kind of harm the whole pattern is marked once.
fn of_patterns(patterns: &[String], directory: &str) -> Vec<MarkedRisk> {
    let project = Project::new(directory);
    let tables = Tables::new();
    let mut looked = Looked(LOOKED_AT);
    let of_one = |pattern: &String| {
        let marks = of_seen(looked.at(pattern), &project, &tables);
        let kinds: BTreeSet<Risk> = marks.iter().map(|mark| mark.risk).collect();
        let marked = kinds.into_iter().map(|risk| whole(risk, pattern));
        marked.collect::<Vec<_>>()
    };
    patterns.iter().flat_map(of_one).collect()
}

/// Returns the first marks, and the first of each kind that is not among them.
fn first_of(mut marks: Vec<MarkedRisk>) -> Vec<MarkedRisk> {
    let rest = marks.split_off(marks.len().min(MOST_MARKS));
    let mut kinds: BTreeSet<Risk> = marks.iter().map(|mark| mark.risk).collect();
    let is_news = |mark: &MarkedRisk| kinds.insert(mark.risk);
    marks.extend(rest.into_iter().filter(is_news));
    marks
}

impl Ask {
    /// Returns what is dangerous about allowing it.
    pub fn risks(&self) -> Vec<MarkedRisk> {
        match &self.kind {
            AskContent::Permission(permission) => permission.risks(&self.session.directory),
            AskContent::Questions(questions) => {
                let consents = questions.iter().filter_map(|it| it.consent.as_ref());
                let commands: Vec<String> = consents.flat_map(|it| it.commands.clone()).collect();
                first_of(of_patterns(&commands, &self.session.directory))
            }
            AskContent::Confirm(_) | AskContent::Unknown(_) => Vec::new(),
        }
    }
}

impl Permission {
    /// Returns what is dangerous about it, in a project that lies in this directory.
    pub fn risks(&self, directory: &str) -> Vec<MarkedRisk> {
        let command = self.command.as_deref();
        let marks = match command.filter(|command| !command.trim().is_empty()) {
            Some(command) => {
                let mut marks = of_command(command, directory);
                let known: BTreeSet<Risk> = marks.iter().map(|mark| mark.risk).collect();
                let given = of_patterns(&arguments::command_lines(self), directory);
                let news = given.iter().map(|mark| mark.risk);
                let news: BTreeSet<Risk> = news.filter(|risk| !known.contains(risk)).collect();
                // A risk of another part of the permission has no place in the command, so it marks
                // the whole.
                marks.extend(news.into_iter().map(|risk| whole(risk, command)));
                marks.sort_by_key(|mark| (mark.range.start, mark.range.end, mark.risk));
                marks
            }
            None if self.permission == "external_directory" => {
                let project = Project::new(directory);
                self.outside(|path| !project.holds(path))
            }
            None if self.is_edit() => self.of_edit(directory),
            None => {
                let patterns = self.patterns.iter().filter(|_| self.is_of_shell());
                let lines = patterns.cloned().chain(arguments::command_lines(self));
                of_patterns(&lines.collect::<Vec<_>>(), directory)
            }
        };
        first_of(marks)
    }

    fn of_edit(&self, directory: &str) -> Vec<MarkedRisk> {
        let is_rooted = !self.root.is_empty();
        let project = Project::new(if is_rooted { &self.root } else { directory });
        let is_outside = |path: &str| project.is_left_by(path, false);
        let files = self.files.iter();
        let mut marks = self.outside(is_outside);
        marks.extend(files.flat_map(|change| of_file(change, is_outside)));
        marks.dedup();
        marks
    }

    /// Whether it is for a shell: a pattern of a search, say, may look like a command.
    fn is_of_shell(&self) -> bool {
        let shells = ["bash", "shell", "sh", "command", "execute", "run_command"];
        shells
            .iter()
            .any(|shell| self.permission.eq_ignore_ascii_case(shell))
    }

    fn outside(&self, is_outside: impl Fn(&str) -> bool) -> Vec<MarkedRisk> {
        let paths = self
            .patterns
            .iter()
            .filter(|path| !path.is_empty() && is_outside(path));
        paths.map(|path| whole(Risk::Outside, path)).collect()
    }
}
