//! The programs that a command starts: a program that merely starts another one, with its settings,
//! is not what the command does. The words after a starter are read as any other command, however
//! many starters are in a row.
//!
//! Not here: which starters there are (`starters/table.rs`), what shells and interpreters run
//! (`starters/shells.rs`), and what is dangerous (`rules.rs`).

mod blocks;
mod own;
mod rows;
mod shells;
mod table;

use super::options::Given;
use super::shell::{self, Word};
use super::text::Text;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;
pub(super) use table::Table;
use table::{Starter, Then};

/// Words of the shell that a command follows.
const KEYWORDS: [&str; 15] = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "coproc", "try", "catch",
    "finally", "@",
];
/// The factor by which more words are read in all that is started than the line has; no person
/// writes more.
const MOST_READ: usize = 16;

/// The reader of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Language {
    /// A shell as Unix has them.
    #[default]
    Posix,
    /// cmd or PowerShell.
    Windows,
    /// A program's own code, in which there may be commands.
    Code,
}

/// A program with its words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Run {
    /// The index of its name.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The index from which on its dangers are marked.
    pub(super) start: usize,
    /// Whether it is given words that are not in the line.
    pub(super) many: bool,
    /// Whether it is unknown if a program begins here.
    pub(super) is_guess: bool,
}

/// Words that are a script.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Script {
    from: usize,
    to: usize,
    /// The number of bytes of the first word that are none of it.
    skip: usize,
    pub(super) language: Language,
}

/// The meaning of a command's words.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// The programs.
    pub(super) runs: Vec<Run>,
    pub(super) scripts: Vec<Script>,
    /// Words that another one runs.
    pub(super) takes: Vec<(usize, usize)>,
    /// Files that are run as scripts, and who runs them.
    pub(super) files: Vec<(usize, usize)>,
    /// The program that runs what the command reads.
    pub(super) input: Option<usize>,
    /// The programs that give an administrator's rights.
    pub(super) admins: Vec<usize>,
    /// A program's own code.
    pub(super) code: Vec<usize>,
    /// The places where it is unknown what is run.
    pub(super) unseen: Vec<Range<usize>>,
}

impl Script {
    pub(super) fn text(&self, words: &[Word]) -> Text {
        let (mut text, mut skip) = (Text::default(), self.skip);
        for word in words.get(self.from..self.to).unwrap_or_default() {
            text.add(&word.script, core::mem::take(&mut skip));
        }
        match self.language {
            Language::Code => super::quotes::without_code(&text),
            Language::Posix | Language::Windows => text,
        }
    }
}

/// Reads the words of a command.
pub(super) fn read(words: &[Word], language: Language, table: &Table) -> Reading {
    let all = Run {
        to: words.len(),
        ..Run::default()
    };
    let mut starting = Starting {
        words,
        language,
        table,
        open: Vec::from([all]),
        seen: Vec::new(),
        left: MOST_READ * (words.len() + MOST_READ),
        reading: Reading::default(),
    };
    starting.seen.resize(words.len(), false);
    while let Some(run) = starting.open.pop() {
        starting.read(run);
    }
    starting.reading.runs.sort_by_key(|run| run.from);
    starting.reading
}

struct Starting<'a> {
    words: &'a [Word],
    language: Language,
    table: &'a Table,
    /// The runs that are not read yet.
    open: Vec<Run>,
    /// The words at which a program was looked for.
    seen: Vec<bool>,
    /// The number of words that are read yet.
    left: usize,
    reading: Reading,
}

impl<'a> Starting<'a> {
    fn read(&mut self, mut run: Run) {
        let begins = self.begins(run);
        run.start = if run.start < run.from {
            run.start
        } else {
            begins
        };
        self.settings(run.from..begins);
        run.from = begins;
        let is_new = self.seen.get_mut(run.from).filter(|seen| !**seen);
        let Some(seen) = is_new.filter(|_| run.from < run.to) else {
            return;
        };
        *seen = true;
        let name = self.name(run.from);
        if self.is_special(&name, run) {
            return;
        }
        match self.table.find(&name, &self.words[run.from + 1..run.to]) {
            Some((starter, verbs)) => self.start(run, starter, run.from + 1 + verbs),
            None => self.program(run),
        }
    }

    fn text(&self, at: usize) -> &'a str {
        self.words.get(at).map_or("", Word::text)
    }

    fn name(&self, at: usize) -> Cow<'a, str> {
        shell::name(self.text(at))
    }

    /// Returns the index where the program begins: its settings, and words of the shell, are before
    /// it.
    fn begins(&self, run: Run) -> usize {
        let mut at = run.from;
        while at < run.to {
            let (text, next) = (self.text(at), self.text(at + 1));
            at += match text {
                "function" => 2,
                _ if KEYWORDS.contains(&text) || is_setting(text) => 1,
                // PowerShell's `$name = …`
                _ if text.starts_with('$') && matches!(next, "=" | "+=") => 2,
                _ => return at,
            };
        }
        at
    }

    /// Reads a program that reads its words in its own way; returns whether it is one.
    fn is_special(&mut self, name: &str, run: Run) -> bool {
        let is_block = blocks::has(name);
        match name {
            "find" | "gfind" | "bfs" => self.clauses(run, &["-exec", "-execdir", "-ok", "-okdir"]),
            "fd" | "fdfind" => self.clauses(run, &["-x", "-X", "--exec", "--exec-batch"]),
            "eval" | "iex" | "invoke-expression" => self.evaluates(run),
            "source" | "." => self.sources(run),
            "trap" => self.script(run, run.from + 1, run.from + 2),
            "parallel" => self.parallel(run),
            "git" => self.git(run),
            "alias" | "tar" | "gtar" | "bsdtar" => self.values(run),
            "concurrently" | "conc" => self.each_script(run),
            "nix" => self.behind(run, &["-c", "--command"]),
            "vim" | "nvim" | "vi" | "ex" | "gvim" | "view" | "less" => self.editor(run),
            "sed" | "gsed" => self.sed(run),
            "make" | "gmake" if self.reads_rules(run) => {
                self.push(run);
                self.reading.input.get_or_insert(run.from);
            }
            _ if is_block => self.blocks(run),
            _ => return self.is_interpreter(name, run),
        }
        true
    }

    /// Notes a program that starts nothing, as far as is known.
    fn program(&mut self, run: Run) {
        if !self.push(run) || blocks::has_operands(&self.name(run.from)) {
            return;
        }
        let words = &self.words[run.from..run.to];
        let dashes = words.iter().position(|word| word.text() == "--");
        if let Some(dashes) = dashes {
            self.guess(run.from + dashes + 1, run);
        }
    }

    /// Notes a program, as long as there are not too many of them.
    fn push(&mut self, run: Run) -> bool {
        let left = self.left.checked_sub(run.to - run.from);
        self.left = left.unwrap_or_default();
        if left.is_none() {
            self.open.clear();
            self.reading.unseen.push(run.from..run.from + 1);
            return false;
        }
        self.reading.runs.push(run);
        true
    }

    fn open(&mut self, from: usize, run: Run) {
        let start = if run.start < run.from {
            run.start
        } else {
            from
        };
        self.open.push(Run { from, start, ..run });
    }

    /// Notes that a program may begin here as well.
    fn guess(&mut self, from: usize, run: Run) {
        self.open.push(Run {
            from,
            start: from,
            is_guess: true,
            ..run
        });
    }

    fn script(&mut self, run: Run, from: usize, to: usize) {
        self.push(run);
        self.read_script(from, to.min(run.to), 0, self.language);
    }

    /// Notes a script. One of several words is read word by word once more, as a run is: else a
    /// long row of such starters would be read once for each of them.
    fn read_script(&mut self, from: usize, to: usize, skip: usize, language: Language) {
        if from >= to {
            return;
        }
        let again = if to - from > 1 { to - from } else { 0 };
        let left = self.left.checked_sub(again);
        self.left = left.unwrap_or_default();
        if left.is_none() {
            self.reading.unseen.push(from..from + 1);
            return;
        }
        self.reading.scripts.push(Script {
            from,
            to,
            skip,
            language,
        });
    }

    /// Reads a program that starts another one, from its options on.
    fn start(&mut self, run: Run, starter: &'static Starter, from: usize) {
        let mut given = Vec::new();
        let at = self.after_options(starter, run, from, &mut given);
        let (has_script, asks) = self.given(starter, run, &given);
        if starter.is_admin {
            self.reading.admins.push(run.from);
        }
        if starter.is_named || asks {
            self.push(run);
        }
        let run = Run {
            many: run.many || starter.is_many,
            ..run
        };
        match starter.then {
            _ if asks || has_script => {}
            _ if at >= run.to => {
                if starter.takes_input {
                    self.reading.input.get_or_insert(run.from);
                }
                if starter.is_admin {
                    self.push(run);
                }
            }
            Then::Words => self.open(at, run),
            Then::Script => self.read_script(at, run.to, 0, self.language),
        }
    }

    /// Returns the index where its own options and operands end.
    fn after_options(
        &self,
        starter: &Starter,
        run: Run,
        from: usize,
        given: &mut Vec<Given<'a>>,
    ) -> usize {
        let words = &self.words[..run.to];
        let (mut at, mut operands) = (from, starter.operands);
        while at < run.to {
            let text = self.text(at);
            if text == "--" {
                return (at + 1 + operands).min(run.to);
            }
            let is_set = starter.has_settings && (is_setting(text) || text == "-");
            if is_set {
                at += 1;
            } else if let Some(next) = starter.options.read(words, at, given) {
                at = next;
            } else if operands > 0 {
                at += 1;
                operands -= 1;
                if operands == 0 && !starter.is_mixed {
                    return at;
                }
            } else {
                break;
            }
        }
        at
    }

    /// Reads the scripts among its options, and looks for unknown options. Returns whether it has a
    /// script, and whether it only asks.
    fn given(&mut self, starter: &Starter, run: Run, given: &[Given<'a>]) -> (bool, bool) {
        let is_in = |options: &str, name: &str| options.split(' ').any(|option| option == name);
        let (mut has_script, mut asks) = (false, false);
        for option in given {
            asks |= is_in(starter.asks, option.name);
            if !option.is_known && starter.is_strict {
                self.reading.unseen.push(run.from..option.at + 1);
                self.guess(option.at + 2, run);
            }
            if let Some((at, skip)) = option.value
                && is_in(starter.scripts, option.name)
            {
                has_script = true;
                self.reading.takes.push((at, run.from));
                self.read_script(at, at + 1, skip, self.language);
            }
        }
        (has_script, asks)
    }
}

/// Whether the word is a setting, `NAME=value`.
pub(super) fn is_setting(word: &str) -> bool {
    let is_name = |name: &str| {
        let name = name.strip_suffix('+').unwrap_or(name);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    word.split_once('=').is_some_and(|(name, _)| is_name(name))
}
