//! Finds the review in a value: in the official forms, in what graphs wrap around them, and in
//! other words. A review that has no answer of its own form is reported as unclear.
//!
//! The Agent Inbox reads an interrupt that is JSON in a text, and takes what is no review for an
//! improper one (<https://github.com/langchain-ai/agent-inbox>, `contexts/utils.ts`).
//!
//! Not here: what is allowed (`allowed`), and what a call shows (`call`).

use super::allowed::{self, config_of};
use super::call::CallReview;
use super::spelling::Spelling;
use beckon_client::json::exact;
use serde_json::{Map, Value};

/// The result of a search for a review.
pub(super) enum ReviewRequest {
    /// The value is no review.
    Nothing,
    /// The value is a review to which no answer is known.
    Unclear,
    /// The value asks about these calls, at least one.
    Calls(Vec<CallReview>),
}

/// The most levels that are opened: the wrappers of a service and of a library, the graph's own, a
/// text, and the review itself.
const DEEPEST: usize = 5;

/// Fields by which a value asks something else than leave for a call, whatever it mentions.
const QUESTIONS: [&str; 3] = ["question", "questions", "options"];

/// Finds the review that is in a value.
pub(super) fn find(value: &Value) -> ReviewRequest {
    find_within(value, DEEPEST)
}

fn find_within(value: &Value, depth: usize) -> ReviewRequest {
    let Some(depth) = depth.checked_sub(1) else {
        return ReviewRequest::Nothing;
    };
    match value {
        Value::Object(fields) => in_object(fields, depth),
        Value::Array(items) => in_list(items, depth),
        Value::String(text) => {
            in_text(text).map_or(ReviewRequest::Nothing, |value| find_within(&value, depth))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => ReviewRequest::Nothing,
    }
}

/// Reads JSON that is given as a text.
fn in_text(text: &str) -> Option<Value> {
    let begins = text.trim_start().starts_with(['{', '[']);
    begins.then(|| exact::read(text))?
}

fn in_object(fields: &Map<String, Value>, depth: usize) -> ReviewRequest {
    for (spelling, field) in [
        (Spelling::Python, "action_requests"),
        (Spelling::JavaScript, "actionRequests"),
    ] {
        if let Some(requests) = fields.get(field) {
            return of_middleware(spelling, requests, fields).into();
        }
    }

    for field in ["action_request", "actionRequest"] {
        if let Some(request) = fields.get(field) {
            return of_inbox(request, fields).map(|call| vec![call]).into();
        }
    }

    let is_asked = |field: &&str| fields.get(*field).is_some_and(|value| !value.is_null());
    if QUESTIONS.iter().any(is_asked) {
        return ReviewRequest::Nothing;
    }
    in_wrapper(fields, depth)
}

/// Finds the review in one field of an object; the others are shown beside it. More than one field
/// with a review is unclear.
fn in_wrapper(fields: &Map<String, Value>, depth: usize) -> ReviewRequest {
    let mut found = fields.iter().filter_map(|(key, value)| {
        let request = find_within(value, depth);
        (!matches!(request, ReviewRequest::Nothing)).then_some((key, request))
    });
    let Some((key, request)) = found.next() else {
        return ReviewRequest::Nothing;
    };
    let ReviewRequest::Calls(mut calls) = request else {
        return request;
    };
    if found.next().is_some() {
        return ReviewRequest::Unclear;
    }

    let note = noted(fields, &[key]);
    for call in &mut calls {
        call.notes.splice(0..0, note.clone());
    }
    ReviewRequest::Calls(calls)
}

/// Finds the review in a list. A list of one item is that item. Several items have one answer only
/// in the Agent Inbox's form.
fn in_list(items: &[Value], depth: usize) -> ReviewRequest {
    if let [one] = items {
        return find_within(one, depth);
    }

    let found: Vec<ReviewRequest> = items.iter().map(|item| find_within(item, depth)).collect();
    let is_nothing = |request: &ReviewRequest| matches!(request, ReviewRequest::Nothing);
    if found.iter().all(is_nothing) {
        return ReviewRequest::Nothing;
    }
    let calls: Option<Vec<CallReview>> = found.into_iter().map(one_of_inbox).collect();
    calls.into()
}

fn one_of_inbox(request: ReviewRequest) -> Option<CallReview> {
    let ReviewRequest::Calls(mut calls) = request else {
        return None;
    };
    let is_it = calls.len() == 1 && calls[0].spelling == Spelling::Inbox;
    is_it.then(|| calls.pop())?
}

impl From<Option<Vec<CallReview>>> for ReviewRequest {
    fn from(calls: Option<Vec<CallReview>>) -> Self {
        calls
            .filter(|calls| !calls.is_empty())
            .map_or(Self::Unclear, Self::Calls)
    }
}

fn of_middleware(
    spelling: Spelling,
    requests: &Value,
    fields: &Map<String, Value>,
) -> Option<Vec<CallReview>> {
    const CONFIGS: [&str; 2] = ["review_configs", "reviewConfigs"];

    let read = requests.as_str().and_then(in_text);
    let requests = read.as_ref().unwrap_or(requests).as_array()?;
    let configs: Vec<&Value> = CONFIGS
        .iter()
        .filter_map(|field| fields.get(*field)?.as_array())
        .flatten()
        .collect();
    let around = noted(
        fields,
        &[&CONFIGS[..], &["action_requests", "actionRequests"]].concat(),
    );
    let call = |(place, request): (usize, &Value)| {
        let mut call = CallReview::read(spelling, request)?;
        let config = config_of(call.name().as_deref(), place, requests.len(), &configs);
        call.allowed = allowed::by_config(spelling, config)?;
        call.notes.extend(around.clone());
        // LangChain 1.0 had the description there before its release.
        call.note(config.and_then(|config| config.get("description")));
        call.note(request.get("description"));
        Some(call)
    };
    requests.iter().enumerate().map(call).collect()
}

/// Reads a `HumanInterrupt`. Some versions of LangChain.js write its fields in camel case.
fn of_inbox(request: &Value, fields: &Map<String, Value>) -> Option<CallReview> {
    let read = request.as_str().and_then(in_text);
    let mut call = CallReview::read(Spelling::Inbox, read.as_ref().unwrap_or(request))?;
    call.allowed = allowed::by_flags(fields.get("config").unwrap_or(&Value::Null))?;
    call.notes.extend(noted(
        fields,
        &["action_request", "actionRequest", "config", "description"],
    ));
    call.note(fields.get("description"));
    Some(call)
}

/// Returns everything that stands beside those fields, as a person reads it.
fn noted<Name: AsRef<str>>(fields: &Map<String, Value>, but: &[Name]) -> Option<String> {
    let is_other = |key: &str| but.iter().all(|name| name.as_ref() != key);
    let rest: Map<String, Value> = fields
        .iter()
        .filter(|(key, value)| is_other(key) && !value.is_null())
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    (!rest.is_empty()).then(|| exact::written(&Value::Object(rest)))
}
