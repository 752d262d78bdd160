//! Invariants of OpenCode's frames and lists.

use super::dialect::ApiDialect;
use super::events::StreamEvent;
use super::forms;
use super::requests::RequestContext;
use super::watch::frame_type;
use crate::sources::fuzzing::{TEXTS, holds, source};
use beckon_core::{Ask, AskContent};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sse_stream::Sse;
use std::collections::BTreeMap;

pub(in crate::sources) use crate::sources::http::sse::fuzzing::capped;

/// Checks that a frame that is passed over unread means nothing, and that one that asks is an ask.
pub(in crate::sources) fn frame(frame: &Sse) {
    let Some(data) = &frame.data else { return };
    let read = [
        (false, StreamEvent::read(data, &source())),
        (true, forms::frame::read(data, &source(), &TEXTS)),
    ];
    for (in_forms, event) in read {
        match event {
            // Nobody knows what such a frame meant, so its type may be passed over.
            Err(_) | Ok(StreamEvent::Nothing) => {}
            Ok(event) => {
                assert!(
                    frame_type::is_of_interest(data, in_forms),
                    "passed over: {data}"
                );
                if let StreamEvent::Asked(ask) = event.cut() {
                    holds(&ask);
                }
            }
        }
    }
}

/// Checks that every item is an ask of its own, by its own id where it has one.
pub(in crate::sources) fn items(items: &[Box<RawValue>]) {
    for dialect in [ApiDialect::First, ApiDialect::Second, ApiDialect::Forms] {
        let (source, directory) = (source(), "/a");
        let found = RequestContext {
            source: &source,
            directory,
            dialect,
        };
        let asks = |read: &dyn Fn(&str) -> Ask| -> Vec<Ask> {
            items.iter().map(|item| read(item.get())).collect()
        };
        are_told_apart(items, &asks(&|raw| found.question(raw)));
        are_told_apart(items, &asks(&|raw| found.permission(raw)));
        are_told_apart(items, &asks(&|raw| found.other(raw)));
        are_told_apart(items, &asks(&|raw| found.form(raw, &TEXTS)));
    }
}

#[derive(Deserialize)]
struct NamedItem {
    id: Box<RawValue>,
}

fn are_told_apart(items: &[Box<RawValue>], asks: &[Ask]) {
    let mut unknown: BTreeMap<&str, &str> = BTreeMap::new();
    for (item, ask) in items.iter().zip(asks) {
        holds(ask);
        let named = serde_json::from_str::<NamedItem>(item.get()).ok();
        let id = named.and_then(|named| serde_json::from_str::<String>(named.id.get()).ok());
        match id.filter(|id| !id.is_empty()) {
            Some(id) => assert_eq!(ask.id.own, id, "{item}"),
            None if matches!(ask.kind, AskContent::Unknown(_)) => {
                let before = unknown.insert(&ask.id.own, item.get());
                let same = before.is_none_or(|before| is_the_same(before, item.get()));
                assert!(same, "{before:?} and {item} are one");
            }
            None => {}
        }
    }
}

/// Tells whether two texts differ at most in white space and the order of keys.
fn is_the_same(one: &str, other: &str) -> bool {
    match (
        serde_json::from_str::<Value>(one),
        serde_json::from_str::<Value>(other),
    ) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
