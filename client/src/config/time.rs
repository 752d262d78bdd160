//! The lengths of time and hours of the day, as they are written in `config.toml`. The words for
//! what does not fit are elsewhere (`validate.rs`); here it only has to be found.

use super::ValueType;
use beckon_core::{QuietHours, Span};
use serde::{Deserialize, Deserializer};

pub(super) fn span<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_span(&text).ok_or_else(|| refused(&text, ValueType::Span))
}

pub(super) fn span_or_never<'de, D>(deserializer: D) -> Result<Option<Span>, D::Error>
where
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    if text == "never" {
        return Ok(None);
    }
    parse_span(&text)
        .map(Some)
        .ok_or_else(|| refused(&text, ValueType::SpanOrNever))
}

pub(super) fn hours<'de, D>(deserializer: D) -> Result<Option<QuietHours>, D::Error>
where
    D: Deserializer<'de>,
{
    let text = String::deserialize(deserializer)?;
    if text.is_empty() {
        return Ok(None);
    }
    parse_hours(&text)
        .map(Some)
        .ok_or_else(|| refused(&text, ValueType::Hours))
}

fn refused<E: serde::de::Error>(text: &str, takes: ValueType) -> E {
    E::custom(format!("{text:?} does not fit; allowed is {takes}"))
}

pub(super) fn parse_hours(text: &str) -> Option<QuietHours> {
    let minute = |text: &str| {
        let (hour, minute) = text.trim().split_once(':')?;
        let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some(hour * 60 + minute)
    };
    let (from, to) = text.split_once('-')?;
    Some(QuietHours {
        from: minute(from)?,
        to: minute(to)?,
    })
}

/// The longest length of time: a hundred years, in milliseconds. No clock and no sum overflows with
/// it, and a longer one is a slip of the pen.
const LONGEST: i64 = 100 * 366 * 86_400 * 1_000;

/// Reads `90s`, `3m`, `1h`, `2d`; more than zero, and no more than a hundred years.
pub fn parse_span(text: &str) -> Option<Span> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: i64 = number.parse().ok().filter(|n| *n > 0)?;
    let seconds = match unit.trim() {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    number
        .checked_mul(seconds)?
        .checked_mul(1_000)
        .filter(|millis| *millis <= LONGEST)
        .map(Span::millis)
}
