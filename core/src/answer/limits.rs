//! The limits of an answer where a source says more than "these choices" or "any text": a form's
//! typed fields. Pure checks; the words for a person are elsewhere.

use super::decimal::{Decimal, NumberBound};
use super::{number, pattern};
use crate::{InvalidAnswer, Reply};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;
use serde::{Deserialize, Serialize};

/// The demands that a source makes of one answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerLimits {
    /// The form that own text has to have.
    pub format: TextFormat,
    /// The least: of a number its value, where several may be chosen how many, else the characters
    /// of own text.
    pub least: Option<NumberBound>,
    /// The most, likewise.
    pub most: Option<NumberBound>,
    /// A number that is smaller than any answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<NumberBound>,
    /// A number that is larger than any answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<NumberBound>,
    /// A number of which every answer is a multiple.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<NumberBound>,
    /// Whether a number goes on as a double (IEEE 754), as in JavaScript. One that would be changed
    /// on that way is refused.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub as_double: bool,
    /// The pattern that own text has to match somewhere, as JavaScript writes patterns. One that
    /// can't be read here is left to the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The choice, from 0, that means no answer; nothing goes back to the agent for it.
    pub none: Option<usize>,
}

/// The form that own text has to have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// Anything.
    #[default]
    Text,
    /// `somebody@example.org`
    Email,
    /// `https://example.org/page`
    Uri,
    /// `2026-02-28`
    Date,
    /// `2026-02-28T14:30:00Z`
    DateTime,
    /// Any number.
    Number,
    /// A whole number.
    Integer,
}

/// The measure that a bound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitMeasure {
    /// The number itself.
    Value,
    /// The number of characters of a text.
    Characters,
    /// The number of answers that are given.
    Answers,
}

impl fmt::Display for TextFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "a text",
            Self::Email => "an e-mail address",
            Self::Uri => "an address like https://example.org",
            Self::Date => "a date like 2026-02-28",
            Self::DateTime => "a time like 2026-02-28T14:30:00Z",
            Self::Number => "a number",
            Self::Integer => "a whole number",
        })
    }
}

impl fmt::Display for LimitMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Value => "a number",
            Self::Characters => "characters",
            Self::Answers => "answers",
        })
    }
}

impl AnswerLimits {
    /// Checks whether a reply that is otherwise right keeps to them. `number` is the question's,
    /// from 1.
    pub(crate) fn check(
        &self,
        number: usize,
        multiple: bool,
        reply: &Reply,
    ) -> Result<(), InvalidAnswer> {
        if self.is_none(reply) {
            return match reply.choices.len() == 1 && reply.text.is_none() {
                true => Ok(()),
                false => Err(InvalidAnswer::NoneAndSome { question: number }),
            };
        }
        let text = reply.text.as_deref();
        if text.is_some_and(|text| !self.format.fits(text)) {
            return Err(InvalidAnswer::WrongFormat {
                question: number,
                format: self.format,
            });
        }
        if let Some(text) = text {
            self.check_text(number, text)?;
        }
        let (measure, sizes) = match (multiple, text) {
            (true, _) => {
                let answers = reply.choices.len() + usize::from(text.is_some());
                let answers = Decimal::of_count(answers);
                (LimitMeasure::Answers, answers.clone()..=answers)
            }
            (false, Some(text)) if self.format.is_number() => {
                let Some(value) = number::decimal(text) else {
                    return Ok(());
                };
                (LimitMeasure::Value, value.clone()..=value)
            }
            (false, Some(text)) => (LimitMeasure::Characters, lengths(text)),
            (false, None) => return Ok(()),
        };
        let Self { least, most, .. } = self;
        let is_short = least
            .as_ref()
            .is_some_and(|least| sizes.end() < least.value());
        let is_long = most
            .as_ref()
            .is_some_and(|most| sizes.start() > most.value());
        if is_short || is_long {
            return Err(InvalidAnswer::OutOfRange {
                question: number,
                measure,
                least: least.clone(),
                most: most.clone(),
            });
        }
        Ok(())
    }

    /// Checks whether own text keeps to the limits other than its length.
    fn check_text(&self, question: usize, text: &str) -> Result<(), InvalidAnswer> {
        if let Some(pattern) = &self.pattern
            && !pattern::fits(pattern, text)
        {
            let pattern = pattern.clone();
            return Err(InvalidAnswer::NoMatch { question, pattern });
        }

        let Some(value) = number::decimal(text).filter(|_| self.format.is_number()) else {
            return Ok(());
        };
        self.check_number(question, &value)
    }

    fn check_number(&self, question: usize, value: &Decimal) -> Result<(), InvalidAnswer> {
        if self.as_double && !value.is_double() {
            let nearest = Some(value.nearest_double()).filter(|nearest| nearest.is_finite());
            let nearest = nearest.map(NumberBound::from);
            return Err(InvalidAnswer::Rounded { question, nearest });
        }

        let broken = |bound: &Option<NumberBound>, is_kept: fn(&Decimal, &Decimal) -> bool| {
            bound.clone().filter(|bound| !is_kept(value, bound.value()))
        };
        if let Some(above) = broken(&self.above, |value, above| value > above) {
            return Err(InvalidAnswer::NotAbove { question, above });
        }
        if let Some(below) = broken(&self.below, |value, below| value < below) {
            return Err(InvalidAnswer::NotBelow { question, below });
        }
        match broken(&self.step, is_multiple) {
            Some(step) => Err(InvalidAnswer::NoMultiple { question, step }),
            None => Ok(()),
        }
    }

    /// Whether a reply says "no answer".
    pub fn is_none(&self, reply: &Reply) -> bool {
        self.none.is_some_and(|none| reply.choices.contains(&none))
    }
}

/// Whether it is a multiple: of a whole step digit by digit, else as far as binary fractions can
/// tell: 0.3 is one of 0.1. Zero and what is negative are no steps by JSON Schema.
fn is_multiple(value: &Decimal, step: &Decimal) -> bool {
    /// Many times the error of one division, and far less than anybody writes.
    const TOLERANCE: f64 = 1e-9;
    if let Some(rest) = value.remainder(step) {
        return rest == 0;
    }

    let value = value.nearest_double();
    let step = step.nearest_double();
    if step <= 0.0 {
        return true;
    }

    let steps = (value / step).abs();
    let rest = steps % 1.0;
    rest.min(1.0 - rest) <= TOLERANCE * steps.max(1.0)
}

impl TextFormat {
    /// Whether it is written in digits.
    pub fn is_number(self) -> bool {
        matches!(self, Self::Number | Self::Integer)
    }

    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Text => true,
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Date => is_date(text),
            Self::DateTime => text
                .split_once(['T', 't', ' '])
                .is_some_and(|(date, time)| is_date(date) && is_time(time)),
            Self::Number => number::decimal(text).is_some(),
            Self::Integer => number::is_whole(text),
        }
    }
}

/// Returns the lengths of a text by those who may have set the limit: JSON Schema counts characters
/// (<https://json-schema.org/draft/2020-12/json-schema-validation#name-maxlength>), JavaScript
/// UTF-16 units.
fn lengths(text: &str) -> RangeInclusive<Decimal> {
    let characters = Decimal::of_count(text.chars().count());
    let units = Decimal::of_count(text.encode_utf16().count());
    characters..=units
}

/// Whether the text is a mailbox as mail servers take it: the name may be quoted, and a machine of
/// one's own network has no dot (RFC 5321, section 4.1.2).
fn is_email(text: &str) -> bool {
    let is_name = |name: &str| {
        let is_quoted = name.len() > 2 && name.starts_with('"') && name.ends_with('"');
        is_quoted || (!name.is_empty() && !name.contains(['@', '"']) && !has_blanks(name))
    };
    let is_domain = |domain: &str| !domain.split('.').any(str::is_empty) && !has_blanks(domain);
    text.rsplit_once('@')
        .is_some_and(|(name, domain)| is_name(name) && is_domain(domain))
}

fn has_blanks(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

/// Whether the text is a scheme, a colon, and something; whether it exists is another question.
fn is_uri(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    text.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(letter)
            && !rest.trim_start_matches('/').is_empty()
            && !text.contains(char::is_whitespace)
    })
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut digits = |count| digits_of(parts.next()?, count);
    let (year, month, day) = (digits(4), digits(2), digits(2));
    let (Some(year), Some(month), Some(day), None) = (year, month, day, parts.next()) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Whether the text is a time: `14:30`, `14:30:00`, `14:30:00.5`, with `Z` or `+02:00` after it or
/// nothing.
fn is_time(text: &str) -> bool {
    let text = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    let (time, zone) = match text.find(['+', '-']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let clock = |text: &str, parts: core::ops::RangeInclusive<usize>| {
        let read: Vec<_> = text.split(':').map(|part| digits_of(part, 2)).collect();
        let limits = [24, 60, 60];
        let below = read
            .iter()
            .zip(limits)
            .all(|(part, limit)| part.is_some_and(|p| p < limit));
        parts.contains(&read.len()) && below
    };
    let (whole, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let digits = !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit());
    clock(whole, 2..=3) && digits && zone.is_none_or(|zone| clock(zone, 2..=2))
}

fn digits_of(text: &str, digits: usize) -> Option<u32> {
    let right = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    right.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests;
