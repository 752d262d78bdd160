//! The threads of LangGraph and what they wait for. An interrupt carries any JSON that its graph
//! likes. The shapes that have a meaning are read as that; every other one is shown as it is and
//! takes words.

mod breakpoint;
mod pending;

pub(super) use breakpoint::{ThreadStand, breakpoint, is_breakpoint};
pub(super) use pending::PendingInterrupt;

use super::review;
use crate::sources::interrupts::wire::{items, question};
use crate::sources::unknown_form;
use beckon_client::json::{exact, fields};
use beckon_core::visible::is_blank;
use beckon_core::{
    Answer, Ask, AskContent, AskId, DeliveryFailure, Question, ReturnReason, Session, SourceId,
    Timestamp, UnknownAsk, UnknownShape,
};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The answer of `GET /info`.
#[derive(Deserialize)]
pub(super) struct ServerInfo {
    pub(super) version: Option<String>,
}

/// A thread, with the fields that are asked for.
#[derive(Debug, Deserialize)]
pub(super) struct ListedThread {
    thread_id: String,
    status: ThreadStatus,
    #[serde(default, deserialize_with = "metadata")]
    metadata: ThreadMetadata,
    /// The interrupts for which it waits, or waited.
    #[serde(default, deserialize_with = "pending::by_task")]
    interrupts: Vec<PendingInterrupt>,
    /// The raw text of a thread that is not understood.
    #[serde(skip)]
    strange: Option<String>,
}

/// The state of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ThreadStatus {
    /// The thread has stopped, for somebody or at a breakpoint.
    Interrupted,
    /// Any other state: `idle`, `busy`, `error`, and whatever else.
    #[serde(other)]
    Other,
}

#[derive(Debug, Default)]
struct ThreadMetadata {
    assistant_id: Option<String>,
    graph_id: Option<String>,
}

/// Reads the metadata leniently: a field of another type counts as absent.
fn metadata<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ThreadMetadata, D::Error> {
    let said = Value::deserialize(deserializer)?;
    Ok(ThreadMetadata {
        assistant_id: fields::string(&said, "assistant_id"),
        graph_id: fields::string(&said, "graph_id"),
    })
}

impl ListedThread {
    /// Reads an item of a list by itself, so that one that is not understood does not take the
    /// others along.
    pub(super) fn read(item: &RawValue) -> Self {
        serde_json::from_str(item.get()).unwrap_or_else(|_| Self::strange(item))
    }

    fn strange(item: &RawValue) -> Self {
        let text = unknown_form::text(item.get());
        let unnamed = || format!("unknown-{:08x}", hash(&text));
        let known = KnownFields::of(item.get());
        Self {
            thread_id: known.thread_id.as_str().map_or_else(unnamed, str::to_owned),
            status: status(&known.status),
            metadata: ThreadMetadata::default(),
            interrupts: Vec::new(),
            strange: Some(text),
        }
    }

    /// Returns the thread's id.
    pub(super) fn id(&self) -> &str {
        &self.thread_id
    }

    /// Tells whether the thread has stopped and nothing in it asks: it stands before or after a
    /// node where its graph was told to stop.
    pub(super) fn is_at_breakpoint(&self) -> bool {
        self.status == ThreadStatus::Interrupted
            && self.strange.is_none()
            && self.interrupts.is_empty()
    }

    /// Returns the interrupts for which the thread waits; several where nodes run side by side.
    pub(super) fn pending(&self) -> impl Iterator<Item = &PendingInterrupt> {
        let waits = self.status == ThreadStatus::Interrupted;
        self.interrupts.iter().filter(move |_| waits)
    }

    /// Finds the interrupt that an ask stands for. The ask's id holds only a short hash of what is
    /// asked, which an agent could forge with another content, so the content is compared too.
    pub(super) fn find(&self, ask: &Ask) -> Option<&PendingInterrupt> {
        let mut named = self.pending().filter(|pending| pending.own() == ask.id.own);
        named.find(|pending| kind(pending).cut() == ask.kind)
    }

    /// Returns the body that resumes the thread with a value.
    ///
    /// # Errors
    /// When the answer could reach another interrupt, or none.
    pub(super) fn resume(
        &self,
        pending: &PendingInterrupt,
        value: Value,
    ) -> Result<Value, DeliveryFailure> {
        let waiting: Vec<&PendingInterrupt> = self.pending().collect();
        pending.resume(value, &waiting)
    }

    /// Returns the assistant that runs the thread, or else the graph.
    pub(super) fn assistant(&self) -> Option<&str> {
        self.metadata
            .assistant_id
            .as_deref()
            .or(self.metadata.graph_id.as_deref())
    }
}

fn hash(text: &str) -> u64 {
    unknown_form::hash(text) & 0xffff_ffff
}

/// The fields that are found even in a thread that is not understood.
#[derive(Default, Deserialize)]
#[serde(default)]
struct KnownFields {
    thread_id: Value,
    status: Value,
}

impl KnownFields {
    /// Reads the fields, also out of a text that as a whole has no known shape. If a key stands
    /// there twice, the last one counts.
    fn of(raw: &str) -> Self {
        let whole = || serde_json::from_value(serde_json::from_str::<Value>(raw).ok()?).ok();
        serde_json::from_str(raw)
            .ok()
            .or_else(whole)
            .unwrap_or_default()
    }
}

/// Makes the ask of an interrupt.
pub(super) fn ask(
    source: &SourceId,
    thread: &ListedThread,
    pending: &PendingInterrupt,
    now: Timestamp,
) -> Ask {
    let id = AskId {
        source: source.clone(),
        own: pending.own(),
    };
    let session = session(source, thread);
    Ask {
        id,
        kind: kind(pending),
        session,
        call: None,
        asked_at: now,
    }
}

/// Reads the state of a thread that is not understood. It waits unless it says otherwise.
fn status(value: &Value) -> ThreadStatus {
    let said = value
        .as_str()
        .and_then(|_| ThreadStatus::deserialize(value).ok());
    said.unwrap_or(ThreadStatus::Interrupted)
}

/// Makes the ask of a thread that is not understood: it is shown, and takes no answer from here.
pub(super) fn unknown(source: &SourceId, thread: &ListedThread, now: Timestamp) -> Option<Ask> {
    let raw = thread
        .strange
        .clone()
        .filter(|_| thread.status == ThreadStatus::Interrupted)?;
    let own = format!("unknown-{}-{:08x}", thread.id(), hash(&raw));
    let id = AskId {
        source: source.clone(),
        own,
    };
    Some(Ask {
        id,
        kind: unknown_question(&raw),
        session: session(source, thread),
        call: None,
        asked_at: now,
    })
}

fn session(source: &SourceId, thread: &ListedThread) -> Session {
    Session {
        id: thread.thread_id.clone(),
        // A server has no directories; its name is what people call the project.
        directory: source.0.clone(),
        agent: thread.metadata.graph_id.clone(),
        ..Session::default()
    }
}

fn unknown_question(raw: &str) -> AskContent {
    AskContent::Unknown(UnknownAsk {
        asked: UnknownShape::Question,
        raw: unknown_form::shown(raw),
    })
}

fn kind(pending: &PendingInterrupt) -> AskContent {
    if pending.is_odd {
        return unknown_question(&exact::written_pretty(&pending.value));
    }
    if let Some(kind) = review::of(&pending.value) {
        return kind;
    }

    let value = questions_in_text(&pending.value);
    let asked = items(&value, "questions");
    match asked.as_slice() {
        [] => AskContent::Questions(vec![one(&value)]),
        several => AskContent::Questions(several.iter().map(question).collect()),
    }
}

/// Reads questions that come as JSON in a text; any other text stays as it is.
fn questions_in_text(value: &Value) -> Cow<'_, Value> {
    let read = value
        .as_str()
        .filter(|text| text.trim_start().starts_with('{'))
        .and_then(exact::read);
    match read {
        Some(read) if read["question"].is_string() || read["questions"].is_array() => {
            Cow::Owned(read)
        }
        _ => Cow::Borrowed(value),
    }
}

/// Makes the question of a text, of a `question` with or without `options`, or of any other JSON. A
/// graph that asks with JSON may want JSON back, so the card says that, and an answer that is JSON
/// goes back as JSON: `7` is a number, `"7"` a text.
fn one(value: &Value) -> Question {
    let mut question = question(value);
    if question.question.is_empty() {
        let shown = exact::written_pretty(value);
        question.question = format!("{shown}\n(JSON)");
        question.header = name(value);
    }
    question
}

/// Returns the name that a value of unknown shape, or its items, give themselves; empty where none
/// does.
fn name(value: &Value) -> String {
    const NAMES: [&str; 6] = ["title", "action", "name", "tool", "type", "kind"];
    let items = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    let name = |item: &Value| NAMES.iter().find_map(|key| fields::string(item, key));
    let mut names: Vec<String> = items.iter().filter_map(name).collect();

    names.retain(|name| !is_blank(name));
    names.dedup();
    names.join(", ")
}

/// Tells whether a value says nothing that this Beckon knows.
fn is_of_unknown_shape(value: &Value) -> bool {
    items(value, "questions").is_empty() && question(value).question.is_empty()
}

/// Returns the value that the graph gets for an answer.
///
/// # Errors
/// When the answer does not fit this ask, or is not one that the graph allows.
pub(super) fn value(
    ask: &Ask,
    pending: &PendingInterrupt,
    answer: &Answer,
) -> Result<Value, DeliveryFailure> {
    if let Some(decisions) = review::decisions(&pending.value, answer) {
        return decisions.map_err(|why| DeliveryFailure::Returned(ReturnReason::Refused(why)));
    }
    let asked = questions_in_text(&pending.value);
    match answer {
        Answer::Replies(replies) => {
            let texts: Vec<String> = ask
                .replies_to_texts(replies)
                .into_iter()
                .flatten()
                .collect();
            if !items(&asked, "questions").is_empty() {
                return Ok(json!(texts));
            }
            let text = texts.into_iter().next().ok_or(DeliveryFailure::NotFound)?;
            own_words(&asked, text)
                .map_err(|why| DeliveryFailure::Returned(ReturnReason::Refused(why)))
        }
        // There is no dismissal here: the graph gets `null`, its own word for nothing.
        Answer::Dismiss => Ok(Value::Null),
        Answer::Grant(_) | Answer::Continue | Answer::Cancel => Err(DeliveryFailure::NotFound),
    }
}

/// Returns the human's own words as the graph gets them. A graph that asks with JSON may want JSON:
/// `true`, `{"ok": 1}`, and on a card that says so also `7`, `null` and `"words"`. One that asks
/// with a text gets the text.
///
/// # Errors
/// When JSON was begun and is broken: the graph would get a text where it can do nothing with one.
fn own_words(asked: &Value, text: String) -> Result<Value, String> {
    let structured = !asked.is_string() && items(asked, "options").is_empty();
    if !structured {
        return Ok(Value::String(text));
    }

    let says_json = is_of_unknown_shape(asked);
    let is_structure = |value: &Value| value.is_boolean() || value.is_object() || value.is_array();
    let begins = text.trim_start().starts_with(['{', '[', '"']);
    match exact::read(&text) {
        Some(value) if says_json || is_structure(&value) => Ok(value),
        None if begins && says_json => Err(format!("this is no whole JSON: {}", fault(&text))),
        _ => Ok(Value::String(text)),
    }
}

/// Returns the reason for which a text is no JSON, and the place.
fn fault(text: &str) -> String {
    let error = serde_json::from_str::<&RawValue>(text).err();
    error.map_or_else(
        || "it is nested too deeply".to_owned(),
        |error| error.to_string(),
    )
}

#[cfg(test)]
mod tests;
