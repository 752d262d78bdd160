//! Tool calls under review, as LangChain's human-in-the-loop middleware and the Agent Inbox ask for
//! leave: one decision for each call, and none that its graph does not allow.
//!
//! Not here: in which words they ask and are answered (`spelling`), where in a value they stand
//! (`request`).

mod allowed;
mod call;
mod request;
mod spelling;
#[cfg(test)]
mod tests;

use crate::sources::interrupts::wire::{ResumeChoice, meant};
use crate::sources::unknown_form;
use beckon_client::json::exact;
use beckon_core::{Answer, AskContent, Grant, Permission, UnknownAsk, UnknownShape};
use call::CallReview;
use request::ReviewRequest;
use serde_json::Value;

/// A decision about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReviewDecision {
    Approve,
    Edit,
    Reject,
    Respond,
}

impl ReviewDecision {
    const ALL: [Self; 4] = [Self::Approve, Self::Edit, Self::Reject, Self::Respond];
}

/// Returns the command lines among a call's arguments, each with the words that are given beside
/// it. No tool is known here, so the search goes by the names that tools give such arguments.
fn commands(arguments: &Value) -> Vec<String> {
    const LINES: [&str; 7] = [
        "command",
        "cmd",
        "commands",
        "command_line",
        "script",
        "code",
        "bash",
    ];
    const WORDS: [&str; 3] = ["args", "arguments", "argv"];

    let given = |names: &[&str]| -> Vec<String> {
        let values = names.iter().filter_map(|name| arguments.get(name));
        values.flat_map(texts_of).collect()
    };
    let words = given(&WORDS).join(" ");
    let lines = given(&LINES).into_iter();
    lines
        .map(|line| format!("{line} {words}").trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect()
}

/// Returns a text, or the texts of a list.
fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(all) => all
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        _ => Vec::new(),
    }
}

/// Tells whether words were meant for JSON. Phones write typographic quotes.
fn begins_as_json(text: &str) -> bool {
    text.trim_start()
        .starts_with(['{', '[', '"', '\u{201c}', '\u{201d}', '\u{201e}'])
}

/// Tells whether words are a bare yes.
fn is_go_on(text: &str) -> bool {
    meant(&text.trim().to_lowercase()) == Some(ResumeChoice::GoOn)
}

/// Returns the ask behind a review, if the value is one. It is a permission where there is one call
/// and a plain yes or no to it, else a question for each call. A review that no answer fits is
/// shown as it came.
pub(super) fn of(value: &Value) -> Option<AskContent> {
    let calls = match request::find(value) {
        ReviewRequest::Nothing => return None,
        ReviewRequest::Unclear => return Some(unclear(value)),
        ReviewRequest::Calls(calls) => calls,
    };
    match calls.as_slice() {
        [one] if one.is_plain() => Some(AskContent::Permission(permission(one))),
        several => {
            let questions = several.iter().map(CallReview::question);
            Some(AskContent::Questions(questions.collect()))
        }
    }
}

fn permission(call: &CallReview) -> Permission {
    Permission {
        permission: call.title(),
        patterns: vec![call.call()],
        command: commands(&call.arguments()).into_iter().next(),
        ..Permission::default()
    }
}

fn unclear(value: &Value) -> AskContent {
    AskContent::Unknown(UnknownAsk {
        asked: UnknownShape::Permission,
        raw: unknown_form::shown(&exact::written_pretty(value)),
    })
}

/// Returns the value that goes back for a review; `None` where the interrupt is no review.
pub(super) fn decisions(value: &Value, answer: &Answer) -> Option<Result<Value, String>> {
    let calls = match request::find(value) {
        ReviewRequest::Nothing => return None,
        ReviewRequest::Unclear => return Some(Err("no answer to this is known".to_owned())),
        ReviewRequest::Calls(calls) => calls,
    };
    let all: Result<Vec<Value>, String> = match answer {
        Answer::Replies(replies) if replies.len() == calls.len() => calls
            .iter()
            .zip(replies)
            .map(|(call, reply)| call.decide(reply))
            .collect(),
        Answer::Grant(Grant::Once) => calls.iter().map(CallReview::approve).collect(),
        Answer::Grant(Grant::Reject { reason }) => calls
            .iter()
            .map(|call| call.reject(reason.as_deref()))
            .collect(),
        Answer::Dismiss => calls.iter().map(|call| call.reject(None)).collect(),
        _ => Err("no decision".to_owned()),
    };
    let spelling = calls[0].spelling;
    Some(all.map(|decisions| spelling.all(decisions)))
}
