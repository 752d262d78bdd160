//! Functions that cut a text to a number of characters. How many there is room for is in `notice`.

use beckon_core::visible::prose;

/// Cuts sentences at a character border; characters that hide something are named.
pub(super) fn cut(text: &str, most: usize) -> String {
    // The part that is cut off is not looked at: it may be megabytes.
    let (start, _) = split(text.trim(), most + 1);
    shortened(&prose(start).text, most)
}

/// Cuts a text as [`cut`] does, on one line.
pub(super) fn line(text: &str, most: usize) -> String {
    let (start, _) = split(text.trim(), most * 4);
    let words: Vec<&str> = start.split_whitespace().collect();
    cut(&words.join(" "), most)
}

/// Cuts a text as [`line()`] does, after a word where there are words, and marks the cut.
pub(super) fn sentence(text: &str, most: usize) -> String {
    let whole = line(text, most * 2);
    let (start, rest) = split(&whole, most);
    if rest.is_empty() {
        return whole;
    }
    let words = start
        .rsplit_once(' ')
        .map(|(words, _)| words)
        .filter(|kept| kept.len() * 2 > most);
    words.unwrap_or(start).trim_end().to_owned() + "…"
}

pub(super) fn shortened(text: &str, most: usize) -> String {
    match split(text, most) {
        (whole, "") => whole.to_owned(),
        (start, _) => start.to_owned() + "…",
    }
}

pub(super) fn split(text: &str, at: usize) -> (&str, &str) {
    text.split_at(
        text.char_indices()
            .nth(at)
            .map_or(text.len(), |(byte, _)| byte),
    )
}
