//! Handles what came in a form that nobody here knows. It is shown as it came, and counts as the
//! same for as long as it says the same.

use beckon_core::visible::is_unprintable;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most characters of it that are shown.
pub(in crate::sources) const LONGEST: usize = 2_000;

/// Returns its text in one form, whatever the order of its keys. A text that no reader takes, as a
/// list in a hundred lists or a number beyond all bounds, stays as it came.
pub(in crate::sources) fn text(raw: &str) -> String {
    serde_json::from_str::<Value>(raw).map_or_else(|_| raw.to_owned(), |value| value.to_string())
}

/// Returns the text as it came, except that nothing in it can hide or turn round what stands beside
/// it.
pub(in crate::sources) fn shown(text: &str) -> String {
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == LONGEST {
            shown.push('…');
            break;
        }
        match letter != '\n' && is_unprintable(letter) {
            true => shown.extend(letter.escape_unicode()),
            false => shown.push(letter),
        }
    }
    shown
}

/// Returns a hash that tells it from others.
pub(in crate::sources) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
