//! What came in a form that nobody here knows: it is shown as it came, and is the same for as long
//! as it says the same.

use beckon_core::visible::is_unprintable;
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// So many characters of it are shown.
pub(in crate::sources) const LONGEST: usize = 2_000;

/// Its text, whatever the order of its keys. What no reader takes, as a list in a hundred lists or a
/// number beyond all bounds, stays as it came.
pub(in crate::sources) fn text(raw: &str) -> String {
    serde_json::from_str::<Value>(raw).map_or_else(|_| raw.to_owned(), |value| value.to_string())
}

/// As it came, but nothing in it can hide or turn round what stands beside it.
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

/// What tells it from others.
pub(in crate::sources) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
