//! A shell's command line as far as it matters here: simple commands, their words, and which
//! command runs another one's output. What a shell would expand stays as it is written.
//!
//! Not here: what a command does, what it starts (`starters.rs`), and here-documents
//! (`documents.rs`).

use super::documents::Documents;
use super::starters::{Language, Reading, Script, Table};
use super::steps::{Step, step};
use super::text::{SAID, Text};
use super::{quotes, starters};
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

/// The depth to which substitutions within substitutions are read; no person writes more.
const DEEPEST: usize = 8;
/// The most that is read again in substitutions and scripts: together this many times the length of
/// the line, and no more than [`MOST_BYTES`].
const MOST_READ: usize = 16;
const MOST_BYTES: usize = 192 * 1024;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// The word without its quotes.
    pub(super) script: Text,
    /// The place in the line, with the quotes.
    pub(super) range: Range<usize>,
    /// The list of commands with whose output it begins.
    pub(super) said: Option<Said>,
}

/// The list of commands with whose output a word begins, which is only known when it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) list: usize,
    /// Whether the output is given as a file, `<(…)`.
    pub(super) as_file: bool,
}

impl Word {
    pub(super) fn text(&self) -> &str {
        &self.script.text
    }
}

/// A simple command.
#[derive(Clone, Debug, Default)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// Files that it writes over or to.
    pub(super) writes_to: Vec<Word>,
    /// The taker of its output.
    pub(super) feeds: Option<Feed>,
    /// The programs that its words start.
    pub(super) reading: Reading,
    /// Whether another command's output is its input.
    pub(super) is_fed: bool,
    /// Whether a lone `&` is before it; in PowerShell that calls what a variable names.
    pub(super) is_called: bool,
    /// The input that it is given in the line itself.
    input: Option<Word>,
    language: Language,
}

impl Command {
    /// Whether nothing of it was read yet.
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.writes_to.is_empty() && self.input.is_none() && !self.is_fed
    }

    /// Whether it is in a program's own code.
    pub(super) fn is_code(&self) -> bool {
        self.language == Language::Code
    }
}

/// The taker of a command's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    /// A command, as its input.
    Input(usize),
    /// A word of another command: the number of the list that is substituted there.
    Said(usize),
}

/// The content of a line.
#[derive(Default)]
pub(super) struct Line {
    /// The commands, with those in its substitutions, and in the scripts that shells are given.
    pub(super) commands: Vec<Command>,
    /// The places of the programs that run a list's output, by list; `None` if no program does.
    pub(super) takers: Vec<Option<Range<usize>>>,
    /// The places that were not read any further.
    pub(super) unread: Vec<Range<usize>>,
}

/// Reads a line.
pub(super) fn read(documents: &Documents, table: &Table) -> Line {
    let line = documents.line.as_str();
    let mut reader = Reader {
        line: Line::default(),
        left: (MOST_READ * line.len()).min(MOST_BYTES),
        table,
    };
    let text = Text::of_line(line);
    let place = Place::default();
    reader.list(&text, 0..line.len(), place);
    for (calls, _) in &documents.code {
        let place = Place {
            language: Language::Code,
            ..Place::default()
        };
        reader.list(calls, 0..calls.text.len(), place);
    }
    reader.line
}

struct Reader<'a> {
    line: Line,
    /// The number of bytes that may still be read.
    left: usize,
    table: &'a Table,
}

/// The surroundings of a list of commands.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The taker of the output.
    taker: Option<Feed>,
    depth: usize,
    language: Language,
}

impl Reader<'_> {
    /// Reads a range as a list of commands.
    fn list(&mut self, text: &Text, within: Range<usize>, place: Place) {
        let Range { start: mut at, end } = within;
        let Some(left) = self.left.checked_sub(end - at) else {
            self.skip(text, at..end);
            return;
        };
        self.left = left;
        let mut command = self.begin(place);
        let mut redirects = Step::Word;
        while at < end {
            let (step, next) = step(&text.text, at, end);
            if next > at {
                at = next;
                match step {
                    Step::Pipe => command = self.pipe(command, place),
                    Step::End | Step::Beside => command = self.next(command, step, place),
                    Step::WritesTo | Step::Reads | Step::Input => redirects = step,
                    Step::Word => {}
                }
                continue;
            }
            let (word, next) = self.word(text, at..end, place);
            at = next.max(at + 1);
            let command = &mut self.line.commands[command];
            match core::mem::replace(&mut redirects, Step::Word) {
                Step::WritesTo => command.writes_to.push(word),
                Step::Input => command.input = Some(word),
                Step::Reads => {}
                Step::Word | Step::Pipe | Step::End | Step::Beside => command.words.push(word),
            }
        }
        self.finish(command, place.depth);
    }

    fn begin(&mut self, place: Place) -> usize {
        self.line.commands.push(Command {
            feeds: place.taker,
            language: place.language,
            ..Command::default()
        });
        self.line.commands.len() - 1
    }

    fn pipe(&mut self, command: usize, place: Place) -> usize {
        let follower = self.begin(place);
        self.line.commands[follower].is_fed = true;
        self.line.commands[command].feeds = Some(Feed::Input(follower));
        self.finish(command, place.depth);
        follower
    }

    fn next(&mut self, command: usize, step: Step, place: Place) -> usize {
        self.finish(command, place.depth);
        let last = self.line.commands.len() - 1;
        let is_free = command == last && self.line.commands[last].is_empty();
        let next = if is_free { last } else { self.begin(place) };
        self.line.commands[next].is_called = step == Step::Beside;
        next
    }

    /// Reads a word, and returns it with where it ends. Substitutions in it are read as commands.
    fn word(&mut self, text: &Text, within: Range<usize>, place: Place) -> (Word, usize) {
        let (from, end) = (within.start, within.end);
        let (mut word, mut at, mut quote) = (Word::default(), from, None);
        while let Some(piece) = quotes::next(text, at..end, quote, place.language, &word.script) {
            match piece {
                quotes::Piece::End => break,
                quotes::Piece::Quote { now, next } => (quote, at) = (now, next),
                quotes::Piece::Letter { c, place, next } => {
                    word.script.push(c, place);
                    at = next;
                }
                quotes::Piece::Dropped { next } => at = next,
                quotes::Piece::Opens { from, closing } => {
                    let is_first = word.script.text.is_empty();
                    let as_file = text.text[at..].starts_with(['<', '>']);
                    word.script.push(SAID, text.place(at));
                    let first = self.line.commands.len();
                    let takes = text.text[at..].starts_with('>');
                    let (list, next) = self.substitution(text, from..end, place.depth, closing);
                    if let Some(first) = self.line.commands.get_mut(first).filter(|_| takes) {
                        first.is_fed = true;
                    }
                    if is_first {
                        word.said = Some(Said { list, as_file });
                    }
                    at = next;
                }
            }
        }
        word.range = text.places(&(from..at));
        (word, at)
    }

    /// Reads up to the closing character, and returns the number of the list, and where the line
    /// goes on after that.
    fn substitution(
        &mut self,
        text: &Text,
        within: Range<usize>,
        depth: usize,
        closing: char,
    ) -> (usize, usize) {
        let Range { start, end } = within;
        let closes = quotes::closing(&text.text[start..end], closing);
        let closes = closes.map_or(end, |long| start + long);
        let list = self.line.takers.len();
        self.line.takers.push(None);
        let place = Place {
            taker: Some(Feed::Said(list)),
            depth: depth + 1,
            language: Language::Posix,
        };
        if depth < DEEPEST {
            self.list(text, start..closes, place);
        } else {
            self.skip(text, start..closes);
        }
        (list, (closes + closing.len_utf8()).min(end))
    }

    /// Finishes a command that has all its words: reads the programs that they start, and the
    /// scripts among them.
    fn finish(&mut self, command: usize, depth: usize) {
        let words = core::mem::take(&mut self.line.commands[command].words);
        if words.is_empty() {
            return;
        }
        let language = self.line.commands[command].language;
        let reading = starters::read(&words, language, self.table);
        let input = reading.input.and_then(|it| words.get(it));
        if let Some(runner) = input {
            self.takes_input(command, runner.range.clone(), depth);
        }
        for (word, runner) in &reading.takes {
            if let (Some(word), Some(runner)) = (words.get(*word), words.get(*runner)) {
                self.takes(word, runner.range.clone());
            }
        }
        for script in &reading.scripts {
            self.script(script.text(&words), script, command, depth);
        }
        self.line.commands[command].words = words;
        self.line.commands[command].reading = reading;
    }

    fn takes(&mut self, word: &Word, runner: Range<usize>) {
        let said = word.said.map(|said| said.list);
        if let Some(taker) = said.and_then(|list| self.line.takers.get_mut(list)) {
            *taker = Some(runner);
        }
    }

    /// Reads the input that is in the line itself as a script, which a shell runs.
    fn takes_input(&mut self, command: usize, runner: Range<usize>, depth: usize) {
        let Some(word) = self.line.commands[command].input.take() else {
            return;
        };
        self.takes(&word, runner);
        self.script(word.script, &Script::default(), command, depth);
    }

    /// Parses a quoted script (`sh -c '…'`) as if it were written inline; its output goes where the
    /// shell's output goes.
    fn script(&mut self, text: Text, script: &Script, command: usize, depth: usize) {
        let is_unknown = |c: char| c == SAID || c.is_whitespace();
        if text.text.chars().all(is_unknown) {
            return;
        }
        let long = text.text.len();
        if depth >= DEEPEST {
            self.skip(&text, 0..long);
            return;
        }
        let place = Place {
            taker: self.line.commands[command].feeds,
            depth: depth + 1,
            language: script.language,
        };
        self.list(&text, 0..long, place);
    }

    fn skip(&mut self, text: &Text, range: Range<usize>) {
        let piece = &text.text[range.clone()];
        let start = range.start + piece.len() - piece.trim_start().len();
        let end = range.start + piece.trim_end().len();
        if start < end {
            self.line.unread.push(text.places(&(start..end)));
        }
    }
}

/// Returns the program that a path leads to. A command of cmd's own may be in one word with its
/// switches.
pub(super) fn program(word: &str) -> &str {
    const OF_CMD: [&str; 6] = ["rd", "rmdir", "del", "erase", "deltree", "format"];
    let head = word.split_once('/').map(|(head, _)| head);
    if let Some(head) = head
        && OF_CMD.iter().any(|name| head.eq_ignore_ascii_case(name))
    {
        return head;
    }
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let endings = [".exe", ".EXE", ".cmd", ".bat", ".com"];
    let bare = endings.iter().find_map(|end| name.strip_suffix(end));
    bare.unwrap_or(name)
}

/// Returns the program in small letters, without the version that `npx rimraf@5` asks for.
pub(super) fn name(word: &str) -> Cow<'_, str> {
    let program = program(word);
    let version = program.find('@').filter(|at| *at > 0);
    let program = version.map_or(program, |at| &program[..at]);
    if program.bytes().any(|byte| byte.is_ascii_uppercase()) {
        program.to_ascii_lowercase().into()
    } else {
        program.into()
    }
}

/// Whether a program runs scripts as a shell.
pub(super) fn is_shell(program: &str) -> bool {
    const SHELLS: [&str; 14] = [
        "sh",
        "bash",
        "zsh",
        "dash",
        "ksh",
        "fish",
        "ash",
        "pwsh",
        "powershell",
        "csh",
        "tcsh",
        "mksh",
        "rbash",
        "nu",
    ];
    SHELLS.contains(&program)
}
