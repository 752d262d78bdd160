//! What LangGraph's threads wait for. An interrupt carries any JSON that its graph likes; the shapes
//! that have a meaning are read as that, and every other one is shown as it is and takes words.

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

/// `GET /info`
#[derive(Deserialize)]
pub(super) struct ServerInfo {
    pub(super) version: Option<String>,
}

/// A thread, as far as it is asked for.
#[derive(Debug, Deserialize)]
pub(super) struct ListedThread {
    thread_id: String,
    status: ThreadStatus,
    #[serde(default, deserialize_with = "metadata")]
    metadata: ThreadMetadata,
    /// What it waits for, or waited.
    #[serde(default, deserialize_with = "pending::by_task")]
    interrupts: Vec<PendingInterrupt>,
    /// One that is not understood, as it came.
    #[serde(skip)]
    strange: Option<String>,
}

/// What a thread does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ThreadStatus {
    /// It has stopped, for somebody or at a breakpoint.
    Interrupted,
    /// `idle`, `busy`, `error`, and whatever else.
    #[serde(other)]
    Other,
}

#[derive(Debug, Default)]
struct ThreadMetadata {
    assistant_id: Option<String>,
    graph_id: Option<String>,
}

/// What has another type there is as good as absent.
fn metadata<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ThreadMetadata, D::Error> {
    let said = Value::deserialize(deserializer)?;
    Ok(ThreadMetadata {
        assistant_id: fields::string(&said, "assistant_id"),
        graph_id: fields::string(&said, "graph_id"),
    })
}

impl ListedThread {
    /// An item of a list, by itself: one that is not understood does not take the others along.
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

    /// Which it is.
    pub(super) fn id(&self) -> &str {
        &self.thread_id
    }

    /// It has stopped, and nothing in it asks: before or after a node, where its graph was told to.
    pub(super) fn is_at_breakpoint(&self) -> bool {
        self.status == ThreadStatus::Interrupted
            && self.strange.is_none()
            && self.interrupts.is_empty()
    }

    /// What it waits for; several things where nodes run side by side.
    pub(super) fn pending(&self) -> impl Iterator<Item = &PendingInterrupt> {
        let waits = self.status == ThreadStatus::Interrupted;
        self.interrupts.iter().filter(move |_| waits)
    }

    /// What that ask stands for. Its name holds no more than a short hash of what is asked, which an
    /// agent could meet with something else.
    pub(super) fn find(&self, ask: &Ask) -> Option<&PendingInterrupt> {
        let mut named = self.pending().filter(|pending| pending.own() == ask.id.own);
        named.find(|pending| kind(pending).cut() == ask.kind)
    }

    /// What is posted to resume it with a value.
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

    /// Who runs it.
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

/// What is found also in a thread that is not understood.
#[derive(Default, Deserialize)]
#[serde(default)]
struct KnownFields {
    thread_id: Value,
    status: Value,
}

impl KnownFields {
    /// Also of what no reader takes as a whole; of a key that stands there twice the last counts.
    fn of(raw: &str) -> Self {
        let whole = || serde_json::from_value(serde_json::from_str::<Value>(raw).ok()?).ok();
        serde_json::from_str(raw)
            .ok()
            .or_else(whole)
            .unwrap_or_default()
    }
}

/// The ask behind an interrupt.
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

/// Of a thread that is not understood: one that does not say otherwise waits.
fn status(value: &Value) -> ThreadStatus {
    let said = value
        .as_str()
        .and_then(|_| ThreadStatus::deserialize(value).ok());
    said.unwrap_or(ThreadStatus::Interrupted)
}

/// The ask of a thread that is not understood: it is shown, and takes no answer from here.
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

/// Questions that come as JSON in a text are read; any other text is what it is.
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

/// A text, a `question` with or without `options`, or any other JSON. Whoever asks so may want JSON, so
/// that is said, and what is JSON goes back as that: `7` is a number, `"7"` a text.
fn one(value: &Value) -> Question {
    let mut question = question(value);
    if question.question.is_empty() {
        let shown = exact::written_pretty(value);
        question.question = format!("{shown}\n(JSON)");
        question.header = name(value);
    }
    question
}

/// What a value of unknown shape calls itself, or what is in it; empty where nothing does.
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

/// Whether it says nothing that this Beckon knows.
fn is_of_unknown_shape(value: &Value) -> bool {
    items(value, "questions").is_empty() && question(value).question.is_empty()
}

/// What the graph gets.
///
/// # Errors
/// When the answer is none for this ask, or not one that the graph allows.
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
        // There is no dismissal: the graph gets nothing, in its own word for that.
        Answer::Dismiss => Ok(Value::Null),
        Answer::Grant(_) | Answer::Continue | Answer::Cancel => Err(DeliveryFailure::NotFound),
    }
}

/// A graph that asks with JSON may want JSON: `true`, `{"ok": 1}`, and on a card that says so also `7`,
/// `null` and `"words"`. One that asks with a text gets the text.
///
/// # Errors
/// When JSON was begun and is none: the graph would get a text where it can do nothing with one.
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

/// Where a text ends to be JSON.
fn fault(text: &str) -> String {
    let error = serde_json::from_str::<&RawValue>(text).err();
    error.map_or_else(
        || "it is nested too deeply".to_owned(),
        |error| error.to_string(),
    )
}

#[cfg(test)]
mod tests;
