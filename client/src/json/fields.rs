//! The look-up of fields in a message whose writer may be newer, older or careless. A field of the
//! wrong type counts as absent, and other fields are not looked at.

use super::exact;
use serde_json::{Map, Value};

/// Returns a field's text; for a number or a truth value, what a person would read.
pub fn text(message: &Value, name: &str) -> Option<String> {
    match message.get(name)? {
        Value::String(text) => Some(exact::plain(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Returns a field that is text. A field of another type counts as absent.
pub fn string(message: &Value, name: &str) -> Option<String> {
    let text = message.get(name)?.as_str()?;
    (!exact::is_number(text)).then(|| text.to_owned())
}

/// Returns the items of a list; none where there is no list.
pub fn list<'a>(message: &'a Value, name: &str) -> &'a [Value] {
    message
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns an object.
pub fn object<'a>(message: &'a Value, name: &str) -> Option<&'a Map<String, Value>> {
    message.get(name)?.as_object()
}

/// Returns a truth value, also if it is written as a text or a number.
pub fn flag(message: &Value, name: &str) -> Option<bool> {
    as_flag(message.get(name)?)
}

/// Returns the truth value that a value is, or stands for.
pub(super) fn as_flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Some(true),
            "false" | "no" | "0" => Some(false),
            _ => None,
        },
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
