//! The properties of the one reader of other people's JSON (`beckon_client::json`).

use beckon_client::json::{self, ValueEnd, exact};
use serde_json::{Number, Value};

/// Reads bytes that somebody calls JSON. Strict JSON must be read as a strict reader does, with its
/// digits where they are asked for; mended JSON must be strict; and the end of a value must be
/// found wherever the stream is cut.
pub fn json(data: &[u8]) {
    if let Ok(strict) = serde_json::from_slice::<Value>(data) {
        is_read_as_it_is(data, &strict);
    } else {
        let _ = json::read(data);
        let _ = json::read_verbatim(data);
    }
    if let Some(mended) = json::mended(data) {
        serde_json::from_slice::<Value>(&mended).expect("what is mended is strict");
    }
    if let Ok(text) = str::from_utf8(data) {
        comes_back_as_it_was(text);
    }
    ends_where_it_ends(data);
}

fn is_read_as_it_is(data: &[u8], strict: &Value) {
    let read = json::read(data).expect("what is strict can be read");
    assert_eq!(read.value, *strict);
    assert_eq!(read.flaws, json::Flaws::default());

    let is_scalar = !(strict.is_object() || strict.is_array() || strict.is_string());
    if is_scalar {
        return;
    }
    let verbatim = json::read_verbatim(data).expect("what is strict can be read");
    // A value that is nested too deep is kept as its text.
    if !verbatim.flaws.replaced {
        differs_in_digits_only(strict, &verbatim.value);
    }
}

fn differs_in_digits_only(strict: &Value, verbatim: &Value) {
    match (strict, verbatim) {
        (Value::Number(number), Value::String(digits)) => {
            let same: Number = digits.parse().expect("it is a number");
            assert_eq!(same, *number);
        }
        (Value::Array(strict), Value::Array(verbatim)) => {
            assert_eq!(strict.len(), verbatim.len());
            let pairs = strict.iter().zip(verbatim);
            pairs.for_each(|(strict, verbatim)| differs_in_digits_only(strict, verbatim));
        }
        (Value::Object(strict), Value::Object(verbatim)) => {
            assert!(strict.keys().eq(verbatim.keys()));
            let pairs = strict.values().zip(verbatim.values());
            pairs.for_each(|(strict, verbatim)| differs_in_digits_only(strict, verbatim));
        }
        (strict, verbatim) => assert_eq!(strict, verbatim),
    }
}

/// Asserts that a text that was read is written again with all its digits.
fn comes_back_as_it_was(text: &str) {
    let Some(value) = exact::read(text) else {
        return;
    };
    for written in [exact::written(&value), exact::written_pretty(&value)] {
        assert_eq!(exact::read(&written), Some(value.clone()), "{written}");
    }
    let is_number = text
        .trim()
        .starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if is_number {
        assert_eq!(exact::written(&value), text.trim());
    }
}

fn ends_where_it_ends(data: &[u8]) {
    let whole = ValueEnd::default().is_reached(data);
    let piece = 1 + data.len() % 5;
    let mut cut = ValueEnd::default();
    let mut is_reached = false;
    for piece in data.chunks(piece) {
        is_reached = cut.is_reached(piece);
    }
    assert_eq!(is_reached, whole, "in pieces of {piece}");
}
