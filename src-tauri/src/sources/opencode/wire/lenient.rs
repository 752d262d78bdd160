//! Reads JSON of servers that may be newer than this Beckon. An odd item does not take its list
//! along, an odd field makes a card poorer, and what a person reads is taken as text whatever its
//! type.
//!
//! Not here: the fields that decide what a human consents to. Those are read strictly, by the
//! shapes themselves; a request that is not understood there becomes an ask without answers, in
//! `requests`.

use super::{OptionInfo, QuestionInfo};
use beckon_client::json::exact;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The items of a list, each to be read by itself.
pub(in crate::sources::opencode) type LenientItems = Vec<Box<RawValue>>;

/// The items of a list that are understood, for lists on which nothing is lost with an odd one.
#[derive(Debug)]
pub(in crate::sources::opencode) struct UnderstoodItems<T>(pub(in crate::sources::opencode) Vec<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for UnderstoodItems<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let items = LenientItems::deserialize(deserializer)?;
        Ok(Self(
            items
                .iter()
                .filter_map(|item| serde_json::from_str(item.get()).ok())
                .collect(),
        ))
    }
}

/// Reads a value leniently: one of any other shape counts as absent.
pub(in crate::sources::opencode) fn if_understood<
    'de,
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
>(
    deserializer: D,
) -> Result<T, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).unwrap_or_default())
}

/// Reads the questions of a request. Only a shape that hides what can be chosen is an error.
pub(in crate::sources::opencode) fn questions<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<QuestionInfo>, D::Error> {
    let items = Option::<Vec<Value>>::deserialize(deserializer)?.unwrap_or_default();
    items
        .iter()
        .map(|item| question(item).map_err(D::Error::custom))
        .collect()
}

fn question(item: &Value) -> Result<QuestionInfo, &'static str> {
    if !item.is_object() {
        return Ok(QuestionInfo {
            question: text(item),
            ..QuestionInfo::default()
        });
    }
    let options = match &item["options"] {
        Value::Null => Vec::new(),
        Value::Array(options) => options.iter().map(option).collect(),
        _ => return Err("options that are no list"),
    };
    Ok(QuestionInfo {
        question: text(&item["question"]),
        header: text(&item["header"]),
        options,
        multiple: item["multiple"].as_bool(),
        custom: item["custom"].as_bool(),
    })
}

/// Reads an option. One that is no object is its own label.
fn option(item: &Value) -> OptionInfo {
    if item.is_object() {
        OptionInfo {
            label: text(&item["label"]),
            description: text(&item["description"]),
        }
    } else {
        OptionInfo {
            label: text(item),
            ..OptionInfo::default()
        }
    }
}

/// Reads a value whose numbers keep their digits; `null` counts as absent.
pub(in crate::sources::opencode) fn exact_value<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    let value = exact::deserialize(deserializer)?;
    Ok((!value.is_null()).then_some(value))
}

/// Reads an object in the same way; an absent one has no fields.
pub(in crate::sources::opencode) fn exact_fields<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Value>, D::Error> {
    let value = exact_value(deserializer)?;
    let fields = value.map(serde_json::from_value).transpose();
    Ok(fields.map_err(D::Error::custom)?.unwrap_or_default())
}

/// Returns a value as a person reads it.
pub(in crate::sources::opencode) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => exact::plain(text),
        other => exact::written(other),
    }
}
