//! The choices of a question: a list of objects, of bare labels, one object alone, or any of these as JSON in a
//! text.

use super::super::McpChoice;
use beckon_client::json::fields::text;
use serde_json::Value;

pub(super) const WANTED: &str = "a list of choices, each with a \"label\"";
/// A label by the names that models give it.
const LABELS: [&str; 5] = ["label", "title", "name", "text", "value"];

/// Reads the choices; `None` where it is not clear which they are.
pub(super) fn read(choices: &Value) -> Option<Vec<McpChoice>> {
    match choices {
        Value::Null => Some(Vec::new()),
        Value::String(text) if text.trim().is_empty() => Some(Vec::new()),
        Value::String(text) => read_json(text),
        Value::Array(items) => {
            let said = items.iter().filter(|item| !item.is_null());
            said.map(choice).collect()
        }
        Value::Object(_) => Some(vec![choice(choices)?]),
        Value::Bool(_) | Value::Number(_) => None,
    }
}

/// One text alone may be a label, or several with something between: only JSON is clear.
fn read_json(text: &str) -> Option<Vec<McpChoice>> {
    let inner: Value = serde_json::from_str(text).ok()?;

    match inner {
        Value::Array(_) | Value::Object(_) | Value::Null => read(&inner),
        Value::String(_) | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn choice(item: &Value) -> Option<McpChoice> {
    match item {
        Value::Object(_) => described(item),
        Value::String(text) => Some(in_text(text).unwrap_or_else(|| labelled(text.clone()))),
        Value::Number(number) => Some(labelled(number.to_string())),
        Value::Bool(flag) => Some(labelled(flag.to_string())),
        Value::Null | Value::Array(_) => None,
    }
}

/// An object that was written as text.
fn in_text(text: &str) -> Option<McpChoice> {
    let inner: Value = serde_json::from_str(text).ok()?;
    inner.is_object().then(|| described(&inner))?
}

fn described(item: &Value) -> Option<McpChoice> {
    let label = LABELS.iter().find_map(|name| text(item, name))?;
    let description = text(item, "description").unwrap_or_default();

    Some(McpChoice { label, description })
}

fn labelled(label: String) -> McpChoice {
    McpChoice {
        label,
        description: String::new(),
    }
}
