//! Invariants of an interrupt, whatever its service makes of the documents.

use super::threads::ThreadTable;
use super::wire::{self, Interrupt, ServiceFrame};
use crate::sources::fuzzing::{holds, source};
use beckon_core::{AskContent, SourceReport, Timestamp};
use serde_json::Value;
use sse_stream::Sse;

pub(in crate::sources) fn frame(frame: &Sse) {
    let ServiceFrame::Interrupt(interrupt) = wire::read(frame) else {
        return;
    };
    assert!(wire::is_interrupt(frame), "passed over: {frame:?}");
    if let Some(thread) = &interrupt.thread {
        assert!(
            wire::is_name(thread),
            "{thread:?} would leave its place in the path"
        );
    }
    let data = frame.data.as_deref().unwrap_or_default();
    if let (Ok(whole), true) = (serde_json::from_str::<Value>(data), interrupt.ordinary) {
        // Whatever an envelope says beside its content is not meant for a person.
        let enveloped = whole.get("event").is_some_and(Value::is_string) && !wire::is_flat(&whole);
        shows_all(&interrupt, if enveloped { &whole["data"] } else { &whole });
    }
    is_asked_once(*interrupt);
}

/// Checks that a human sees what they allow: each text of an interrupt that has no questions stands
/// in its words or on its choices.
fn shows_all(interrupt: &Interrupt, body: &Value) {
    let shown = shown(interrupt);
    let mut texts = Vec::new();
    collect(body, &mut texts);
    for (key, text) in texts {
        let names = matches!(key, "event" | "thread_id" | "threadId" | "type");
        let escaped = Value::from(text).to_string();
        let escaped = escaped.trim_matches('"');
        let is_shown = shown.contains(text.trim()) || shown.contains(escaped);
        // A button says it.
        let is_action = wire::meant(&text.trim().to_lowercase()).is_some();
        assert!(
            names || is_action || is_shown,
            "{key}: {text:?} is not in {shown:?} of {body}"
        );
    }
}

fn shown(interrupt: &Interrupt) -> String {
    let mut shown: Vec<&str> = Vec::new();
    shown.extend(interrupt.title.as_deref());
    shown.extend(interrupt.words.as_deref());
    match &interrupt.kind {
        AskContent::Confirm(words) => shown.push(words),
        AskContent::Questions(questions) => {
            for question in questions {
                shown.extend([question.header.as_str(), question.question.as_str()]);
                for choice in &question.choices {
                    shown.extend([choice.label.as_str(), choice.description.as_str()]);
                    shown.extend(choice.value.as_deref());
                }
            }
        }
        AskContent::Permission(_) | AskContent::Unknown(_) => {}
    }
    shown.join("\n")
}

fn collect<'a>(value: &'a Value, texts: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) => texts.push((key, text)),
                    Value::Array(options) if key == "options" => {
                        options.iter().for_each(|option| of_option(option, texts));
                    }
                    deeper => collect(deeper, texts),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| match item {
            Value::String(text) => texts.push(("", text)),
            deeper => collect(deeper, texts),
        }),
        _ => {}
    }
}

/// Collects the texts of an option that a human has to see. It may have an icon and the like, which
/// they need not see.
fn of_option<'a>(option: &'a Value, texts: &mut Vec<(&'a str, &'a str)>) {
    let is_text = |key: &str| {
        option
            .get(key)
            .is_some_and(|it| !it.is_object() && !it.is_array())
    };
    if !option.is_object() || !(is_text("label") || is_text("value")) {
        return collect(option, texts);
    }
    for key in ["label", "value", "description"] {
        texts.extend(option[key].as_str().map(|text| ("option", text)));
    }
}

/// Checks that an interrupt that is said again is the same ask.
fn is_asked_once(interrupt: Interrupt) {
    let mut table = ThreadTable::restore(source(), &[], &[]);
    let thread = interrupt.thread.clone().unwrap_or_else(|| "t".into());
    let asked = |reports: Vec<SourceReport>| {
        let asks = reports.into_iter().filter_map(|report| match report {
            SourceReport::Asked(ask) => Some(ask),
            _ => None,
        });
        asks.collect::<Vec<_>>()
    };
    let first = asked(table.interrupted(&thread, interrupt.clone(), Some(1), Timestamp(1)));
    let again = asked(table.interrupted(&thread, interrupt, Some(1), Timestamp(2)));
    assert_eq!(first, again);
    first.iter().for_each(holds);
}
