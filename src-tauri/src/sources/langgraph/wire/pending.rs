//! The interrupts for which a thread waits, each with its value and the id by which it is answered,
//! however the server writes it.
//!
//! Not here: what a value means (`wire`, `review`).

use super::hash;
use beckon_client::json::exact;
use beckon_core::{DeliveryFailure, ReturnReason};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An interrupt for which a thread waits.
#[derive(Debug)]
pub(in crate::sources::langgraph) struct PendingInterrupt {
    /// The interrupt's id, or else its place.
    pub(super) name: String,
    /// The value that it asks with. It keeps all digits of its numbers, since what is allowed has
    /// to be what was shown.
    pub(super) value: Value,
    /// Whether the form is unknown here; then the value is the whole item.
    pub(super) is_odd: bool,
}

impl PendingInterrupt {
    /// Returns the id of its ask. Servers before 0.16 gave all interrupts of a node one id, so the
    /// value counts as well.
    pub(super) fn own(&self) -> String {
        format!("{}-{:08x}", self.name, hash(&self.value.to_string()))
    }

    /// Returns the id by which LangGraph itself knows the interrupt. LangGraph takes a map with any
    /// other key for the answer itself: the graph would be told `{"8704": "yes"}`
    /// (<https://github.com/langchain-ai/langgraph>, `pregel/_loop.py`, and measured).
    fn id(&self) -> Option<&str> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        let is_id = self.name.len() == 32 && self.name.bytes().all(is_digit);
        is_id.then_some(self.name.as_str())
    }

    /// Returns the body for `resume`, where `waiting` are all the interrupts for which the thread
    /// waits.
    ///
    /// # Errors
    /// When the answer could reach another interrupt, or none.
    pub(super) fn resume(&self, value: Value, waiting: &[&Self]) -> Result<Value, DeliveryFailure> {
        let refused = |why: &str| {
            let why = ReturnReason::Refused(why.to_owned());
            Err(DeliveryFailure::Returned(why))
        };
        // Tools that run side by side in one node may share an id, and whichever comes first takes
        // the answer (<https://github.com/langchain-ai/langgraph/issues/6626>).
        let is_twin = |other: &&&Self| other.name == self.name && other.value != self.value;
        if waiting.iter().any(|other| is_twin(&other)) {
            return refused("another interrupt of this thread waits under the same id");
        }
        if let Some(id) = self.id() {
            return Ok(json!({ id: value }));
        }
        if waiting.len() > 1 {
            return refused("several interrupts of this thread wait, and this one has no id");
        }
        // LangGraph takes both for no answer, says 200 and stays where it is.
        let says_nothing = value.is_null() || value.as_object().is_some_and(Map::is_empty);
        if says_nothing {
            return refused("this interrupt has no id, and takes no empty answer");
        }
        Ok(value)
    }

    fn read(item: Value, place: &str) -> Self {
        let named = |name: Option<String>| name.unwrap_or_else(|| place.to_owned());
        match part(&item) {
            Some(Value::Object(fields)) => Self {
                name: named(id(fields)),
                value: fields
                    .get("value")
                    .cloned()
                    .unwrap_or_else(|| Value::Object(fields.clone())),
                is_odd: false,
            },
            _ => Self {
                name: place.to_owned(),
                value: item,
                is_odd: true,
            },
        }
    }
}

/// Returns the object that is the interrupt: one with a value, or one that is the value itself.
/// Some servers give a pair of an id and that object.
fn part(item: &Value) -> Option<&Value> {
    const ASKING: [&str; 8] = [
        "value",
        "action_request",
        "actionRequest",
        "action_requests",
        "actionRequests",
        "question",
        "questions",
        "options",
    ];
    let says_something = |item: &&Value| ASKING.iter().any(|field| item.get(*field).is_some());
    match item {
        Value::Array(pair) => pair.get(1).filter(says_something),
        item => Some(item).filter(says_something),
    }
}

/// Returns the interrupt's id, or the field that older servers give instead.
fn id(fields: &Map<String, Value>) -> Option<String> {
    let named = ["id", "interrupt_id"].iter();
    let mut texts = named.filter_map(|field| fields.get(*field)?.as_str());
    texts.find(|id| !id.trim().is_empty()).map(str::to_owned)
}

/// Reads the interrupts of a thread, by the task that raised them. An odd one does not hide the
/// others.
///
/// # Errors
/// When the tasks have no lists, or an item is nested too deeply to be read.
pub(super) fn by_task<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<PendingInterrupt>, D::Error> {
    type Tasks = Option<BTreeMap<String, Option<Vec<Box<RawValue>>>>>;

    let tasks = Tasks::deserialize(deserializer)?.unwrap_or_default();
    let mut interrupts = Vec::new();
    for (task, items) in tasks {
        for (place, item) in items.unwrap_or_default().iter().enumerate() {
            let item = exact::read(item.get())
                .ok_or_else(|| D::Error::custom("a value that is nested too deeply"))?;
            interrupts.push(PendingInterrupt::read(item, &format!("{task}-{place}")));
        }
    }
    Ok(interrupts)
}
