//! Judges an ask that names no call by what its session said last.
//!
//! OpenCode asks without a call whether to go on with a repetition (`doom_loop`, its
//! `session/processor.ts`), and plugins may do so as well. The ids of its requests tell when they
//! were made: the first 12 digits are milliseconds and a counter (its `id/id.ts`). Messages are
//! stamped by the same clock. Other ids tell nothing.
//!
//! In this order:
//!
//! 1. A message of the assistant that was begun after the ask ends it: a session says one thing
//!    after the other.
//! 2. A last message that has ended or failed waits for nothing, unless it was asked after that
//!    end.

use super::{TurnState, is_assistant};
use crate::sources::opencode::wire::sessions::SessionMessage;
use beckon_core::Ask;

/// The number of digits of an id that tell its time.
const TIME_DIGITS: usize = 12;
/// The length of an id behind its prefix (`id/id.ts`). An id of another length was made by somebody
/// else.
const ID_LENGTH: usize = 26;
/// The number of bits among these digits that count requests of the same millisecond.
const COUNTER_BITS: u32 = 12;
/// The milliseconds after which the times in ids begin anew: about two years.
const ROUND: i64 = 1 << 36;

/// Judges by the last messages of the session, oldest first.
pub(super) fn judge(ask: &Ask, recent: &[SessionMessage]) -> TurnState {
    let spoken = recent.iter().rposition(|said| is_assistant(&said.info));
    let Some(spoken) = spoken else {
        return TurnState::Waits;
    };
    let last = &recent[spoken];
    let asked_at = time_of_id(&ask.id.own);
    let is_before = |stamp: i64| asked_at.is_some_and(|asked_at| precedes(asked_at, stamp));
    let is_after = |stamp: i64| asked_at.is_some_and(|asked_at| precedes(stamp, asked_at));

    let begun = last.info.time.as_ref().map(|time| time.created);
    if begun.is_some_and(is_before) {
        return TurnState::Over;
    }
    let ended = last.info.time.as_ref().and_then(|time| time.completed);
    if ended.is_some() || last.info.error.is_some() {
        return if ended.is_some_and(is_after) {
            TurnState::Waits
        } else {
            TurnState::Over
        };
    }
    if recent.len() == spoken + 1 {
        TurnState::Waits
    } else {
        TurnState::Unsure
    }
}

/// Reads the time that an id tells, in milliseconds of its round.
fn time_of_id(own: &str) -> Option<i64> {
    let (_, rest) = own.split_once('_')?;
    let digits = rest.get(..TIME_DIGITS)?;
    let is_ours = rest.len() == ID_LENGTH;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = i64::from_str_radix(digits, 16).ok()?;
    (is_ours && is_hex).then_some(number >> COUNTER_BITS)
}

/// Tells whether one moment comes before another, in whatever rounds they are written.
fn precedes(first: i64, second: i64) -> bool {
    let ahead = (second - first).rem_euclid(ROUND);
    ahead != 0 && ahead < ROUND / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::opencode::dialect::ApiDialect;
    use crate::sources::opencode::requests::RequestContext;
    use beckon_core::SourceId;
    use serde_json::{Value, json};

    /// Milliseconds of the epoch.
    const ASKED: i64 = 1_795_000_000_000;

    fn id_at(stamp: i64) -> String {
        let digits = (stamp % ROUND) << COUNTER_BITS;
        format!("per_{digits:012x}AbCdEfGhIjKlMn")
    }

    fn judged(own: &str, messages: Value) -> TurnState {
        let asked = json!({
            "id": own, "sessionID": "ses_1", "permission": "doom_loop", "patterns": ["bash"],
            "metadata": { "tool": "bash", "input": { "command": "make" } }, "always": ["bash"],
        });
        let source = SourceId("local".into());
        let context = RequestContext {
            source: &source,
            directory: "/p",
            dialect: ApiDialect::First,
        };
        let ask = context.permission(&asked.to_string());
        let messages: Vec<SessionMessage> = serde_json::from_value(messages).unwrap();
        judge(&ask, &messages)
    }

    fn said(begun: i64, ended: Option<i64>) -> Value {
        let time = json!({ "created": begun, "completed": ended });
        json!({ "info": { "id": "msg_1", "role": "assistant", "time": time }, "parts": [call("make")] })
    }

    fn call(command: &str) -> Value {
        let state = json!({ "status": "running", "input": { "command": command } });
        json!({ "type": "tool", "callID": "call_1", "state": state })
    }

    fn prompt(at: i64) -> Value {
        json!({ "info": { "id": "msg_2", "role": "user", "time": { "created": at } }, "parts": [] })
    }

    #[test]
    fn the_message_that_was_being_said_waits() {
        let running = said(ASKED - 10, None);
        assert_eq!(judged(&id_at(ASKED), json!([running])), TurnState::Waits);
        assert_eq!(judged("per_x", json!([running])), TurnState::Waits);
        assert_eq!(judged("per_x", json!([])), TurnState::Waits);
        let behind = json!([running, prompt(ASKED + 10)]);
        assert_eq!(judged(&id_at(ASKED), behind), TurnState::Unsure);
    }

    #[test]
    fn a_message_that_was_begun_later_ends_it() {
        let later = json!([said(ASKED + 1, None)]);
        assert_eq!(judged(&id_at(ASKED), later), TurnState::Over);
    }

    #[test]
    fn times_are_compared_also_where_ids_begin_anew() {
        let turn = ASKED - ASKED % ROUND;
        let later = json!([said(turn + 1, None)]);
        assert_eq!(judged(&id_at(turn - 1), later), TurnState::Over);
        let earlier = json!([said(turn - 1, None)]);
        assert_eq!(judged(&id_at(turn + 1), earlier), TurnState::Waits);
    }

    #[test]
    fn a_message_that_has_ended_waits_for_nothing_unless_it_was_asked_after_that() {
        let ended = json!([said(ASKED - 20, Some(ASKED - 10)), prompt(ASKED - 5)]);
        assert_eq!(judged(&id_at(ASKED), ended.clone()), TurnState::Waits);
        assert_eq!(judged(&id_at(ASKED - 15), ended.clone()), TurnState::Over);
        assert_eq!(judged("per_x", ended), TurnState::Over);
        let mut aborted = said(ASKED - 10, None);
        aborted["info"]["error"] = json!({ "name": "MessageAbortedError" });
        assert_eq!(judged(&id_at(ASKED), json!([aborted])), TurnState::Over);
    }
}
