//! Programs that start others in their own way: clauses of `find`, commands of `parallel` and of
//! git, blocks of PowerShell.

use super::{Language, Run, Starting};

/// Whether a program is given a block of commands, or runs one for each of many things.
pub(super) fn has(name: &str) -> bool {
    const WITH_BLOCKS: [&str; 13] = [
        "foreach-object",
        "foreach",
        "%",
        "where-object",
        "where",
        "?",
        "invoke-command",
        "icm",
        "start-job",
        "start-threadjob",
        "measure-command",
        "&",
        "switch",
    ];
    WITH_BLOCKS.contains(&name)
}

/// Whether the words after `--` are operands of the program, and no other program.
pub(super) fn has_operands(name: &str) -> bool {
    const WITH_OPERANDS: [&str; 22] = [
        "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ls", "cat", "rm", "cp",
        "mv", "mkdir", "touch", "test", "head", "tail", "sed", "set", "chmod", "ln",
    ];
    WITH_OPERANDS.contains(&name)
}

impl Starting<'_> {
    /// Reads the clauses of a run, each a command for many files, up to its `;` or `+`.
    pub(super) fn clauses(&mut self, run: Run, begin: &[&str]) {
        if !self.push(run) {
            return;
        }
        let mut at = run.from + 1;
        while at < run.to {
            at += 1;
            if !begin.contains(&self.text(at - 1)) {
                continue;
            }
            let clause = &self.words[at..run.to];
            let ends = clause
                .iter()
                .position(|word| matches!(word.text(), ";" | "+"));
            let to = ends.map_or(run.to, |long| at + long);
            self.left = self.left.saturating_sub(to - at);
            self.open.push(Run {
                from: at,
                to,
                start: run.start,
                many: true,
                is_guess: run.is_guess,
            });
            at = to;
        }
    }

    /// Reads a run of GNU parallel, which puts a command together and has a shell run it.
    pub(super) fn parallel(&mut self, run: Run) {
        let is_list = |at: &usize| matches!(self.text(*at), ":::" | ":::+" | "::::" | "::::+");
        let lists = (run.from..run.to).find(is_list);
        let template = Run {
            to: lists.unwrap_or(run.to),
            ..run
        };
        let starter = super::rows::PARALLEL;
        let mut given = alloc::vec::Vec::new();
        let at = self.after_options(&starter, template, run.from + 1, &mut given);
        self.given(&starter, template, &given);
        self.push(run);
        if at < template.to {
            self.read_script(at, template.to, 0, Language::Posix);
            self.open.push(Run {
                from: at,
                many: true,
                start: at,
                ..template
            });
            return;
        }
        match lists {
            Some(lists) if self.text(lists) == ":::" => {
                for at in lists + 1..run.to {
                    self.read_script(at, at + 1, 0, Language::Posix);
                }
            }
            _ => self.reading.input = Some(run.from),
        }
    }

    /// Reads a run of git, which has verbs and settings that start other programs.
    pub(super) fn git(&mut self, run: Run) {
        self.push(run);
        for at in run.from + 1..run.to {
            let text = self.text(at);
            let runs = match (self.text(at - 1), text) {
                ("submodule", "foreach") | ("bisect", "run") => true,
                ("-c", setting) if setting.contains("=!") => {
                    let skip = setting.find("=!").map_or(0, |at| at + 2);
                    self.read_script(at, at + 1, skip, Language::Posix);
                    continue;
                }
                ("-c", setting) if super::own::is_run_by_git(setting) => {
                    let skip = setting.find('=').map_or(0, |at| at + 1);
                    self.read_script(at, at + 1, skip, Language::Posix);
                    continue;
                }
                (
                    "-x" | "--exec" | "--tree-filter" | "--index-filter" | "--env-filter"
                    | "--msg-filter" | "--commit-filter",
                    _,
                ) => {
                    self.read_script(at, at + 1, 0, Language::Posix);
                    continue;
                }
                _ => false,
            };
            if runs {
                let is_option = |at: &usize| !self.text(*at).starts_with('-');
                let from = (at + 1..run.to).find(is_option).unwrap_or(run.to);
                self.read_script(from, run.to, 0, Language::Posix);
                break;
            }
        }
    }

    /// Reads the block between braces.
    pub(super) fn blocks(&mut self, run: Run) {
        self.push(run);
        let opens = |at: &usize| self.text(*at).starts_with('{');
        if let Some(block) = (run.from + 1..run.to).find(opens) {
            self.read_script(block, run.to, 1, Language::Windows);
        }
    }
}
