//! The quotes of a shell: where a word ends, and what of it is text.

use super::starters::Language;
use super::text::Text;
use alloc::vec::Vec;
use core::ops::Range;

/// What comes next in a word.
pub(super) enum Piece {
    /// The word is over.
    End,
    /// A quote opens or closes.
    Quote { now: Option<char>, next: usize },
    /// A letter of it, and where it stands in the line.
    Letter { c: char, place: usize, next: usize },
    /// Nothing of it.
    Dropped { next: usize },
    /// A substitution begins, and ends with this character.
    Opens { from: usize, closing: char },
}

/// What comes next, in a quote or out of one; nothing at the end of the text.
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
        (Some(open), _) if c == open => Piece::Quote { now: None, next },
        (None, '\'' | '"') => Piece::Quote { now: Some(c), next },
        // `$'…'` is a quote as well.
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

/// `"C:\some folder\"` ends there on Windows.
fn closes_path(word: &Text, after: &str, quote: Option<char>) -> bool {
    let is_path = word.text.as_bytes().get(1..3) == Some(b":\\");
    let mut after = after.chars();
    let closes = quote.is_some() && after.next() == quote;
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '|' | '&' | ')' | '}');
    is_path && closes && after.next().is_none_or(ends)
}

/// Where a substitution closes: others may stand in it, and quotes.
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

/// The pieces of a program's own code that could be commands: what stands between its brackets, without
/// quotes and commas.
pub(super) fn without_code(code: &Text) -> Text {
    code.mapped(|c| match c {
        '(' | ')' | '{' | '}' | ';' | '`' | '&' => ';',
        '"' | '\'' | ',' | '[' | ']' | '$' | '\\' | '<' | '>' | '#' | '%' | '^' => ' ',
        c => c,
    })
}

/// Words that delete files in a program's own code.
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
