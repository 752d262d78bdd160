//! A shell's command line as far as it matters here: simple commands, their words, and who runs on what
//! another one says. What a shell would expand stays as it is written.
//!
//! Not here: what a command does, and here-documents (`documents.rs`).

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Substitutions within substitutions are read so deep; no person writes more.
const DEEPEST: usize = 8;
/// What stands in a substitution, or in a script, is read again; together no more than so many times
/// the length of the line.
const MOST_READ: usize = 16;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Without its quotes.
    pub(super) text: String,
    /// Where it stands, with them.
    pub(super) range: Range<usize>,
}

/// A simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// Files that it writes over or to.
    pub(super) writes_to: Vec<Word>,
    /// Who takes what it says.
    pub(super) feeds: Option<Feed>,
    /// A shell is among its words.
    has_shell: bool,
}

/// A command that takes what another one says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feed {
    /// As its input.
    Input(usize),
    /// As a script that it runs.
    Script(usize),
}

/// All commands of a line, with those in its substitutions, and in the scripts that shells are given in
/// quotes.
pub(super) fn commands(line: &str) -> Vec<Command> {
    let mut reader = Reader {
        line,
        commands: Vec::new(),
        left: MOST_READ * line.len(),
    };
    reader.list(0, line.len(), None, 0);
    reader.commands
}

struct Reader<'a> {
    line: &'a str,
    commands: Vec<Command>,
    /// So many bytes are read yet.
    left: usize,
}

/// What stands before the next word.
enum Step {
    /// The command goes on.
    Word,
    /// Its output goes to the next one.
    Pipe,
    /// It is over.
    End,
    /// The next word is a file that it writes to.
    WritesTo,
    /// The next word is a file that it reads, or its input.
    Reads,
}

impl Reader<'_> {
    /// Reads what stands in a range as a list of commands, whose output that one takes.
    fn list(&mut self, mut at: usize, end: usize, taker: Option<Feed>, depth: usize) {
        let Some(left) = self.left.checked_sub(end - at) else {
            return;
        };
        self.left = left;
        let mut command = self.begin(taker);
        let mut redirects = Step::Word;
        while at < end {
            let (step, next) = self.step(at, end);
            if next > at {
                at = next;
                match step {
                    Step::Pipe => {
                        let follower = self.begin(taker);
                        self.commands[command].feeds = Some(Feed::Input(follower));
                        command = follower;
                    }
                    Step::End => command = self.begin(taker),
                    Step::WritesTo | Step::Reads => redirects = step,
                    Step::Word => {}
                }
                continue;
            }
            let (word, next) = self.word(at, end, command, depth);
            at = next.max(at + 1);
            match core::mem::replace(&mut redirects, Step::Word) {
                Step::WritesTo => self.commands[command].writes_to.push(word),
                Step::Reads => {}
                Step::Word | Step::Pipe | Step::End => self.commands[command].push(word),
            }
        }
    }

    fn begin(&mut self, feeds: Option<Feed>) -> usize {
        self.commands.push(Command {
            feeds,
            ..Command::default()
        });
        self.commands.len() - 1
    }

    /// Blanks, operators and comments; nothing where a word begins.
    fn step(&self, at: usize, end: usize) -> (Step, usize) {
        let rest = &self.line[at..end];
        let starts = |with: &[&str]| {
            with.iter()
                .find(|it| rest.starts_with(**it))
                .map(|it| it.len())
        };
        // A substitution is part of a word.
        if rest.starts_with("<(") || rest.starts_with(">(") {
            return (Step::Word, at);
        }
        if let Some(long) = starts(&["\\\r\n", "\\\n", " ", "\t"]) {
            return (Step::Word, at + long);
        }
        if rest.starts_with('#') {
            let long = rest.find('\n').unwrap_or(rest.len());
            return (Step::End, at + long);
        }
        if let Some(long) = starts(&["||", "&&", ";;", ";", "\r", "\n", "(", ")"]) {
            return (Step::End, at + long);
        }
        if let Some(long) = starts(&["|&", "|"]) {
            return (Step::Pipe, at + long);
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        self.redirect(at, at + digits, end)
            .unwrap_or_else(|| match rest.starts_with('&') {
                true => (Step::End, at + 1),
                false => (Step::Word, at),
            })
    }

    fn redirect(&self, from: usize, at: usize, end: usize) -> Option<(Step, usize)> {
        let rest = &self.line[at..end];
        let of = |with: &[&str]| {
            with.iter()
                .find(|it| rest.starts_with(**it))
                .map(|it| it.len())
        };
        if from == at
            && let Some(long) = of(&["&>>", "&>"])
        {
            return Some((Step::WritesTo, at + long));
        }
        if rest.starts_with("<(") || rest.starts_with(">(") {
            return None;
        }
        if let Some(long) = of(&["<<<", "<<-", "<<", "<&", ">&"]) {
            return Some((Step::Reads, at + long));
        }
        if let Some(long) = of(&[">>", ">|", "<>", ">"]) {
            return Some((Step::WritesTo, at + long));
        }
        of(&["<"]).map(|long| (Step::Reads, at + long))
    }

    /// A word, and where it ends. What is substituted in it is read as commands.
    fn word(&mut self, from: usize, end: usize, command: usize, depth: usize) -> (Word, usize) {
        let (mut at, mut text, mut quote) = (from, String::new(), None);
        while let Some(c) = self.line[at..end].chars().next() {
            let rest = &self.line[at..end];
            let next = at + c.len_utf8();
            let opens = ["$(", "<(", ">("].iter().any(|it| rest.starts_with(it));
            // What a word begins with can be a script as a whole.
            let taker = text
                .is_empty()
                .then(|| self.commands[command].takes_script(c == '<'));
            let taker = taker.unwrap_or(false).then_some(Feed::Script(command));
            match (quote, c) {
                (Some(open), _) if c == open => (quote, at) = (None, next),
                (None, '\'' | '"') => (quote, at) = (Some(c), next),
                (None | Some('"'), '\\') => {
                    let escaped = self.line[next..end].chars().next();
                    text.extend(escaped);
                    at = next + escaped.map_or(0, char::len_utf8);
                }
                (None | Some('"'), '$' | '<' | '>') if opens && (quote.is_none() || c == '$') => {
                    at = self.substitution(at + 2..end, taker, depth, ')');
                    text.push(' ');
                }
                (None | Some('"'), '`') => {
                    at = self.substitution(next..end, taker, depth, '`');
                    text.push(' ');
                }
                (None, ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>') => break,
                (_, c) => {
                    text.push(c);
                    at = next;
                }
            }
        }
        let word = Word {
            text,
            range: from..at,
        };
        if depth < DEEPEST && self.commands[command].takes_script(false) {
            self.script(&word, command, depth);
        }
        (word, at)
    }

    /// Reads up to the closing character, and gives where it goes on after that.
    fn substitution(
        &mut self,
        within: Range<usize>,
        taker: Option<Feed>,
        depth: usize,
        closing: char,
    ) -> usize {
        let Range { start, end } = within;
        let closes = closing_of(&self.line[start..end], closing).map_or(end, |long| start + long);
        if depth < DEEPEST {
            self.list(start, closes, taker, depth + 1);
        }
        (closes + closing.len_utf8()).min(end)
    }

    /// A script that stands in quotes is read as if it stood there without: who takes what the shell
    /// says takes what that says.
    fn script(&mut self, word: &Word, command: usize, depth: usize) {
        let quoted = &self.line[word.range.clone()];
        let Some(quote) = quoted.chars().next().filter(|c| matches!(c, '"' | '\'')) else {
            return;
        };
        let closed = usize::from(quoted.len() > 1 && quoted.ends_with(quote));
        let (from, end) = (word.range.start + 1, word.range.end - closed);
        self.list(from, end, self.commands[command].feeds, depth + 1);
    }
}

/// Where a substitution closes: others may stand in it, and quotes.
fn closing_of(text: &str, closing: char) -> Option<usize> {
    let (mut open, mut quote, mut escaped) = (0_usize, None, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quote != Some('\'') => escaped = true,
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            _ if c == closing && open == 0 => return Some(at),
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The program that a path leads to.
pub(super) fn program(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Who runs a script.
pub(super) fn is_shell(program: &str) -> bool {
    const SHELLS: [&str; 9] = [
        "sh",
        "bash",
        "zsh",
        "dash",
        "ksh",
        "fish",
        "ash",
        "pwsh",
        "powershell",
    ];
    SHELLS.contains(&program)
}

impl Command {
    fn push(&mut self, word: Word) {
        self.has_shell |= is_shell(program(&word.text));
        self.words.push(word);
    }

    /// Is its next word a script? `from_a_process`: one that a shell reads as a file.
    fn takes_script(&self, from_a_process: bool) -> bool {
        let Some(last) = self.words.last() else {
            return false;
        };
        let option = last.text.strip_prefix('-');
        let asks = option.is_some_and(|o| o.ends_with('c') || o.eq_ignore_ascii_case("command"));
        let reads = || matches!(self.words[0].text.as_str(), "source" | ".");
        self.has_shell && (asks || from_a_process)
            || self.words[0].text == "eval"
            || from_a_process && reads()
    }
}
