//! What in a command is dangerous: it is marked, named, and not allowed by one press. So is what it runs
//! that nobody can see there.
//!
//! Few marks: one that is often wrong is no longer read. A help, not a guard: a command can do harm in
//! many more ways, and a script that it runs is not looked into. Reading a command word by word is in
//! `risk/shell.rs`, whom it starts in `risk/starters.rs`, the rules are in `risk/rules.rs`.

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
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Longer commands are looked at up to here: what does not fit a surface is not allowed by one press
/// anyway.
const LOOKED_AT: usize = 64 * 1024;

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
    /// Runs what does not stand in it: what another program says, or one that is only known then.
    RunsUnseen,
    /// Reaches outside the project.
    Outside,
}

/// The words that are dangerous, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedRisk {
    /// Why.
    pub risk: Risk,
    /// Where they stand in the text, in bytes.
    pub range: Range<usize>,
    /// The words as they stand there.
    pub words: String,
}

/// What is dangerous in a command that runs in this directory, in the order in which it stands there.
pub fn of_command(command: &str, directory: &str) -> Vec<MarkedRisk> {
    let read = read(command);
    let line = shell::read(&documents::without_documents(read));
    let mut found = rules::found(&line, directory);
    found.sort_by_key(|(risk, range)| (range.start, range.end, *risk));
    found.dedup();
    let marked = |(risk, range): (Risk, Range<usize>)| {
        let words = read.get(range.clone())?.into();
        Some(MarkedRisk { risk, range, words })
    };
    found.into_iter().filter_map(marked).collect()
}

/// The programs that a command runs, in the order in which they stand there; who merely changes the
/// directory, or puts the others in an order, is left out.
pub(crate) fn programs(command: &str) -> Vec<String> {
    const ORDER: [&str; 14] = [
        "cd", "pushd", "popd", "for", "case", "esac", "done", "fi", "}", "set", "export", "[",
        "[[", "true",
    ];
    let line = shell::read(&documents::without_documents(read(command)));
    let mut words: Vec<&shell::Word> = line.commands.iter().flat_map(started).collect();
    words.sort_by_key(|word| word.range.start);
    let names = words.into_iter().map(|word| called(word.text()));
    let is_one = |name: &String| !name.is_empty() && !ORDER.contains(&name.as_str());
    names.filter(is_one).collect()
}

/// The words that are programs. Who starts nothing that could be read is named itself.
fn started(command: &shell::Command) -> Vec<&shell::Word> {
    let runs = command.reading.runs.iter().filter(|run| !run.is_guess);
    let programs: Vec<_> = runs.filter_map(|run| command.words.get(run.from)).collect();
    if !programs.is_empty() {
        return programs;
    }
    let starter = command.words.iter().find(|word| !word.text().contains('='));
    starter.into_iter().collect()
}

/// By its name where a system has its programs; anywhere else by its path, since any program may have any
/// name there. One that is only known when it is run stands as a substitution.
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

/// As much of it as is looked at.
fn read(command: &str) -> &str {
    &command[..command.floor_char_boundary(LOOKED_AT)]
}

/// What is dangerous about what becomes of a file: it is lost, or what is written lies outside.
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

/// Some sources tell a command as a pattern alone.
fn whole_pattern(pattern: &str, directory: &str) -> Vec<MarkedRisk> {
    let mut marks = of_command(pattern, directory);
    marks.dedup_by_key(|mark| mark.risk);
    let of_whole = |mark: MarkedRisk| MarkedRisk {
        range: 0..pattern.len(),
        words: pattern.into(),
        ..mark
    };
    marks.into_iter().map(of_whole).collect()
}

impl Ask {
    /// What is dangerous about allowing it.
    pub fn risks(&self) -> Vec<MarkedRisk> {
        match &self.kind {
            AskContent::Permission(permission) => permission.risks(&self.session.directory),
            AskContent::Questions(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => {
                Vec::new()
            }
        }
    }
}

impl Permission {
    /// What is dangerous about it, in a project that lies in this directory.
    pub fn risks(&self, directory: &str) -> Vec<MarkedRisk> {
        match self
            .command
            .as_deref()
            .filter(|command| !command.trim().is_empty())
        {
            Some(command) => of_command(command, directory),
            None if self.permission == "external_directory" => {
                self.outside(|path| !paths::is_inside(path, directory))
            }
            None if self.is_edit() => {
                let is_rooted = !self.root.is_empty();
                let project = if is_rooted { &self.root } else { directory };
                let is_outside = |path: &str| paths::is_outside(path, project, false);
                let mut marks = self.outside(is_outside);
                marks.extend(
                    self.files
                        .iter()
                        .flat_map(|change| of_file(change, is_outside)),
                );
                marks.dedup();
                marks
            }
            None if self.is_of_shell() => self
                .patterns
                .iter()
                .flat_map(|it| whole_pattern(it, directory))
                .collect(),
            None => Vec::new(),
        }
    }

    /// A pattern of a search, say, may look like a command.
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
