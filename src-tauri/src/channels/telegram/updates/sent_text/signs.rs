//! The signs that are put back to where a text is formatted. Pure.
//!
//! Telegram splits what is bold where something else begins in it, and joins what touches
//! (`split_entities` in <https://github.com/tdlib/td/blob/master/td/telegram/MessageEntity.cpp>),
//! so what touches is one stretch here.

use super::{MarkKind, TextMark};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

/// A line end.
const BREAK: u16 = 0x0A;

/// A sign to be put into the text. Signs are ordered as they come in the text.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sign {
    /// The UTF-16 unit before which it goes.
    at: usize,
    rank: SignRank,
    text: String,
}

/// The order of signs at one place: closing ones come before opening ones, and what was opened last
/// is closed first.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SignRank {
    Close(Reverse<usize>),
    Open(usize),
}

/// Returns the text with its signs.
pub(super) fn put_back(text: &str, marks: &[TextMark]) -> String {
    if marks.is_empty() {
        return text.to_owned();
    }

    let wide: Vec<u16> = text.encode_utf16().collect();
    let stretches = joined(marks.iter().filter(|mark| is_within(mark, &wide)));
    let (quotes, others): (Vec<_>, Vec<_>) = stretches
        .into_iter()
        .partition(|mark| mark.kind == MarkKind::Quote);

    let mut full = String::with_capacity(text.len());
    let mut others = Stretches::new(others);
    let mut at = 0;
    for quote in quotes {
        push_plain(&mut full, &formatted(&wide, at..quote.start, &mut others));
        push_quoted(
            &mut full,
            &formatted(&wide, quote.start..quote.end, &mut others),
        );
        at = quote.end;
    }
    push_plain(&mut full, &formatted(&wide, at..wide.len(), &mut others));
    full
}

/// Appends a piece that is no quote. Behind a quote it begins on a line of its own.
fn push_plain(full: &mut String, piece: &str) {
    let is_behind_quote = !full.is_empty() && !full.ends_with('\n');
    if is_behind_quote && !piece.is_empty() && !piece.starts_with('\n') {
        full.push('\n');
    }
    full.push_str(piece);
}

/// Appends a quote on lines of its own, with a sign at the head of each.
fn push_quoted(full: &mut String, piece: &str) {
    if !full.is_empty() && !full.ends_with('\n') {
        full.push('\n');
    }
    for line in piece.split_inclusive('\n') {
        full.push_str("> ");
        full.push_str(line);
    }
}

/// Returns a piece of the text with the signs of all stretches in it but quotes.
fn formatted(wide: &[u16], piece: Range<usize>, stretches: &mut Stretches) -> String {
    let within = stretches.within(&piece);
    let wide = &wide[piece];
    let mut signs: Vec<Sign> = Vec::new();
    for (rank, mark) in within.iter().enumerate() {
        signs.extend(signs_of(mark, rank, wide));
    }
    signs.sort();

    with_signs(&String::from_utf16_lossy(wide), &signs)
}

/// The stretches in their order, given out for one piece of the text after another.
struct Stretches {
    rest: Peekable<IntoIter<TextMark>>,
    /// The stretches that go on behind the last piece.
    open: Vec<TextMark>,
}

impl Stretches {
    fn new(stretches: Vec<TextMark>) -> Self {
        Self {
            rest: stretches.into_iter().peekable(),
            open: Vec::new(),
        }
    }

    /// Returns the stretches that lie in the piece, as far as they do, with places counted from its
    /// beginning.
    fn within(&mut self, piece: &Range<usize>) -> Vec<TextMark> {
        while let Some(mark) = self.rest.next_if(|mark| mark.start < piece.end) {
            self.open.push(mark);
        }
        let clipped = self.open.iter().map(|mark| TextMark {
            start: mark.start.saturating_sub(piece.start),
            end: mark.end.min(piece.end) - piece.start,
            kind: mark.kind.clone(),
        });
        let mut clipped: Vec<TextMark> = clipped.collect();
        sort_outer_first(&mut clipped);

        self.open.retain(|mark| mark.end > piece.end);
        clipped
    }
}

/// Whether a stretch lies in the text and cuts no character in two.
fn is_within(mark: &TextMark, wide: &[u16]) -> bool {
    let splits = |at: usize| {
        let is_low = |unit: &u16| (0xDC00..0xE000).contains(unit);
        wide.get(at).is_some_and(is_low)
    };
    mark.start < mark.end && mark.end <= wide.len() && !splits(mark.start) && !splits(mark.end)
}

/// Joins stretches of one kind that touch or overlap; the outer ones come first.
fn joined<'a>(marks: impl Iterator<Item = &'a TextMark>) -> Vec<TextMark> {
    let mut marks: Vec<&TextMark> = marks.collect();
    marks.sort_by_key(|mark| mark.start);
    let mut joined: Vec<TextMark> = Vec::new();
    let mut last: BTreeMap<&MarkKind, usize> = BTreeMap::new();
    for mark in marks {
        match last.get(&mark.kind).map(|&index| &mut joined[index]) {
            Some(before) if mark.start <= before.end => before.end = before.end.max(mark.end),
            _ => {
                last.insert(&mark.kind, joined.len());
                joined.push(mark.clone());
            }
        }
    }
    sort_outer_first(&mut joined);
    joined
}

fn sort_outer_first(marks: &mut [TextMark]) {
    marks.sort_by(|a, b| {
        let place = |mark: &TextMark| (mark.start, Reverse(mark.end));
        place(a).cmp(&place(b)).then_with(|| a.kind.cmp(&b.kind))
    });
}

fn signs_of(mark: &TextMark, rank: usize, wide: &[u16]) -> Vec<Sign> {
    let Some(mark) = without_outer_breaks(mark, wide) else {
        return Vec::new();
    };
    let content = String::from_utf16_lossy(&wide[mark.start..mark.end]);
    let Some((open, close)) = pair(&mark, &content, wide) else {
        return Vec::new();
    };
    vec![
        Sign {
            at: mark.start,
            rank: SignRank::Open(rank),
            text: open,
        },
        Sign {
            at: mark.end,
            rank: SignRank::Close(Reverse(rank)),
            text: close,
        },
    ]
}

/// Returns the stretch without line ends at its edges, where a sign would mean nothing, or
/// something else: it would open the next line. A block keeps them.
fn without_outer_breaks(mark: &TextMark, wide: &[u16]) -> Option<TextMark> {
    if matches!(mark.kind, MarkKind::Block { .. }) {
        return Some(mark.clone());
    }

    let is_no_break = |unit: &u16| *unit != BREAK;
    let content = &wide[mark.start..mark.end];
    let first = content.iter().position(is_no_break)?;
    let last = content.iter().rposition(is_no_break)?;
    Some(TextMark {
        start: mark.start + first,
        end: mark.start + last + 1,
        kind: mark.kind.clone(),
    })
}

/// Returns the signs before and after a stretch; `None` where the text already says it.
fn pair(mark: &TextMark, content: &str, wide: &[u16]) -> Option<(String, String)> {
    let same = |sign: &str| Some((sign.to_owned(), sign.to_owned()));
    match &mark.kind {
        MarkKind::Quote => None,
        MarkKind::Link { url } if url == content => None,
        MarkKind::Link { url } => Some(("[".to_owned(), format!("]({url})"))),
        MarkKind::Bold => same("**"),
        MarkKind::Italic => same("__"),
        MarkKind::Strikethrough => same("~~"),
        MarkKind::Spoiler => same("||"),
        MarkKind::Code => Some(inline(&fence(content, 1), content)),
        MarkKind::Block { language } => Some(block(language, content, mark, wide)),
    }
}

/// Returns the fences of code within a line. Beside a backtick of the content there is a blank,
/// which is not part of the content: <https://spec.commonmark.org/0.31.2/#code-spans>.
fn inline(fence: &str, content: &str) -> (String, String) {
    if content.starts_with('`') || content.ends_with('`') {
        return (format!("{fence} "), format!(" {fence}"));
    }
    (fence.to_owned(), fence.to_owned())
}

/// Returns the fences of a block: on lines of their own where it has several lines or a language,
/// since a fence counts only there: <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>.
fn block(language: &str, content: &str, mark: &TextMark, wide: &[u16]) -> (String, String) {
    let fence = fence(content, 3);
    if language.is_empty() && !content.contains('\n') {
        return inline(&fence, content);
    }

    let line_end = |is_there: bool| if is_there { "" } else { "\n" };
    let begins_line = mark.start == 0 || wide.get(mark.start - 1) == Some(&BREAK);
    let ends_line = wide.get(mark.end).is_none_or(|unit| *unit == BREAK);
    let before = line_end(begins_line);
    let last = line_end(content.ends_with('\n'));
    let after = line_end(ends_line);
    (
        format!("{before}{fence}{language}\n"),
        format!("{last}{fence}{after}"),
    )
}

/// Returns a fence that is longer than any in the content:
/// <https://spec.commonmark.org/0.31.2/#code-spans>.
fn fence(content: &str, least: usize) -> String {
    let runs = content.split(|c| c != '`').map(str::len);
    let longest = runs.max().unwrap_or_default();
    let length = if longest < least { least } else { longest + 1 };
    "`".repeat(length)
}

fn with_signs(text: &str, signs: &[Sign]) -> String {
    let mut signs = signs.iter().peekable();
    let mut full = String::with_capacity(text.len());
    let mut at = 0;
    for character in text.chars() {
        while let Some(sign) = signs.next_if(|sign| sign.at <= at) {
            full.push_str(&sign.text);
        }
        full.push(character);
        at += character.len_utf16();
    }
    full.extend(signs.map(|sign| sign.text.as_str()));
    full
}
