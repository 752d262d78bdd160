//! The choices of a field: what each is called, and the value that goes back for it, of whatever JSON type.
//!
//! Not here: fields that are written into.

use beckon_client::json::exact;
use beckon_client::text::Texts;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub(super) struct FieldChoice {
    pub(super) label: String,
    pub(super) means: ChoiceMeaning,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ChoiceMeaning {
    /// A choice with this value.
    Value(Value),
    /// The field is left out.
    Nothing,
    /// The whole form is declined.
    Decline,
}

pub(super) fn yes_or_no(texts: &Texts) -> Vec<FieldChoice> {
    let choice = |key: &str, value: bool| FieldChoice {
        label: texts.get(key),
        means: ChoiceMeaning::Value(json!(value)),
    };
    vec![choice("hook-form-yes", true), choice("hook-form-no", false)]
}

/// Returns the values of a list: bare, with names beside them, or with titles. `None` where a
/// schema lists none.
pub(super) fn listed(schema: &Value) -> Option<Vec<FieldChoice>> {
    let titled = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema[*key].as_array());
    let values = match (titled, schema["enum"].as_array()) {
        (Some(titled), _) => titled.iter().map(titled_value).collect::<Option<_>>()?,
        (None, Some(values)) => named_values(values, &schema["enumNames"]),
        (None, None) => vec![(schema.get("const")?, None)],
    };
    Some(told_apart(values))
}

/// A value, and its name, if there is one.
type NamedValue<'a> = (&'a Value, Option<&'a str>);

fn titled_value(item: &Value) -> Option<NamedValue<'_>> {
    let value = item.get("const")?;
    Some((value, item["title"].as_str()))
}

fn named_values<'a>(values: &'a [Value], names: &'a Value) -> Vec<NamedValue<'a>> {
    let named = |(index, value)| (value, names[index].as_str());
    values.iter().enumerate().map(named).collect()
}

/// Makes the labels differ, since answers come back as labels: where a text and a number look the
/// same, each is shown as JSON beside its name.
fn told_apart(values: Vec<NamedValue<'_>>) -> Vec<FieldChoice> {
    let name = |(value, name): &NamedValue<'_>| match (name, value) {
        (Some(name), _) => (*name).to_owned(),
        (None, Value::String(text)) => exact::plain(text),
        (None, value) => exact::written(value),
    };
    let names: Vec<String> = values.iter().map(name).collect();
    let is_twice = |name: &String| names.iter().filter(|other| *other == name).count() > 1;

    let choice = |((value, _), name): (&NamedValue<'_>, &String)| {
        let label = if is_twice(name) {
            format!("{name} ({})", exact::written(value))
        } else {
            name.clone()
        };
        FieldChoice {
            label,
            means: ChoiceMeaning::Value((*value).clone()),
        }
    };
    values.iter().zip(&names).map(choice).collect()
}
