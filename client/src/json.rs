//! The reader for JSON that other programs wrote, however odd it is.
//!
//! An agent's message that is broken anywhere must not be lost as a whole: a strict reader refuses
//! all of it for one raw control character in a field that nobody looks at. This reader repairs
//! what can be repaired, says what it had to guess, and gives up only if there is no value at all.
//!
//! What it repairs, each seen in other people's bug reports:
//!
//! - a byte order mark, UTF-16, and bytes of an older encoding (`decoding`);
//! - raw control characters in strings, half a surrogate pair, unknown escapes (`parsing`);
//! - trailing commas, bare words such as `NaN`, numbers beyond all bounds;
//! - a second value after the first, which is not looked at;
//! - an end that is missing: what came before it is kept, and [`Flaws::cut`] is set;
//! - a colon, a comma or a bracket that is missing: [`Flaws::reshaped`] is set.
//!
//! A part of a text that could not be read becomes U+FFFD, which every card shows as such and
//! beside which nothing is allowed by one press. If a value is cut or reshaped, it is not known
//! what its texts are. So the program that asks with it is told so, or its card says so.

mod decoding;
pub mod exact;
pub mod fields;
pub mod meant;
pub mod order;
mod parsing;
#[cfg(test)]
mod tests;
mod value_end;

pub use value_end::ValueEnd;

use parsing::Numbers;
use serde_json::Value;

/// A value, and what had to be done to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct LenientJson {
    /// The first value of the input.
    pub value: Value,
    /// The faults of the input.
    pub flaws: Flaws,
}

/// The faults of an input that could be read all the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// Whether some part is not what its writer meant, or may not be. Such a part is replaced by
    /// U+FFFD, or by a text where there was something else.
    pub replaced: bool,
    /// The input ended before its value did, so the last part is incomplete or missing.
    pub cut: bool,
    /// Whether the structure is guessed: a colon, a comma or a bracket is missing, or something
    /// follows the value's end. A quote that nobody escaped has that effect, and then the texts
    /// around it are not what their writer meant.
    pub reshaped: bool,
}

impl Flaws {
    /// Whether the texts of the value may differ from those of its writer, or be missing. Nothing
    /// may be allowed by what is shown of such a value.
    pub fn hide_something(self) -> bool {
        self.cut || self.reshaped
    }
}

/// Reads the first value. Returns `None` if there is none.
pub fn read(bytes: &[u8]) -> Option<LenientJson> {
    read_by(bytes, read_text)
}

/// Reads the first object, list or string, in which numbers keep their digits ([`exact`]).
pub fn read_exact(bytes: &[u8]) -> Option<LenientJson> {
    read_by(bytes, |text| parsing::parse(text, Numbers::Sealed))
}

/// Reads the first object, list or string, in which numbers may be names. A number that would be
/// written in other digits than its writer used (`1e3`, or more digits than fit) becomes the text
/// of its digits.
pub fn read_verbatim(bytes: &[u8]) -> Option<LenientJson> {
    read_by(bytes, |text| parsing::parse(text, Numbers::AsWritten))
}

fn read_by(bytes: &[u8], read_text: impl Fn(&str) -> Option<LenientJson>) -> Option<LenientJson> {
    let readings = decoding::readings(bytes);
    let mut best: Option<LenientJson> = None;

    for reading in readings {
        let Some(mut read) = read_text(&reading.text) else {
            continue;
        };
        read.flaws.replaced |= reading.replaced;

        if !read.flaws.hide_something() {
            return Some(read);
        }
        best = best.or(Some(read));
    }
    best
}

/// Returns an object or a list as strict JSON, for readers of their own types, with every number in
/// the digits in which it came. `None` if there is none, if its end is missing, or if its structure
/// is guessed.
pub fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let with_digits = mended_by(bytes, Numbers::Sealed)?;
    // A number beyond all bounds would make the whole unreadable.
    let is_strict = serde_json::from_slice::<Value>(&with_digits).is_ok();
    if is_strict {
        return Some(with_digits);
    }
    mended_by(bytes, Numbers::ByValue)
}

fn mended_by(bytes: &[u8], numbers: Numbers) -> Option<Vec<u8>> {
    let read = read_by(bytes, |text| parsing::parse(text, numbers))?;
    let is_whole = read.value.is_object() || read.value.is_array();
    (is_whole && !read.flaws.hide_something()).then(|| exact::written(&read.value).into_bytes())
}

/// Returns the bytes as text, if every one of them has a meaning: UTF-8 or UTF-16, with a mark or
/// without.
pub fn decoded(bytes: &[u8]) -> Option<String> {
    let reading = decoding::readings(bytes).into_iter().next()?;
    (!reading.replaced).then(|| reading.text.into_owned())
}

/// Reads the first value of a text.
fn read_text(text: &str) -> Option<LenientJson> {
    let mut strict = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = strict.next() {
        let rest = text.get(strict.byte_offset()..).unwrap_or_default();
        let flaws = Flaws {
            reshaped: is_torn_off(rest),
            ..Flaws::default()
        };
        return Some(LenientJson { value, flaws });
    }
    parsing::parse(text, Numbers::ByValue)
}

/// Whether the text that follows a value may be a part of it, torn off by a bracket within a text
/// that nobody quoted. Another message is no such part, nor is a new line.
fn is_torn_off(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let rest = line.trim_matches(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}');
    !rest.is_empty() && !rest.starts_with(['{', '['])
}
