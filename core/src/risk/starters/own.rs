//! Programs that have commands in words of their own: values of options and of settings, editors'
//! commands, `sed`'s `e`, rules that `make` reads.
//!
//! Not here: clauses and blocks (`blocks.rs`), shells and interpreters (`shells.rs`).

use super::{Language, Run, Starting};
use core::ops::Range;

/// Settings whose value another program runs.
const RUN_BY_OTHERS: [&str; 14] = [
    "GIT_SSH_COMMAND",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_PAGER",
    "GIT_EXTERNAL_DIFF",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "PROMPT_COMMAND",
    "LESSOPEN",
    "RSYNC_RSH",
];

/// Whether the value of a git setting is run.
pub(super) fn is_run_by_git(setting: &str) -> bool {
    const KEYS: [&str; 10] = [
        "core.pager",
        "core.editor",
        "core.sshcommand",
        "core.fsmonitor",
        "core.askpass",
        "sequence.editor",
        "diff.external",
        "credential.helper",
        "gpg.program",
        "gpg.ssh.program",
    ];
    let key = setting.split_once('=').map_or("", |(key, _)| key);
    let key = key.to_ascii_lowercase();
    KEYS.contains(&key.as_str()) || key.starts_with("pager.") || key.ends_with(".cmd")
}

impl Starting<'_> {
    /// Reads the settings before a program: what is run of them is a script.
    pub(super) fn settings(&mut self, words: Range<usize>) {
        for at in words {
            let Some((name, value)) = self.text(at).split_once('=') else {
                continue;
            };
            // A variable holds what the user has chosen for all their commands.
            if RUN_BY_OTHERS.contains(&name) && !value.starts_with('$') {
                self.read_script(at, at + 1, name.len() + 1, Language::Posix);
            }
        }
    }

    /// Reads `alias name='…'` and tar's options that run something.
    pub(super) fn values(&mut self, run: Run) {
        const OF_TAR: [&str; 5] = [
            "--to-command=",
            "--checkpoint-action=exec=",
            "--use-compress-program=",
            "--rsh-command=",
            "--info-script=",
        ];
        let is_alias = self.name(run.from) == "alias";
        self.push(run);
        for at in run.from + 1..run.to {
            let text = self.text(at);
            let long = if is_alias {
                text.find('=').map(|equals| equals + 1)
            } else {
                let option = OF_TAR.iter().find(|option| text.starts_with(**option));
                option.map(|option| option.len())
            };
            if let Some(long) = long {
                self.read_script(at, at + 1, long, self.language);
            }
        }
    }

    /// Reads each operand of the run as a script.
    pub(super) fn each_script(&mut self, run: Run) {
        self.push(run);
        for at in run.from + 1..run.to {
            if !self.text(at).starts_with('-') {
                self.read_script(at, at + 1, 0, self.language);
            }
        }
    }

    /// Reads a run in which a program follows one of these words.
    pub(super) fn behind(&mut self, run: Run, words: &[&str]) {
        self.push(run);
        let word = (run.from + 1..run.to).find(|at| words.contains(&self.text(*at)));
        let dashes = (run.from + 1..run.to).find(|at| self.text(*at) == "--");
        match word {
            Some(word) if dashes.is_none_or(|dashes| word < dashes) => self.open(word + 1, run),
            _ => self.packaged(run, dashes),
        }
    }

    /// Reads `nix run nixpkgs#bash -- …`: the program is the last part of the package's name, and
    /// its words follow the dashes.
    fn packaged(&mut self, run: Run, dashes: Option<usize>) {
        let Some(dashes) = dashes else {
            return;
        };
        let package = self.text(dashes.saturating_sub(1));
        let program = package.rsplit(['#', '.']).next().unwrap_or_default();
        if super::super::shell::is_shell(program) && self.text(dashes + 1).contains('c') {
            self.read_script(dashes + 2, dashes + 3, 0, Language::Posix);
        } else {
            self.guess(dashes + 1, run);
        }
    }

    /// Reads an editor's run, whose `-c ':!…'` and `+'!…'` are given to a shell.
    pub(super) fn editor(&mut self, run: Run) {
        self.push(run);
        for at in run.from + 1..run.to {
            let text = self.text(at);
            let is_command =
                text.starts_with('+') || matches!(self.text(at - 1), "-c" | "--cmd" | "-S");
            let bare = text.trim_start_matches(['+', ':', '%', ' ']);
            if is_command && bare.starts_with('!') {
                let skip = text.len() - bare.len() + 1;
                self.read_script(at, at + 1, skip, Language::Posix);
            }
        }
    }

    /// Reads a run of GNU sed, which runs what `s/…/…/e` makes of a line, and what follows its
    /// command `e`.
    pub(super) fn sed(&mut self, run: Run) {
        self.push(run);
        for at in run.from + 1..run.to {
            if runs_lines(self.text(at)) {
                self.reading.unseen.push(run.from..at + 1);
            }
        }
    }

    /// Whether the run reads its rules from the input, as `make -f -` does.
    pub(super) fn reads_rules(&self, run: Run) -> bool {
        (run.from + 1..run.to).any(|at| {
            let text = self.text(at);
            let next = self.text(at + 1);
            text == "-f-" || matches!(text, "-f" | "--file" | "--makefile") && next == "-"
        })
    }
}

/// Whether a script of sed runs commands.
fn runs_lines(script: &str) -> bool {
    let address = |c: char| c.is_ascii_digit() || matches!(c, '$' | ',');
    let bare = script.trim_start_matches(address);
    if script.len() > bare.len() && (bare == "e" || bare.starts_with("e ")) {
        return true;
    }
    let Some(rest) = bare.strip_prefix('s') else {
        return false;
    };
    let Some(sign) = rest.chars().next().filter(|c| c.is_ascii_punctuation()) else {
        return false;
    };
    let parts: alloc::vec::Vec<&str> = rest[1..].split(sign).collect();
    let is_flag = |c: char| c.is_ascii_digit() || "gpeiImM".contains(c);
    let flags = parts.get(2).filter(|_| parts.len() == 3);
    flags.is_some_and(|flags| flags.contains('e') && flags.chars().all(is_flag))
}
