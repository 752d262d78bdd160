//! The outline of the commands, which the program itself prints in a language (`beckon outline`).

use crate::shell;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

/// A command, and the commands below it.
#[derive(Debug, Deserialize)]
pub(super) struct OutlinedCommand {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) usage: String,
    pub(super) arguments: Vec<OutlinedArgument>,
    pub(super) commands: Vec<OutlinedCommand>,
}

/// A flag, option or positional argument.
#[derive(Debug, Deserialize)]
pub(super) struct OutlinedArgument {
    pub(super) long: Option<String>,
    pub(super) short: Option<char>,
    pub(super) value: Option<String>,
    pub(super) values: Vec<String>,
    pub(super) is_file: bool,
    pub(super) repeats: bool,
    pub(super) help: String,
}

impl OutlinedArgument {
    pub(super) fn is_positional(&self) -> bool {
        self.long.is_none() && self.short.is_none()
    }

    /// Returns all ways to write it: `--wait`, `-h`.
    pub(super) fn flags(&self) -> Vec<String> {
        let short = self.short.map(|letter| format!("-{letter}"));
        short
            .into_iter()
            .chain(self.long.as_ref().map(|name| format!("--{name}")))
            .collect()
    }

    /// Tells whether the argument names a waiting request.
    pub(super) fn is_request(&self) -> bool {
        self.is_positional() && self.value.as_deref() == Some("ID")
    }
}

/// A command with the words that lead to it: `["telegram", "pair"]`.
pub(super) struct PlacedCommand<'a> {
    pub(super) path: Vec<&'a str>,
    pub(super) command: &'a OutlinedCommand,
}

impl OutlinedCommand {
    /// Returns this command and all below it, in order; its own path is empty.
    pub(super) fn all(&self) -> Vec<PlacedCommand<'_>> {
        let mut found = vec![PlacedCommand {
            path: Vec::new(),
            command: self,
        }];
        for below in &self.commands {
            found.extend(below.all().into_iter().map(|mut placed| {
                placed.path.insert(0, &below.name);
                placed
            }));
        }
        found
    }
}

impl PlacedCommand<'_> {
    /// Tells whether the command has an argument that names a waiting request. Only commands of the
    /// first level have: the id of `telegram unpair` is a person's.
    pub(super) fn takes_a_request(&self) -> bool {
        self.path.len() == 1
            && self
                .command
                .arguments
                .iter()
                .any(OutlinedArgument::is_request)
    }
}

/// Runs the program for its outline. `language` is a locale: `en_US.UTF-8`.
pub(super) fn of(program: &Path, language: &str) -> Result<OutlinedCommand> {
    let mut command = shell::command(&program.to_string_lossy(), &["outline"]);
    // The settings of this machine's user must not choose the language.
    let nowhere = shell::target().join("packages/made-of/no-home");
    command
        .env("BECKON_HOME", nowhere)
        .env("LC_ALL", language)
        .env("LANGUAGE", "");
    let told = shell::output(&mut command)?;
    serde_json::from_str(&told).context("failed to read what `beckon outline` tells")
}
