//! Here-documents: the lines between `<<EOF` and `EOF` are text and no command, unless a program
//! runs them. Without quotes around the delimiter the shell itself runs the substitutions in them.
//!
//! Not here: what a command does (`shell.rs`).

use super::quotes;
use super::rules::is_client;
use super::shell::{is_shell, name, program};
use super::text::Text;
use alloc::collections::{BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The most documents that are looked for in the rest of the line, to see whether they are run
/// there. No person writes more; further ones count as run.
const MOST_LOOKS: usize = 32;

/// A line without its documents.
pub(super) struct Documents {
    /// The line with blanks in the documents' place, so that every other word stays where it was.
    pub(super) line: String,
    /// The documents that programs run as their own code.
    ///
    /// Of each the commands that it starts, and its range.
    pub(super) code: Vec<(Text, Range<usize>)>,
}

/// A document that a row begins.
#[derive(Clone, Copy)]
struct Document<'a> {
    end: &'a str,
    reader: Reader,
    is_quoted: bool,
}

/// The program that gets a document.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    /// A shell, here or on another machine.
    Shell,
    /// A program that runs its own code.
    Interpreter,
    /// Any other program.
    Other,
}

/// Separates a line from its documents.
pub(super) fn without_documents(line: &str) -> Documents {
    let rows: BTreeSet<&str> = line.lines().map(str::trim).collect();
    let mut shown = String::with_capacity(line.len());
    let mut code = Vec::new();
    let mut open: VecDeque<(Document<'_>, usize)> = VecDeque::new();
    let mut looks = MOST_LOOKS;
    let mut at = 0;
    for row in line.split_inclusive('\n') {
        let next = at + row.len();
        let Some((document, start)) = open.front().copied() else {
            shown.push_str(row);
            let begun = documents(row, &line[next..], &mut looks);
            // `$((1 << x))` begins no document.
            let begun = begun.filter(|it| it.reader != Reader::Shell && rows.contains(it.end));
            open.extend(begun.map(|document| (document, next)));
            at = next;
            continue;
        };
        let is_end = row.trim() == document.end;
        if is_end {
            show(&line[start..at], document, &mut shown);
            shown.extend(blanks(row));
            if document.reader == Reader::Interpreter {
                code.push((quotes::calls(line, start..at), start..at));
            }
            open.pop_front();
            if let Some((_, start)) = open.front_mut() {
                *start = next;
            }
        }
        at = next;
    }
    // The last document may have no end.
    let rest = line.get(shown.len()..).unwrap_or_default();
    shown.extend(blanks(rest));
    Documents { line: shown, code }
}

fn blanks(text: &str) -> impl Iterator<Item = char> {
    text.bytes()
        .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
}

/// Shows blanks, and the commands of the substitutions that the shell runs as commands of their
/// own.
fn show(text: &str, document: Document<'_>, shown: &mut String) {
    if document.is_quoted {
        shown.extend(blanks(text));
        return;
    }
    let mut at = 0;
    let mut is_escaped = false;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let opens = match c {
            _ if is_escaped => None,
            '$' if rest.starts_with("$(") => Some((2, ')')),
            '`' => Some((1, '`')),
            _ => None,
        };
        is_escaped = c == '\\' && !is_escaped;
        let Some((skip, closing)) = opens else {
            shown.extend(blanks(&rest[..c.len_utf8()]));
            at += c.len_utf8();
            continue;
        };
        let inner = &rest[skip..];
        let closes = quotes::closing(inner, closing);
        let long = closes.unwrap_or(inner.len());
        shown.extend(core::iter::repeat_n(';', skip));
        shown.push_str(&inner[..long]);
        at += skip + long;
        if closes.is_some() {
            shown.push(';');
            at += 1;
        }
    }
}

/// Returns the documents that begin in this row.
fn documents<'a>(
    row: &'a str,
    after: &str,
    looks: &mut usize,
) -> impl Iterator<Item = Document<'a>> + use<'a> {
    let head = row.split("<<").next().unwrap_or_default();
    let written = Some(row).filter(|row| row.contains("<<")).and_then(written);
    let is_run = written.is_some_and(|file| {
        let left = looks.checked_sub(1);
        *looks = left.unwrap_or_default();
        left.is_none() || runs_later(file, row, after)
    });
    let reader = if is_run { Reader::Shell } else { reader(head) };
    row.match_indices("<<").filter_map(move |(at, _)| {
        let (before, after) = (&row[..at], &row[at + 2..]);
        if before.ends_with('<') || after.starts_with('<') {
            return None;
        }
        let word = after.trim_start_matches('-').trim_start();
        let bare = word.trim_start_matches(['"', '\'', '\\']);
        let long = bare
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(bare.len());
        let document = Document {
            end: &bare[..long],
            reader,
            is_quoted: bare.len() < word.len(),
        };
        Some(document).filter(|document| !document.end.is_empty())
    })
}

fn reader(head: &str) -> Reader {
    const AS_COMMANDS: [&str; 6] = ["ssh", "slogin", "autossh", "mosh", "at", "batch"];
    const AS_CODE: [&str; 12] = [
        "python",
        "pypy",
        "node",
        "nodejs",
        "bun",
        "deno",
        "tsx",
        "ruby",
        "perl",
        "php",
        "lua",
        "osascript",
    ];
    if head.split_whitespace().any(|word| is_shell(program(word))) {
        return Reader::Shell;
    }
    // The command to which the document belongs.
    let own = head.rsplit([';', '|', '&', '(']).next().unwrap_or_default();
    let is_one = |names: &[&str]| {
        own.split_whitespace().any(|word| {
            let name = name(word);
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            !bare.is_empty() && names.contains(&bare)
        })
    };
    if is_one(&AS_COMMANDS) || reads_input(own) {
        Reader::Shell
    } else if is_one(&AS_CODE) || own.split_whitespace().any(is_client) {
        Reader::Interpreter
    } else {
        Reader::Other
    }
}

/// Whether a command runs its input, as `source /dev/stdin` does.
fn reads_input(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words
        .windows(2)
        .any(|two| matches!(two[0], "source" | ".") && matches!(two[1], "/dev/stdin" | "/dev/fd/0"))
}

/// Returns the file that a row writes its document to.
fn written(row: &str) -> Option<&str> {
    let redirected = row.rsplit_once('>').map(|(_, file)| file);
    let teed = || row.split_once("tee ").map(|(_, file)| file);
    let file = redirected.or_else(teed)?;
    file.split_whitespace()
        .find(|word| !word.starts_with(['-', '<']))
}

/// Whether that file is run as a script later in its row or after the document.
fn runs_later(file: &str, row: &str, after: &str) -> bool {
    let bare = file.strip_prefix("./").unwrap_or(file);
    let parts = |c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')');
    let mut last = "";
    for word in row.split(parts).chain(after.split(parts)) {
        if word.is_empty() {
            continue;
        }
        let is_file = word.strip_prefix("./").unwrap_or(word) == bare;
        let is_run = is_shell(program(last)) || matches!(last, "source" | ".");
        let is_program = word != file && word.starts_with("./");
        if is_file && (is_run || is_program) {
            return true;
        }
        last = word;
    }
    false
}
