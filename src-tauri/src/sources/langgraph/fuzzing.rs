//! Invariants of LangGraph's threads.

#![allow(clippy::expect_used, reason = "a panic is how a door objects")]

use super::wire::{self, ListedThread};
use crate::sources::fuzzing::{first_answer, holds, source};
use beckon_core::{Answer, Ask, Timestamp};
use serde_json::value::RawValue;

/// Checks that each thing a thread waits for is an ask that is found again after a restart, and
/// that a thread that is not understood is one too.
pub(in crate::sources) fn items(items: &[Box<RawValue>]) {
    for item in items {
        let thread = ListedThread::read(item);
        for pending in thread.pending() {
            let ask = wire::ask(&source(), &thread, pending, Timestamp(0));
            holds(&ask);
            // The ask comes back from the desk cut, and after a restart from the store.
            let kept = serde_json::to_string(&ask.cut()).expect("an ask can be kept");
            let ask: Ask = serde_json::from_str(&kept).expect("what was kept can be read");
            let found = thread.find(&ask);
            assert!(found.is_some(), "nobody can answer {item}");
            for answer in [first_answer(&ask), ask.refusal(), Answer::Dismiss] {
                if ask.check(&answer).is_ok() {
                    let _ = wire::value(&ask, pending, &answer);
                }
            }
        }
        if let Some(ask) = wire::unknown(&source(), &thread, Timestamp(0)) {
            holds(&ask);
        }
    }
}
