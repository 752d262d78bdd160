//! Values whose numbers keep their digits on the way from a program to a person and back.
//!
//! A JSON number may have any number of digits (RFC 8259, section 6), and Python writes them, but
//! the reader's own type has 64 bits. A number that does not fit is carried as a text between two
//! seals, and becomes a number again when the value is written. No other text has the seal.
//!
//! Not here: labels, which are texts in the end ([`super::read_verbatim`]).

use super::{Flaws, parsing};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// The seal: a character that means nothing, and that must not be exchanged between programs
/// (<https://www.unicode.org/faq/private_use.html#nonchar1>).
pub(super) const SEAL: char = '\u{fdd0}';

/// Reads a strict value. Returns `None` if it is none.
pub fn read(text: &str) -> Option<Value> {
    let strict: &RawValue = serde_json::from_str(text).ok()?;
    let begins = strict.get().chars().next()?;
    if !matches!(begins, '{' | '[' | '"') {
        return Some(scalar(strict.get()));
    }

    let read = parsing::parse(strict.get(), parsing::Numbers::Sealed)?;
    (read.flaws == Flaws::default()).then_some(read.value)
}

/// Reads a value, or else the text as it is.
pub fn read_or_text(text: &str) -> Value {
    const REPLACEMENT: &str = "\u{fffd}";
    read(text).unwrap_or_else(|| text.replace(SEAL, REPLACEMENT).into())
}

/// Reads a field of a larger value in the same way.
///
/// # Errors
/// When it is too deep to be read.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    read(raw.get()).ok_or_else(|| D::Error::custom("a value that is nested too deeply"))
}

/// Writes a value.
pub fn written(value: &Value) -> String {
    unsealed(&value.to_string())
}

/// Writes a value as people read it.
pub fn written_pretty(value: &Value) -> String {
    unsealed(&serde_json::to_string_pretty(value).unwrap_or_default())
}

/// Returns the digits of a number; `None` for any other value.
pub fn digits(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => is_number(text).then(|| plain(text)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns a double as JSON. Whole numbers are written without a point, as JavaScript does.
pub fn of_double(double: f64) -> Value {
    /// The largest double of which JavaScript knows that no whole number was left out on the way.
    const EXACT: f64 = 9_007_199_254_740_991.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole and small enough"
    )]
    let whole = (double.fract() == 0.0 && double.abs() <= EXACT).then_some(double as i64);
    whole.map_or_else(|| Value::from(double), Value::from)
}

/// Whether the text that a value carries is a number's.
pub(super) fn is_number(text: &str) -> bool {
    text.starts_with(SEAL)
}

/// Returns the text that a value carries, without the seals of a number.
pub fn plain(text: &str) -> String {
    text.replace(SEAL, "")
}

/// Returns the number as it is carried in a value.
pub(super) fn sealed(number: &str) -> Value {
    Value::String(format!("{SEAL}{number}{SEAL}"))
}

fn scalar(word: &str) -> Value {
    let read = serde_json::from_str::<Value>(word).ok();
    let keeps_digits = |value: &Value| {
        let written = value.to_string();
        written == word
    };
    read.filter(keeps_digits).unwrap_or_else(|| sealed(word))
}

/// Takes the seals off, and the quotation marks around them.
fn unsealed(json: &str) -> String {
    if !json.contains(SEAL) {
        return json.to_owned();
    }
    plain(
        &json
            .replace(&format!("\"{SEAL}"), "")
            .replace(&format!("{SEAL}\""), ""),
    )
}
