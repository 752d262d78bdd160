//! Numbers of any number of digits, compared without rounding. A double tells whole numbers apart
//! only up to 2^53, and those beyond are names of things
//! (<https://github.com/anthropics/claude-code/issues/78762>).
//!
//! Not here: how people write numbers (`number.rs`).

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::cmp::Ordering;
use core::fmt;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most characters of a number: those of the longest double, twice. Nobody compares longer ones.
const LONGEST: usize = 700;
/// The longest form of a double that is written without a power of ten, in characters.
const LONGEST_PLAIN: usize = 24;

/// A number: `0.digits`, times ten to the power of `magnitude`, with its sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    is_negative: bool,
    /// The digits, without zeros at either end. Zero has none.
    digits: String,
    magnitude: i64,
}

impl Decimal {
    /// Reads what JSON writes, and what differs from it in its sign and in zeros only: `+.5`, `007`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (mantissa, power) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self::new(text.starts_with('-'), whole.len(), &digits, power))
    }

    fn new(is_negative: bool, whole: usize, digits: &str, power: i32) -> Self {
        let significant = digits.trim_start_matches('0');
        if significant.is_empty() {
            return Self {
                is_negative: false,
                digits: String::new(),
                magnitude: 0,
            };
        }

        let zeros = digits.len() - significant.len();
        let places = counted(whole) - counted(zeros);
        Self {
            is_negative,
            digits: significant.trim_end_matches('0').to_owned(),
            magnitude: places + i64::from(power),
        }
    }

    /// Returns a count as a decimal number.
    pub(super) fn of_count(count: usize) -> Self {
        let digits = count.to_string();
        Self::new(false, digits.len(), &digits, 0)
    }

    /// Whether it has no fraction.
    pub(super) fn is_whole(&self) -> bool {
        counted(self.digits.len()) <= self.magnitude.max(0)
    }

    /// Returns the double that most programs make of it; infinite if it is beyond all.
    pub(super) fn nearest_double(&self) -> f64 {
        let sign = if self.is_negative { "-" } else { "" };
        let written = format!("{sign}0.{}e{}", self.digits, self.magnitude);
        written.parse().unwrap_or_default()
    }

    /// Whether a double keeps it: whoever writes that double in its shortest form writes this number.
    pub(super) fn is_double(&self) -> bool {
        let double = self.nearest_double();
        double.is_finite() && Self::parse(&double.to_string()).as_ref() == Some(self)
    }

    /// Returns the remainder of a whole number by a whole step above zero; `None` if they are not such,
    /// or the step is too large.
    pub(super) fn remainder(&self, step: &Self) -> Option<u128> {
        /// Ten times a remainder and a digit fit into 128 bits.
        const LARGEST_STEP: u128 = u128::MAX / 16;

        let is_negative = step.is_negative;
        let step: u128 = step.whole_digits()?.parse().ok()?;
        if is_negative || step == 0 || step > LARGEST_STEP {
            return None;
        }
        let digits = self.whole_digits()?;
        let values = digits.bytes().map(|digit| u128::from(digit - b'0'));
        Some(values.fold(0, |rest, digit| (rest * 10 + digit) % step))
    }

    /// Returns the digits of a whole number, with all its zeros.
    fn whole_digits(&self) -> Option<String> {
        let length = usize::try_from(self.magnitude).ok()?;
        let is_plain = self.is_whole() && length <= LONGEST;
        is_plain.then(|| format!("{:0<length$}", self.digits))
    }

    /// Compares without the signs.
    fn compare_size(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (false, false) => self
                .magnitude
                .cmp(&other.magnitude)
                // Digits after the point compare as texts do.
                .then_with(|| self.digits.cmp(&other.digits)),
            (is_zero, other_is_zero) => other_is_zero.cmp(&is_zero),
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
            (is_negative, _) if is_negative => Ordering::Less,
            _ => Ordering::Greater,
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns the length of a number's part.
fn counted(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// A bound, in the digits of whoever set it. JSON has it as a number if a double keeps it, else as a
/// text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberBound {
    written: String,
    /// Apart, so that an error with two bounds stays small.
    value: Box<Decimal>,
}

impl NumberBound {
    /// Reads a number as JSON writes it.
    pub fn parse(text: &str) -> Option<Self> {
        let value = Decimal::parse(text)?;
        if value.is_double() {
            return Some(Self::from(value.nearest_double()));
        }
        Some(Self {
            written: text.to_owned(),
            value: Box::new(value),
        })
    }

    /// Returns the double that it is, if one keeps it.
    pub fn as_double(&self) -> Option<f64> {
        self.value.is_double().then(|| self.value.nearest_double())
    }

    pub(crate) fn written(&self) -> &str {
        &self.written
    }

    pub(super) fn value(&self) -> &Decimal {
        &self.value
    }
}

impl From<f64> for NumberBound {
    /// Takes the double in its shortest form. One that is no number bounds nothing, and counts as zero.
    fn from(double: f64) -> Self {
        let plain = double.to_string();
        let written = if plain.len() > LONGEST_PLAIN {
            format!("{double:e}")
        } else {
            plain
        };
        let value = Decimal::parse(&written).unwrap_or(Decimal::of_count(0));
        Self {
            written,
            value: Box::new(value),
        }
    }
}

impl fmt::Display for NumberBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl Serialize for NumberBound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_double() {
            Some(double) => serializer.serialize_f64(double),
            None => serializer.serialize_str(&self.written),
        }
    }
}

impl<'de> Deserialize<'de> for NumberBound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BoundVisitor)
    }
}

struct BoundVisitor;

impl Visitor<'_> for BoundVisitor {
    type Value = NumberBound;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or its digits as a text")
    }

    fn visit_f64<E: Error>(self, double: f64) -> Result<NumberBound, E> {
        Ok(double.into())
    }

    fn visit_i64<E: Error>(self, whole: i64) -> Result<NumberBound, E> {
        self.visit_str(&whole.to_string())
    }

    fn visit_u64<E: Error>(self, whole: u64) -> Result<NumberBound, E> {
        self.visit_str(&whole.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<NumberBound, E> {
        NumberBound::parse(text).ok_or_else(|| E::custom("a text that is no number"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).expect("a number")
    }

    #[test]
    fn numbers_are_compared_digit_by_digit() {
        let sorted = [
            "-1e400",
            "-18446744073709551616",
            "-18446744073709551615",
            "-2",
            "-0.5",
            "0",
            "1e-400",
            "0.1",
            "0.1000000000000000055511151231257827",
            "0.2",
            "9",
            "10",
            "9007199254740992",
            "9007199254740993",
            "1e400",
        ];
        for pair in sorted.windows(2) {
            assert!(decimal(pair[0]) < decimal(pair[1]), "{pair:?}");
        }
        for (one, other) in [
            ("1e3", "1000.0"),
            ("-0", "0"),
            ("+.50", "0.5"),
            ("007", "7"),
        ] {
            assert_eq!(decimal(one), decimal(other));
        }
        for none in [
            "",
            "-",
            ".",
            "e5",
            "1e",
            "1e99999999999",
            "--1",
            "1.2.3",
            "0x1",
        ] {
            assert_eq!(Decimal::parse(none), None, "{none}");
        }
    }

    #[test]
    fn a_double_keeps_what_it_writes_again() {
        for kept in [
            "0.1",
            "1e300",
            "9007199254740992",
            "-2.5",
            "0",
            "1e-7",
            "5e-324",
        ] {
            assert!(decimal(kept).is_double(), "{kept}");
        }
        for lost in [
            "9007199254740993",
            "18446744073709551615",
            "0.1000000000000000055511151231257827",
            "1e400",
            "1e-400",
        ] {
            assert!(!decimal(lost).is_double(), "{lost}");
        }
    }

    #[test]
    fn a_bound_keeps_its_digits_through_json() {
        for (written, json) in [
            ("1", "1.0"),
            ("0.5", "0.5"),
            ("18446744073709551615", "\"18446744073709551615\""),
            ("1e400", "\"1e400\""),
        ] {
            let bound = NumberBound::parse(written).unwrap();
            assert_eq!(bound.to_string(), written);
            assert_eq!(serde_json::to_string(&bound).unwrap(), json);
            let read: NumberBound = serde_json::from_str(json).unwrap();
            assert_eq!(read, bound);
        }
        let whole: NumberBound = serde_json::from_str("9223372036854775807").unwrap();
        assert_eq!(whole.to_string(), "9223372036854775807");
    }

    #[test]
    fn a_whole_step_divides_every_digit() {
        let rest = |number: &str, step: &str| decimal(number).remainder(&decimal(step));
        assert_eq!(rest("9007199254740993", "2"), Some(1));
        assert_eq!(rest("18446744073709551616", "4"), Some(0));
        assert_eq!(rest("1e30", "7"), Some(1));
        assert_eq!(rest("0.5", "2"), None);
        assert_eq!(rest("5", "0"), None);
        assert_eq!(rest("7", "-2"), None);
    }
}
