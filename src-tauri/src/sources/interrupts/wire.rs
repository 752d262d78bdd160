//! What frames say, as the service's documents define them, read so that nothing odd in one loses
//! an interrupt.

use beckon_core::{Choice, Kind, Question};
use serde_json::{Map, Value};
use sse_stream::Sse;

/// The value of the option that stands for own text.
const CUSTOM: &str = "__custom__";
/// What the two answers of an ordinary interrupt are called by services that offer them as options.
const GO_ON: [&str; 2] = ["continue", "confirm"];
const STOP: [&str; 1] = ["cancel"];

/// A frame of the stream or of a reply.
#[derive(Debug, PartialEq)]
pub(super) enum Frame {
    /// A thread waits for a human.
    Interrupt(Box<Interrupt>),
    /// It goes on: the agent speaks, or a tool runs.
    WentOn,
    /// The reply is complete.
    End,
    /// Something went wrong, in the service's words.
    Error(String),
    /// Anything else.
    Nothing,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interrupt {
    /// Which thread; a reply need not say.
    pub(super) thread: Option<String>,
    /// What the service calls the work.
    pub(super) title: Option<String>,
    /// What is asked.
    pub(super) kind: Kind,
    /// What the agent says beside it.
    pub(super) words: Option<String>,
}

/// Worth a look? Cheap: most frames of a busy service are others.
pub(super) fn is_interrupt(frame: &Sse) -> bool {
    let named = frame.event.as_deref() == Some("interrupt");
    named || frame.data.as_deref().is_some_and(|data| data.contains("\"interrupt\""))
}

/// Reads a frame. Its name stands in the SSE event, or in an envelope around the data.
pub(super) fn read(frame: &Sse) -> Frame {
    let data = frame.data.as_deref().unwrap_or_default();
    let mut whole: Value = serde_json::from_str(data).unwrap_or_else(|_| data.into());
    let enveloped = whole.get("event").and_then(Value::as_str).map(str::to_owned);
    let in_envelope = enveloped.is_some();
    let Some(name) = enveloped.or_else(|| frame.event.clone()) else { return Frame::Nothing };
    let body = if in_envelope { whole["data"].take() } else { whole.take() };
    match name.as_str() {
        "interrupt" => {
            let thread = thread(&body).or_else(|| thread(&whole)).or_else(|| named(&frame.id));
            Frame::Interrupt(Box::new(interrupt(thread, &body)))
        }
        "error" => Frame::Error(error(&body)),
        "end" => Frame::End,
        "messages/partial" | "tool/start" | "tool/end" => Frame::WentOn,
        _ => Frame::Nothing,
    }
}

/// What a refusal says, out of the shapes that services give it.
pub(in crate::sources) fn detail(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => error(&value),
        Err(_) => text.trim().to_owned(),
    }
}

fn error(body: &Value) -> String {
    let said = ["message", "detail", "error"].iter().find_map(|key| body.get(*key));
    match said {
        Some(deeper @ Value::Object(_)) => error(deeper),
        Some(said) => plain(said).unwrap_or_default(),
        None => plain(body).unwrap_or_default(),
    }
}

/// The documents do not say where the thread is named: in the data, in the data's own data, in the
/// envelope, or (see [`read`]) as the id of the SSE frame.
fn thread(value: &Value) -> Option<String> {
    let here = |value: &Value| {
        let id = value.get("thread_id").or_else(|| value.get("threadId"))?;
        plain(id).filter(|id| is_name(id))
    };
    here(value).or_else(|| value.get("data").and_then(here))
}

fn named(id: &Option<String>) -> Option<String> {
    id.clone().filter(|id| is_name(id))
}

/// It becomes a part of an address.
fn is_name(id: &str) -> bool {
    !matches!(id.trim(), "" | "." | "..")
}

fn interrupt(thread: Option<String>, body: &Value) -> Interrupt {
    let info = text(body, "info").or_else(|| plain(body));
    let title = text(body, "taskName");
    let asked = items(body, "questions");
    let offered: Vec<Choice> = items(body, "options").iter().filter_map(choice).collect();
    if !asked.is_empty() {
        let kind = Kind::Questions(asked.iter().map(question).collect());
        return Interrupt { thread, title, kind, words: info };
    }
    let words = [info.or_else(|| title.clone()), details(body)];
    let words = words.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let kind = if offered.iter().all(is_action) {
        Kind::Confirm(words)
    } else {
        Kind::Questions(vec![Question { question: words, choices: offered, ..Question::default() }])
    };
    Interrupt { thread, title, kind, words: None }
}

/// `continue` and `cancel` are what an ordinary interrupt takes anyway; any other option is an answer.
fn is_action(choice: &Choice) -> bool {
    let word = choice.delivered().to_lowercase();
    GO_ON.contains(&word.as_str()) || STOP.contains(&word.as_str())
}

/// An item of `questions`.
pub(in crate::sources) fn question(item: &Value) -> Question {
    let options = items(item, "options");
    let choices: Vec<Choice> =
        options.iter().filter(|o| !is_custom(o)).filter_map(choice).collect();
    Question {
        header: text(item, "header").unwrap_or_default(),
        question: text(item, "question").or_else(|| plain(item)).unwrap_or_default(),
        // The API takes one text per question.
        multiple: false,
        // Nothing to choose from leaves only own words.
        custom: choices.is_empty() || options.iter().any(is_custom),
        choices,
        limits: None,
    }
}

/// The option lets the human type the value; its label says so, where we have a field of our own.
fn is_custom(option: &Value) -> bool {
    option.get("allow_custom") == Some(&Value::Bool(true))
        || text(option, "value").as_deref() == Some(CUSTOM)
}

/// An empty value would be refused as an empty answer; then the label goes back.
fn choice(option: &Value) -> Option<Choice> {
    let value = text(option, "value").or_else(|| plain(option));
    let label = text(option, "label").or_else(|| value.clone())?;
    let description = text(option, "description").unwrap_or_default();
    let value = value.or_else(|| Some(label.clone()));
    Some(Choice { label, description, value })
}

/// What the human has to know before they approve it, as the service gives it.
fn details(body: &Value) -> Option<String> {
    match body.get("data")? {
        Value::Object(data) => {
            let told =
                data.iter().filter(|(key, _)| !matches!(key.as_str(), "thread_id" | "threadId"));
            let told: Map<String, Value> = told.map(|(k, v)| (k.clone(), v.clone())).collect();
            (!told.is_empty()).then(|| serde_json::to_string_pretty(&told).unwrap_or_default())
        }
        Value::Array(data) if !data.is_empty() => serde_json::to_string_pretty(data).ok(),
        other => plain(other),
    }
}

/// The items of an array; none where there is none.
pub(in crate::sources) fn items(value: &Value, key: &str) -> Vec<Value> {
    value.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(plain)
}

/// A text or a number, unless it is blank.
fn plain(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(bool) => bool.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
