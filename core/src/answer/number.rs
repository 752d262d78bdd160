//! Numbers as people write them: with a comma for the decimal sign, with the digits of their own
//! script, as a power of ten.
//!
//! Not here: whether a number is wanted, and between which bounds.

use super::decimal::Decimal;
use alloc::string::String;

/// The zeros of other scripts' digits: Arabic, Persian, Devanagari, full width
/// (<https://www.unicode.org/Public/UCD/latest/ucd/extracted/DerivedNumericType.txt>).
const ZEROS: [u32; 4] = [0x0660, 0x06F0, 0x0966, 0xFF10];

/// Returns the number that a text is, as the nearest double. `1,000` is none, since it may be a thousand or one.
pub fn number(text: &str) -> Option<f64> {
    let plain = plain(text)?;
    let is_written = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    if !plain.chars().all(is_written) {
        return None;
    }

    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the number that a text is, with all its digits. A whole number is one as [`whole_number`]
/// reads it.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    Decimal::parse(&plain(text)?)
}

/// Whether a text is a whole number, of any size.
pub(super) fn is_whole(text: &str) -> bool {
    let read = plain(text).filter(|plain| !parts_thousands(plain));
    let number = read.and_then(|plain| Decimal::parse(&plain));
    number.is_some_and(|number| number.is_whole())
}

/// Returns the whole number that a text is: `3`, `3.0`, `3e2`. `1.000` is none, since many write a
/// thousand so.
pub fn whole_number(text: &str) -> Option<f64> {
    is_whole(text).then(|| number(text))?
}

/// Rewrites a number with the characters of JSON; `None` if its comma may part thousands.
fn plain(text: &str) -> Option<String> {
    let plain: String = text.trim().chars().map(sign).collect();
    let Some((whole, fraction)) = plain.split_once(',') else {
        return Some(plain);
    };

    let is_decimal =
        !fraction.contains(',') && !plain.contains('.') && !is_thousands(whole, fraction);
    is_decimal.then(|| plain.replace(',', "."))
}

/// Whether the point in a number may part thousands.
fn parts_thousands(plain: &str) -> bool {
    plain
        .split_once('.')
        .is_some_and(|(whole, fraction)| is_thousands(whole, fraction))
}

/// Whether a sign between these digits may part thousands.
fn is_thousands(whole: &str, fraction: &str) -> bool {
    let digits = whole.trim_start_matches(['-', '+']);
    fraction.len() == 3 && (1..=3).contains(&digits.len()) && !digits.starts_with('0')
}

/// Returns a digit of whichever script as one of ASCII; `None` for what is no digit.
pub(crate) fn digit(c: char) -> Option<char> {
    if c.is_ascii_digit() {
        return Some(c);
    }
    let value = ZEROS
        .into_iter()
        .filter_map(|zero| u32::from(c).checked_sub(zero))
        .find(|value| *value < 10);
    value.and_then(|value| char::from_digit(value, 10))
}

fn sign(c: char) -> char {
    match (digit(c), c) {
        (Some(digit), _) => digit,
        (None, '\u{2212}' | '\u{FF0D}') => '-',
        (None, '\u{FF0B}') => '+',
        (None, '\u{FF0E}') => '.',
        (None, '\u{FF0C}' | '\u{066B}') => ',',
        (None, c) => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_thousand_or_one_is_no_whole_number() {
        for text in ["1.000", "12.000", "-1.000", "1,000"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
        assert_eq!(whole_number("3.0"), Some(3.0));
        assert_eq!(whole_number("3.00"), Some(3.0));
        assert_eq!(number("1.250"), Some(1.25));
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, expected) in [
            ("4", 4.0),
            (" 4.5 ", 4.5),
            ("4,5", 4.5),
            ("-0,125", -0.125),
            ("0,5", 0.5),
            ("1234,567", 1234.567),
            ("1e3", 1_000.0),
            ("\u{FF15}", 5.0),
            ("\u{FF11}\u{FF0E}\u{FF15}", 1.5),
            ("\u{0661}\u{066B}\u{0665}", 1.5),
            ("\u{2212}3", -3.0),
            ("+7", 7.0),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_none_or_not_clear_is_none() {
        for text in [
            "",
            " ",
            "five",
            "inf",
            "NaN",
            "-infinity",
            "1_000",
            "0x10",
            "1e999",
            "4,5,6",
            "1.000,5",
            "1,000",
            "-12,345",
            "4 5",
            "5%",
            "1/2",
            "e",
            "--1",
        ] {
            assert_eq!(number(text), None, "{text}");
            assert_eq!(whole_number(text), None, "{text}");
        }
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point_or_a_power() {
        assert_eq!(whole_number("3.0"), Some(3.0));
        assert_eq!(whole_number("3,0"), Some(3.0));
        assert_eq!(whole_number("1e3"), Some(1_000.0));
        for text in ["3.5", "1e999", "1,000"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
        for text in ["9007199254740993", "92233720368547758070", "1e999"] {
            assert!(is_whole(text), "{text}");
        }
    }
}
