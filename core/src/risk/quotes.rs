//! The quotes of a shell: where a word ends, and what of it is text.

use super::starters::Language;
use super::text::Text;
use alloc::vec::Vec;
use core::ops::Range;

/// The quote `$'…'`, in which a backslash begins an escape.
const ESCAPED: char = '$';

/// The next piece of a word.
pub(super) enum Piece {
    /// The word is over.
    End,
    /// A quote opens or closes.
    Quote { now: Option<char>, next: usize },
    /// A letter of the word, and its place in the line.
    Letter { c: char, place: usize, next: usize },
    /// Characters that are no part of the word.
    Dropped { next: usize },
    /// A substitution begins, and ends with this character.
    Opens { from: usize, closing: char },
}

/// Returns the next piece, in a quote or outside; `None` at the end of the text.
pub(super) fn next(
    text: &Text,
    within: Range<usize>,
    quote: Option<char>,
    language: Language,
    word: &Text,
) -> Option<Piece> {
    let Range { start: at, end } = within;
    let rest = &text.text[at..end];
    let c = rest.chars().next()?;
    let next = at + c.len_utf8();
    let letter = |c: char, at: usize| Piece::Letter {
        c,
        place: text.place(at),
        next: at + c.len_utf8(),
    };
    let is_windows = language == Language::Windows;
    Some(match (quote, c) {
        (Some(ESCAPED), '\'') => Piece::Quote { now: None, next },
        (Some(ESCAPED), '\\') => match escaped(&text.text[next..end]) {
            Some((c, long)) => Piece::Letter {
                c,
                place: text.place(at),
                next: next + long,
            },
            None => Piece::Dropped { next },
        },
        (Some(ESCAPED), c) => letter(c, at),
        (Some(open), _) if c == open => Piece::Quote { now: None, next },
        (None, '\'' | '"') => Piece::Quote { now: Some(c), next },
        (None, '$') if rest[1..].starts_with('\'') && !is_windows => Piece::Quote {
            now: Some(ESCAPED),
            next: next + 1,
        },
        // `$"…"` is a quote as well.
        (None, '$') if rest[1..].starts_with(['\'', '"']) => Piece::Dropped { next },
        (None | Some('"'), '\\') if !is_windows && !closes_path(word, &rest[1..], quote) => {
            match text.text[next..end].chars().next() {
                Some(escaped) => letter(escaped, next),
                None => Piece::Dropped { next },
            }
        }
        (None, '^') if is_windows => Piece::Dropped { next },
        (None | Some('"'), '`') if is_windows => Piece::Dropped { next },
        (None | Some('"'), '$') if rest.starts_with("$(") => Piece::Opens {
            from: at + 2,
            closing: ')',
        },
        (None, '<' | '>') if rest[1..].starts_with('(') => Piece::Opens {
            from: at + 2,
            closing: ')',
        },
        (None | Some('"'), '`') => Piece::Opens {
            from: next,
            closing: '`',
        },
        (None, ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>') => Piece::End,
        (_, c) => letter(c, at),
    })
}

/// Returns the letter that an escape of `$'…'` stands for, and its length after the backslash:
/// <https://www.gnu.org/software/bash/manual/html_node/ANSI_002dC-Quoting.html>
fn escaped(rest: &str) -> Option<(char, usize)> {
    let c = rest.chars().next()?;
    let number = |skip: usize, most: usize, radix: u32| {
        let digits = rest[skip..].chars().take(most);
        let long = digits.take_while(|c| c.is_digit(radix)).count();
        let value = u32::from_str_radix(&rest[skip..skip + long], radix).ok()?;
        Some((char::from_u32(value)?, skip + long))
    };
    let as_it_is = Some((c, c.len_utf8()));
    match c {
        'x' => number(1, 2, 16).or(as_it_is),
        'u' => number(1, 4, 16).or(as_it_is),
        'U' => number(1, 8, 16).or(as_it_is),
        '0'..='7' => number(0, 3, 8),
        'a' | 'b' | 'e' | 'E' | 'f' | 'v' => Some(('\u{7}', 1)),
        'n' => Some(('\n', 1)),
        'r' => Some(('\r', 1)),
        't' => Some(('\t', 1)),
        _ => as_it_is,
    }
}

/// Whether the quote closes after a path's backslash: `"C:\some folder\"` ends there on Windows.
fn closes_path(word: &Text, after: &str, quote: Option<char>) -> bool {
    let is_path = word.text.as_bytes().get(1..3) == Some(b":\\");
    let mut after = after.chars();
    let closes = quote.is_some() && after.next() == quote;
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | ')' | '}');
    is_path && closes && after.next().is_none_or(ends)
}

/// Returns where a substitution closes: it may contain others, and quotes.
pub(super) fn closing(text: &str, closing: char) -> Option<usize> {
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

/// Returns the pieces of a program's own code that could be commands: what is between its brackets,
/// without quotes and commas.
pub(super) fn without_code(code: &Text) -> Text {
    code.mapped(|c| match c {
        '(' | ')' | '{' | '}' | ';' | '`' | '&' => ';',
        '"' | '\'' | ',' | '[' | ']' | '$' | '\\' | '<' | '>' | '#' | '%' | '^' => ' ',
        c => c,
    })
}

/// Returns what a program's own code gives to a shell: the arguments of calls that start commands,
/// as [`without_code`] shows them. The range is that of the code in the line.
pub(super) fn calls(line: &str, range: Range<usize>) -> Text {
    const CALLS: [&str; 9] = [
        "system",
        "popen",
        "Popen",
        "exec",
        "execSync",
        "spawn",
        "spawnSync",
        "run",
        "call",
    ];
    // The longest command that is looked for, so that code full of brackets is read in one pass.
    const LONGEST: usize = 2048;
    let code = &line[range.clone()];
    let mut calls = Text::default();
    let mut read = 0;
    for (at, _) in code.match_indices('(') {
        let caller = code[..at].trim_end();
        let is_call = CALLS.iter().any(|name| caller.ends_with(name))
            || caller.ends_with("check_output")
            || caller.ends_with("check_call");
        if !is_call || at < read {
            continue;
        }
        let rest = &code[at + 1..];
        let rest = &rest[..rest.floor_char_boundary(LONGEST)];
        let long = closing(rest, ')').unwrap_or(rest.len());
        read = at + 1 + long;
        calls.push(';', range.start + at);
        for (from, c) in rest[..long].char_indices() {
            calls.push(c, range.start + at + 1 + from);
        }
        calls.push(';', range.start + at);
    }
    without_code(&calls)
}

/// Returns the words that delete files in a program's own code.
pub(super) fn deleters(code: &str) -> Vec<Range<usize>> {
    const WORDS: [&str; 9] = [
        "rmtree",
        "rm_rf",
        "FileUtils.rm",
        "rmSync",
        "rmdirSync",
        "unlink",
        "remove_dir_all",
        "os.remove",
        "removeSync",
    ];
    let of = |word: &&'static str| code.find(*word).map(|at| at..at + word.len());
    WORDS.iter().filter_map(of).collect()
}
