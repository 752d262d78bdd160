//! What LangGraph's threads wait for. An interrupt carries any JSON that its graph likes; the shapes
//! that have a meaning are read as that, and every other one is shown as it is and takes words.

use crate::sources::interrupts::wire::{items, question};
use beckon_core::{
    Answer, Ask, AskId, Grant, Kind, Permission, Question, Session, SourceId, Timestamp,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// `GET /info`
#[derive(Deserialize)]
pub(super) struct Info {
    pub(super) version: Option<String>,
}

/// A thread, as far as it is asked for.
#[derive(Debug, Deserialize)]
pub(super) struct Thread {
    thread_id: String,
    status: String,
    #[serde(default)]
    metadata: Metadata,
    /// By the task that raised them.
    #[serde(default)]
    interrupts: BTreeMap<String, Vec<Pending>>,
}

#[derive(Debug, Default, Deserialize)]
struct Metadata {
    assistant_id: Option<String>,
    graph_id: Option<String>,
}

/// One interrupt.
#[derive(Debug, Deserialize)]
pub(super) struct Pending {
    pub(super) id: String,
    #[serde(default)]
    value: Value,
}

impl Thread {
    /// What it waits for; several things where nodes run side by side.
    pub(super) fn pending(&self) -> impl Iterator<Item = &Pending> {
        let waits = self.status == "interrupted";
        self.interrupts.values().flatten().filter(move |_| waits)
    }

    pub(super) fn find(&self, id: &AskId) -> Option<&Pending> {
        self.pending().find(|pending| pending.own() == id.own)
    }

    /// Who runs it.
    pub(super) fn assistant(&self) -> Option<&str> {
        self.metadata.assistant_id.as_deref().or(self.metadata.graph_id.as_deref())
    }
}

impl Pending {
    /// Servers before 0.16 gave all interrupts of a node one id, so the value counts as well.
    fn own(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.value.to_string().hash(&mut hasher);
        format!("{}-{:08x}", self.id, hasher.finish() & 0xffff_ffff)
    }
}

/// The ask behind an interrupt.
pub(super) fn ask(source: &SourceId, thread: &Thread, pending: &Pending, now: Timestamp) -> Ask {
    let session = Session {
        id: thread.thread_id.clone(),
        // A server has no directories; its name is what people call the project.
        directory: source.0.clone(),
        agent: thread.metadata.graph_id.clone(),
        ..Session::default()
    };
    let id = AskId { source: source.clone(), own: pending.own() };
    Ask { id, kind: kind(&pending.value), session, call: None, asked_at: now }
}

fn kind(value: &Value) -> Kind {
    let reviews = items(value, "action_requests");
    let asked = items(value, "questions");
    match (reviews.as_slice(), asked.as_slice()) {
        ([first, ..], _) => Kind::Permission(permission(first, &reviews)),
        ([], [_, ..]) => Kind::Questions(asked.iter().map(question).collect()),
        ([], []) => Kind::Questions(vec![one(value)]),
    }
}

/// LangChain's human-in-the-loop middleware asks for leave to call tools.
fn permission(first: &Value, all: &[Value]) -> Permission {
    let what = |request: &Value| match request["description"].as_str() {
        Some(description) => description.to_owned(),
        None => format!("{} {}", request["name"].as_str().unwrap_or_default(), request["args"]),
    };
    Permission {
        permission: first["name"].as_str().unwrap_or("tool").to_owned(),
        patterns: all.iter().map(what).collect(),
        ..Permission::default()
    }
}

/// A text, a `question` with or without `options`, or any other JSON, which takes own words.
fn one(value: &Value) -> Question {
    let mut question = question(value);
    if question.question.is_empty() {
        question.question = serde_json::to_string_pretty(value).unwrap_or_default();
    }
    question
}

/// What the graph gets; `None` where the answer is none for this ask.
pub(super) fn value(ask: &Ask, pending: &Pending, answer: &Answer) -> Option<Value> {
    match answer {
        Answer::Replies(replies) => {
            let texts: Vec<String> = ask.delivered(replies).into_iter().flatten().collect();
            match items(&pending.value, "questions").is_empty() {
                true => texts.into_iter().next().map(|text| own_words(&pending.value, text)),
                false => Some(json!(texts)),
            }
        }
        Answer::Grant(grant) => {
            Some(decisions(grant, items(&pending.value, "action_requests").len()))
        }
        // There is no dismissal: the graph gets nothing, in its own word for that.
        Answer::Dismiss => Some(Value::Null),
        Answer::Continue | Answer::Cancel => None,
    }
}

/// A graph that asks with JSON may want JSON: `true`, `{"ok": 1}`. One that asks with a text gets the
/// text.
fn own_words(asked: &Value, text: String) -> Value {
    let structured = !asked.is_string() && items(asked, "options").is_empty();
    let read = serde_json::from_str::<Value>(&text).ok().filter(|value| {
        structured && (value.is_boolean() || value.is_object() || value.is_array())
    });
    read.unwrap_or(Value::String(text))
}

/// One decision for each tool, all the same.
fn decisions(grant: &Grant, count: usize) -> Value {
    let decision = match grant {
        Grant::Once | Grant::Always => json!({ "type": "approve" }),
        Grant::Reject { reason: Some(reason) } => json!({ "type": "reject", "message": reason }),
        Grant::Reject { reason: None } => json!({ "type": "reject" }),
    };
    json!({ "decisions": vec![decision; count] })
}

#[cfg(test)]
mod tests;
