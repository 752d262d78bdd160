//! The meaning of values as models and their clients write them, and not only as a schema says:
//! lists and truth values as text (<https://github.com/anthropics/claude-code/issues/22394>), bare
//! labels, `null` for what is not said.
//!
//! Not here: which message has which fields, and what is said of a value that stays unclear.

use super::fields::{as_flag, text};
use super::{Flaws, LenientJson};
use beckon_core::visible::is_blank;
use serde_json::Value;

/// The names of the field in which models write a label.
const LABELS: [&str; 5] = ["label", "title", "name", "text", "value"];

/// A choice that a question offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelledChoice {
    /// The label, which is shown, and is sent back when it is chosen.
    pub label: String,
    /// A sentence about it; may be empty.
    pub description: String,
}

/// The error for a value whose meaning is not clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclear;

/// Reads choices that have several names: an empty list under one says nothing beside a full one.
///
/// # Errors
/// When it is not clear which they are: also of two full lists that differ.
pub fn choices_by(fields: &Value, names: &[&str]) -> Result<Vec<LabelledChoice>, Unclear> {
    let mut said = Vec::new();
    for name in names {
        let these = choices(&fields[*name])?;
        let differs = !said.is_empty() && !these.is_empty() && these != said;
        if differs {
            return Err(Unclear);
        }
        if !these.is_empty() {
            said = these;
        }
    }
    Ok(said)
}

/// Reads choices: a list of objects, of bare labels, one object alone, or any of these as JSON in a
/// text.
///
/// # Errors
/// When it is not clear which they are.
pub fn choices(value: &Value) -> Result<Vec<LabelledChoice>, Unclear> {
    match value {
        Value::Null => Ok(Vec::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Vec::new()),
        // A single text may be a label, or several with something between them: only JSON is clear.
        Value::String(text) => match in_text(text) {
            Some(inner) => choices(&inner),
            None => Err(Unclear),
        },
        // Some clients write the word `null` in a list that is meant to be none.
        Value::Array(items) if *items == ["null"] => Ok(Vec::new()),
        Value::Array(items) => {
            let said = items.iter().filter(|item| !item.is_null());
            said.map(choice).collect()
        }
        Value::Object(_) => Ok(vec![choice(value)?]),
        Value::Bool(_) | Value::Number(_) => Err(Unclear),
    }
}

/// Reads a truth value; `None` if nothing is said.
///
/// # Errors
/// When it is neither.
pub fn truth(value: &Value) -> Result<Option<bool>, Unclear> {
    match value {
        nothing if says_nothing(nothing) => Ok(None),
        Value::Number(number) if ![Some(0.0), Some(1.0)].contains(&number.as_f64()) => Err(Unclear),
        value => as_flag(value).map(Some).ok_or(Unclear),
    }
}

/// Reads a number, also from a text; `None` if nothing is said.
///
/// # Errors
/// When it is none.
pub fn number(value: &Value) -> Result<Option<f64>, Unclear> {
    let number = match value {
        nothing if says_nothing(nothing) => return Ok(None),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let number = number.filter(|number: &f64| number.is_finite());
    number.map(Some).ok_or(Unclear)
}

/// Whether nothing is said. Some clients write the word `null` where a model said `null`
/// (<https://github.com/anthropics/claude-code/issues/95239>).
pub fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => matches!(text.trim(), "" | "null"),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Returns the list or object that a text holds as JSON, in which a number has its writer's digits.
/// A text that only looks like JSON stays a text.
pub fn in_text(text: &str) -> Option<Value> {
    if text.trim() == "null" {
        return Some(Value::Null);
    }
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }

    let LenientJson { value, flaws } = super::read_verbatim(text.as_bytes())?;
    (flaws == Flaws::default()).then_some(value)
}

fn choice(item: &Value) -> Result<LabelledChoice, Unclear> {
    match item {
        Value::Object(_) => described(item),
        Value::String(text) => match in_text(text).filter(Value::is_object) {
            Some(inner) => described(&inner),
            None => Ok(labelled(text.clone())),
        },
        Value::Number(number) => Ok(labelled(number.to_string())),
        Value::Bool(flag) => Ok(labelled(flag.to_string())),
        Value::Null | Value::Array(_) => Err(Unclear),
    }
}

fn described(item: &Value) -> Result<LabelledChoice, Unclear> {
    let said: Vec<String> = LABELS.iter().filter_map(|name| text(item, name)).collect();
    let seen = said.iter().find(|label| !is_blank(label));
    Ok(LabelledChoice {
        label: seen.or(said.first()).cloned().ok_or(Unclear)?,
        description: text(item, "description").unwrap_or_default(),
    })
}

fn labelled(label: String) -> LabelledChoice {
    LabelledChoice {
        label,
        description: String::new(),
    }
}
