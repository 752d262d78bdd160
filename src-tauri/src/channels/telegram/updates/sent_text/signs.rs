//! Puts the signs back to where a text is formatted. Pure.
//!
//! Telegram splits what is bold where something else begins in it, and joins what touches (`split_entities`
//! in <https://github.com/tdlib/td/blob/master/td/telegram/MessageEntity.cpp>), so what touches is one
//! stretch here.

use super::{MarkKind, TextMark};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A sign to be put into the text, in the order in which signs of one place stand.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Sign {
    /// Before that UTF-16 unit.
    at: usize,
    rank: SignRank,
    text: String,
}

/// What closes stands before what opens; what was opened last is closed first.
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
    let mut signs: Vec<Sign> = Vec::new();
    for (rank, mark) in stretches.iter().enumerate() {
        signs.extend(signs_of(mark, rank, &wide));
    }
    signs.sort();

    with_signs(text, &signs)
}

/// Whether a stretch lies in the text and cuts no character in two.
fn is_within(mark: &TextMark, wide: &[u16]) -> bool {
    let splits = |at: usize| {
        let is_low = |unit: &u16| (0xDC00..0xE000).contains(unit);
        wide.get(at).is_some_and(is_low)
    };
    mark.start < mark.end && mark.end <= wide.len() && !splits(mark.start) && !splits(mark.end)
}

/// Joins stretches of one kind that touch or overlap; the outer ones stand first.
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
    joined.sort_by(|a, b| {
        let place = |mark: &TextMark| (mark.start, Reverse(mark.end));
        place(a).cmp(&place(b)).then_with(|| a.kind.cmp(&b.kind))
    });
    joined
}

fn signs_of(mark: &TextMark, rank: usize, wide: &[u16]) -> Vec<Sign> {
    if mark.kind == MarkKind::Quote {
        return quoted_lines(mark, rank, wide);
    }

    let content = String::from_utf16_lossy(&wide[mark.start..mark.end]);
    let Some((open, close)) = pair(mark, &content, wide) else {
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

/// A sign at the head of each line.
fn quoted_lines(mark: &TextMark, rank: usize, wide: &[u16]) -> Vec<Sign> {
    let begins = |at: &usize| *at == mark.start || wide[at - 1] == u16::from(b'\n');
    (mark.start..mark.end)
        .filter(begins)
        .map(|at| Sign {
            at,
            rank: SignRank::Open(rank),
            text: "> ".to_owned(),
        })
        .collect()
}

/// What stands before and after a stretch; nothing where the text already says it.
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
        MarkKind::Code => same(&fence(content, 1)),
        MarkKind::Block { language } => Some(block(language, content, mark, wide)),
    }
}

/// The fences of a block: on lines of their own where it has several lines or a language.
fn block(language: &str, content: &str, mark: &TextMark, wide: &[u16]) -> (String, String) {
    let fence = fence(content, 3);
    let is_break = |at: Option<usize>| at.and_then(|at| wide.get(at)) == Some(&u16::from(b'\n'));
    let stands_alone = (mark.start == 0 || is_break(mark.start.checked_sub(1)))
        && (mark.end == wide.len() || is_break(Some(mark.end)));
    let has_lines = stands_alone && content.contains('\n');
    if language.is_empty() && !has_lines {
        return (fence.clone(), fence);
    }

    let end = if content.ends_with('\n') { "" } else { "\n" };
    (format!("{fence}{language}\n"), format!("{end}{fence}"))
}

/// A fence that is longer than any in the content: <https://spec.commonmark.org/0.31.2/#code-spans>.
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
