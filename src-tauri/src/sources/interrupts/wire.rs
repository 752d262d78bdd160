//! The frames of a service, as its documents define them, read so that nothing odd in one loses an
//! interrupt.

use beckon_client::json::exact;
use beckon_core::{AskContent, Choice, Question};
use serde_json::{Map, Value};
use sse_stream::Sse;

/// The value of the option that stands for a text of the human's own.
const CUSTOM: &str = "__custom__";
/// The words by which services offer the two actions of an ordinary interrupt as options.
const GO_ON: &[&str] = &[
    "continue", "confirm", "approve", "approved", "accept", "allow", "agree", "proceed", "go on",
    "yes", "ok", "继续", "确认", "批准", "同意", "允许", "接受", "通过", "是", "好",
];
const STOP: &[&str] = &[
    "cancel",
    "reject",
    "rejected",
    "deny",
    "decline",
    "disallow",
    "refuse",
    "disagree",
    "abort",
    "stop",
    "no",
    "取消",
    "拒绝",
    "驳回",
    "否决",
    "不批准",
    "不同意",
    "不允许",
    "不通过",
    "停止",
    "中止",
    "终止",
    "否",
    "不",
];
/// A frame of the stream or of a reply.
#[derive(Debug, PartialEq)]
pub(super) enum ServiceFrame {
    /// A thread waits for a human.
    Interrupt(Box<Interrupt>),
    /// The thread goes on: the agent speaks, or a tool runs.
    WentOn,
    /// The reply is complete.
    End,
    /// Something went wrong, in the service's words.
    Error(String),
    /// Anything else.
    Nothing,
}

/// An interrupt: what a thread waits for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interrupt {
    /// The thread's id; a reply need not name it.
    pub(super) thread: Option<String>,
    /// The service's name for the work.
    pub(super) title: Option<String>,
    /// The content that is asked.
    pub(super) kind: AskContent,
    /// The agent's words beside it.
    pub(super) words: Option<String>,
    /// Whether it has no questions, whatever it offers: then it takes the two actions, and no
    /// answers.
    pub(super) ordinary: bool,
}

/// An action that every interrupt takes; there are these two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources) enum ResumeChoice {
    GoOn,
    Stop,
}

/// Tells whether a frame may be an interrupt. The check is cheap, since most frames of a busy
/// service are others.
pub(super) fn is_interrupt(frame: &Sse) -> bool {
    let named = frame.event.as_deref() == Some("interrupt");
    // A letter may be escaped, though no service is known to do it.
    let says = |data: &str| data.contains("\"interrupt\"") || data.contains("\\u00");
    named || frame.data.as_deref().is_some_and(says)
}

/// Reads a frame. Its name stands in the SSE event, or in an envelope around the data.
pub(super) fn read(frame: &Sse) -> ServiceFrame {
    let data = frame.data.as_deref().unwrap_or_default();
    let mut whole = exact::read_or_text(data);
    let enveloped = whole
        .get("event")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let in_envelope = enveloped.is_some();
    let Some(name) = enveloped.or_else(|| frame.event.clone()) else {
        return ServiceFrame::Nothing;
    };
    let flat = name == "interrupt" && is_flat(&whole);
    let body = if in_envelope && !flat {
        whole["data"].take()
    } else {
        whole.take()
    };
    match name.as_str() {
        "interrupt" => {
            let thread = thread(&body)
                .or_else(|| thread(&whole))
                .or_else(|| named(&frame.id));
            ServiceFrame::Interrupt(Box::new(interrupt(thread, &body)))
        }
        "error" => ServiceFrame::Error(error(&body)),
        "end" => ServiceFrame::End,
        "messages/partial" | "tool/start" | "tool/end" => ServiceFrame::WentOn,
        _ => ServiceFrame::Nothing,
    }
}

/// Tells whether the event's name and its data stand on one level, as the documents' own client
/// reads them. True also where there is no data to speak of.
pub(super) fn is_flat(whole: &Value) -> bool {
    let tells = |value: &Value| {
        ["info", "taskName", "questions", "options"]
            .iter()
            .any(|key| value.get(key).is_some())
    };
    match whole.get("data") {
        Some(data @ Value::Object(told)) if !told.is_empty() => tells(whole) && !tells(data),
        _ => true,
    }
}

/// Returns the text of a refusal, out of the shapes that services give it.
pub(in crate::sources) fn detail(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => error(&value),
        Err(_) => text.trim().to_owned(),
    }
}

fn error(body: &Value) -> String {
    let said = ["message", "detail", "error"]
        .iter()
        .find_map(|key| body.get(*key));
    match said {
        Some(deeper @ Value::Object(_)) => error(deeper),
        Some(said) => plain(said).unwrap_or_default(),
        None => plain(body).unwrap_or_default(),
    }
}

/// Reads the thread's id out of the data or the data's own data. The documents do not say where it
/// stands; [`read`] also looks in the envelope and at the id of the SSE frame.
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

/// Tells whether an id can be a part of an address.
pub(super) fn is_name(id: &str) -> bool {
    !matches!(id.trim(), "" | "." | "..")
}

fn interrupt(thread: Option<String>, body: &Value) -> Interrupt {
    let info = text(body, "info").or_else(|| plain(body));
    let title = text(body, "taskName");
    let asked = questions(body);
    if !asked.is_empty() {
        let kind = AskContent::Questions(asked.iter().map(question).collect());
        return Interrupt {
            thread,
            title,
            kind,
            words: info,
            ordinary: false,
        };
    }
    let words = [info.or_else(|| title.clone()), details(body)];
    let words = words.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let kind = ordinary(
        words,
        items(body, "options").iter().filter_map(choice).collect(),
    );
    Interrupt {
        thread,
        title,
        kind,
        words: None,
        ordinary: true,
    }
}

/// Returns the questions. One that stands without a list counts too.
fn questions(body: &Value) -> Vec<Value> {
    match body.get("questions") {
        Some(one @ (Value::Object(_) | Value::String(_))) => vec![one.clone()],
        _ => items(body, "questions"),
    }
}

/// Makes the content of an interrupt without questions. Options that are only the API's own two
/// words add nothing; with any other, all of them become choices. The action that all services take
/// must be among them, since a choice that is neither action may be refused.
fn ordinary(words: String, mut offered: Vec<Choice>) -> AskContent {
    if offered.iter().all(is_own_word) {
        return AskContent::Confirm(words);
    }
    if !offered
        .iter()
        .any(|choice| action(choice) == Some(ResumeChoice::GoOn))
    {
        offered.push(Choice {
            label: "continue".into(),
            value: Some("continue".into()),
            ..Choice::default()
        });
    }
    AskContent::Questions(vec![Question {
        question: words,
        choices: offered,
        ..Question::default()
    }])
}

/// Tells whether an option says no more than the action it stands for.
fn is_own_word(choice: &Choice) -> bool {
    let Choice { label, value, .. } = lower(choice);
    let own = matches!(value.as_deref(), Some("continue" | "confirm" | "cancel"));
    own && choice.description.is_empty() && meant(&label).is_some()
}

/// Returns which action a choice of an ordinary interrupt is; `None` where it says neither, or
/// both.
pub(super) fn action(choice: &Choice) -> Option<ResumeChoice> {
    let Choice { label, value, .. } = lower(choice);
    let (said, sent) = (meant(&label), value.as_deref().and_then(meant));
    match (said, sent) {
        (Some(said), Some(sent)) => (said == sent).then_some(said),
        (said, sent) => said.or(sent),
    }
}

/// Returns which action a word means; the word is in lower case.
pub(in crate::sources) fn meant(word: &str) -> Option<ResumeChoice> {
    match (GO_ON.contains(&word), STOP.contains(&word)) {
        (true, _) => Some(ResumeChoice::GoOn),
        (_, true) => Some(ResumeChoice::Stop),
        _ => None,
    }
}

fn lower(choice: &Choice) -> Choice {
    let lower = |text: &str| text.trim().to_lowercase();
    let (label, value) = (lower(&choice.label), choice.value.as_deref().map(lower));
    Choice {
        label,
        value,
        description: String::new(),
    }
}

/// Reads an item of `questions`.
pub(in crate::sources) fn question(item: &Value) -> Question {
    let options = items(item, "options");
    let choices: Vec<Choice> = options
        .iter()
        .filter(|o| !is_custom(o))
        .filter_map(choice)
        .collect();
    Question {
        header: text(item, "header").unwrap_or_default(),
        question: text(item, "question")
            .or_else(|| plain(item))
            .unwrap_or_default(),
        // The API takes one text per question.
        multiple: false,
        // Where there is nothing to choose from, only a text of the human's own is left.
        custom: choices.is_empty() || options.iter().any(is_custom),
        choices,
        limits: None,
        consent: None,
    }
}

/// Tells whether an option lets the human type the value. Its label says no more than that, and we
/// have a field of our own for it.
fn is_custom(option: &Value) -> bool {
    option.get("allow_custom") == Some(&Value::Bool(true))
        || text(option, "value").as_deref() == Some(CUSTOM)
}

/// Reads an option. An empty value would be refused as an empty answer, so the label goes back
/// instead.
fn choice(option: &Value) -> Option<Choice> {
    let value = text(option, "value").or_else(|| plain(option));
    let label = text(option, "label").or_else(|| value.clone())?;
    let description = text(option, "description").unwrap_or_default();
    let value = value.or_else(|| Some(label.clone()));
    Some(Choice {
        label,
        description,
        value,
    })
}

/// Returns what the human has to know before they approve, as the service gives it: all of `data`,
/// and whatever else is there that no document knows.
fn details(body: &Value) -> Option<String> {
    let data = match body.get("data") {
        Some(Value::Object(data)) => pretty(data, is_thread),
        Some(data @ Value::Array(items)) if !items.is_empty() => Some(exact::written_pretty(data)),
        other => other.and_then(plain),
    };
    let more = match body {
        Value::Object(body) => pretty(body, is_told),
        Value::Array(items) if !items.is_empty() => Some(exact::written_pretty(body)),
        _ => None,
    };
    let told: Vec<String> = [data, more].into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join("\n\n"))
}

/// Tells whether a value is shown elsewhere than among the details, or is not meant for a person.
/// One whose shape differs from the documents' is not shown elsewhere.
fn is_told(key: &str, value: &Value) -> bool {
    let is_list = |of: fn(&Value) -> bool| value.as_array().is_some_and(|all| all.iter().all(of));
    match key {
        "data" => true,
        "event" | "info" | "taskName" => !value.is_object() && !value.is_array(),
        "questions" => is_list(|_| false),
        "options" => is_list(|option| choice(option).is_some()),
        key => is_thread(key, value),
    }
}

fn is_thread(key: &str, value: &Value) -> bool {
    matches!(key, "thread_id" | "threadId") && plain(value).is_some()
}

fn pretty(object: &Map<String, Value>, is_told: fn(&str, &Value) -> bool) -> Option<String> {
    let told = object
        .iter()
        .filter(|(key, value)| !is_told(key, value) && !value.is_null());
    let told: Map<String, Value> = told.map(|(k, v)| (k.clone(), v.clone())).collect();
    (!told.is_empty()).then(|| exact::written_pretty(&Value::Object(told)))
}

/// Returns the items of an array; none where there is no array.
pub(in crate::sources) fn items(value: &Value, key: &str) -> Vec<Value> {
    value
        .get(key)
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default()
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(plain)
}

/// Returns a text, a number or a truth value as text, unless it is blank.
fn plain(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => exact::plain(text),
        Value::Number(number) => number.to_string(),
        Value::Bool(bool) => bool.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
