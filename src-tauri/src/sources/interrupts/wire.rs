//! What frames say, as the service's documents define them, read so that nothing odd in one loses
//! an interrupt.

use beckon_client::json::exact;
use beckon_core::{AskContent, Choice, Question};
use serde_json::{Map, Value};
use sse_stream::Sse;

/// The value of the option that stands for own text.
const CUSTOM: &str = "__custom__";
/// What services call the two actions of an ordinary interrupt where they offer them as options.
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
    pub(super) kind: AskContent,
    /// What the agent says beside it.
    pub(super) words: Option<String>,
    /// It has no questions, whatever it offers: it takes the two actions, and no answers.
    pub(super) ordinary: bool,
}

/// One of the two actions that every interrupt takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources) enum ResumeChoice {
    GoOn,
    Stop,
}

/// Worth a look? Cheap: most frames of a busy service are others.
pub(super) fn is_interrupt(frame: &Sse) -> bool {
    let named = frame.event.as_deref() == Some("interrupt");
    // A letter may be escaped, though nobody does it.
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

/// The event's name and its data on one level, as the documents' own client reads it; also where
/// there is no data to speak of.
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

/// What a refusal says, out of the shapes that services give it.
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

/// One that stands alone is one too.
fn questions(body: &Value) -> Vec<Value> {
    match body.get("questions") {
        Some(one @ (Value::Object(_) | Value::String(_))) => vec![one.clone()],
        _ => items(body, "questions"),
    }
}

/// Where the options are the API's own two words they say nothing more; every other is a choice.
/// What all services take must be among them: a choice that is neither may be refused.
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

/// Does it say no more than the action does?
fn is_own_word(choice: &Choice) -> bool {
    let Choice { label, value, .. } = lower(choice);
    let own = matches!(value.as_deref(), Some("continue" | "confirm" | "cancel"));
    own && choice.description.is_empty() && meant(&label).is_some()
}

/// Which action a choice of an ordinary interrupt is; `None` where it says neither, or both.
pub(super) fn action(choice: &Choice) -> Option<ResumeChoice> {
    let Choice { label, value, .. } = lower(choice);
    let (said, sent) = (meant(&label), value.as_deref().and_then(meant));
    match (said, sent) {
        (Some(said), Some(sent)) => (said == sent).then_some(said),
        (said, sent) => said.or(sent),
    }
}

/// Which action a word means, in lower case.
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

/// An item of `questions`.
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
        // Nothing to choose from leaves only own words.
        custom: choices.is_empty() || options.iter().any(is_custom),
        choices,
        limits: None,
        consent: None,
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
    Some(Choice {
        label,
        description,
        value,
    })
}

/// What the human has to know before they approve it, as the service gives it: all of `data`, and
/// whatever else is there that no document knows.
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

/// Is it told elsewhere than among the details, or no matter of a person? In another shape than the
/// documents' it is not.
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

/// The items of an array; none where there is none.
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

/// A text or a number, unless it is blank.
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
