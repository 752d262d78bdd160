//! What one thread waits for: each interrupt with its value and the id by which it is answered, however the server
//! writes it.
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

/// One interrupt.
#[derive(Debug)]
pub(in crate::sources::langgraph) struct PendingInterrupt {
    /// What it is called here: its id, or else its place.
    pub(super) name: String,
    /// What it asks. With all digits of its numbers: what is allowed is what was shown.
    pub(super) value: Value,
    /// Whether it is in a form that nobody here knows; then the value is all of it.
    pub(super) is_odd: bool,
}

impl PendingInterrupt {
    /// Its own name. Servers before 0.16 gave all interrupts of a node one id, so the value counts as well.
    pub(super) fn own(&self) -> String {
        format!("{}-{:08x}", self.name, hash(&self.value.to_string()))
    }

    /// The id by which LangGraph itself knows an interrupt. A map with any other key is no map to it but the answer:
    /// the graph would be told `{"8704": "yes"}`
    /// (<https://github.com/langchain-ai/langgraph>, `pregel/_loop.py`, and measured).
    fn id(&self) -> Option<&str> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        let is_id = self.name.len() == 32 && self.name.bytes().all(is_digit);
        is_id.then_some(self.name.as_str())
    }

    /// Returns what is posted as `resume`, where these wait in its thread.
    ///
    /// # Errors
    /// When the answer could reach another interrupt, or none.
    pub(super) fn resume(&self, value: Value, waiting: &[&Self]) -> Result<Value, DeliveryFailure> {
        let refused = |why: &str| {
            let why = ReturnReason::Refused(why.to_owned());
            Err(DeliveryFailure::Returned(why))
        };
        // Tools that run side by side in one node may share an id, and whichever comes first takes the answer
        // (<https://github.com/langchain-ai/langgraph/issues/6626>).
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

/// The object that is the interrupt: with a value, or what would be the value itself. Some servers give a pair
/// of an id and that.
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

/// Its id, or what older servers call so.
fn id(fields: &Map<String, Value>) -> Option<String> {
    let named = ["id", "interrupt_id"].iter();
    let mut texts = named.filter_map(|field| fields.get(*field)?.as_str());
    texts.find(|id| !id.trim().is_empty()).map(str::to_owned)
}

/// Reads the interrupts of a thread, by the task that raised them. An odd one hides no other.
///
/// # Errors
/// When they are no lists, or one is too deep to be read.
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
