//! Finds out whether an ask was stopped together with its turn.
//!
//! A person who stops OpenCode ends what its turn was waiting for, yet both versions keep such
//! requests on their lists. A reply to one is answered with 200 and `question.replied`, and a
//! permission that is allowed then is carried out. The messages of the ask's session tell (measured
//! on both):
//!
//! 1. 1.18.33 notes the error on the message (`MessageAbortedError`), and on its tool part.
//! 2. 1.1.53 notes nothing: the part stays `running` for ever. But a session says one thing after
//!    the other, so a later message of the assistant proves that this one is over.
//! 3. A later prompt alone proves nothing: it is queued behind a request that still waits. If the
//!    session was silent in between, its turn is most likely over, and the next message will prove
//!    it.
//! 4. A session that was deleted while it asked is listed as busy for ever, and so its request
//!    stays. It has no message any more, and is not there itself.
//!
//! In a session that works on nothing, nobody waits; that is checked as well before an answer is
//! sent ([`is_left`]).
//!
//! Not here: requests that name no call (`without_call`), requests whose session is not busy while
//! nobody answers, which the desk gives up by itself, and aborts that were heard
//! (`watch/aborted.rs`).

mod without_call;

use crate::platform::part;
use crate::sources::opencode::OpenCodeReporter;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::delivery::proof;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::peer;
use crate::sources::opencode::wire::sessions::{
    MessageInfo, MessagePart, SessionMessage, ToolState,
};
use beckon_core::{Ask, CallRef, SourceReport};
use futures_util::{StreamExt, stream};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time limit for a look. A healthy server answers within milliseconds. From a server that does
/// not, nothing can be concluded, so an open ask stays open and one that was over stays over:
/// giving up a request for which somebody waits is worse than keeping one that is over.
const WITHIN: Duration = Duration::from_secs(1);
/// The time limit for a look beside an answer, in which there are two reads with limits of their
/// own (`HEADERS_WITHIN`).
const PATIENTLY_WITHIN: Duration = Duration::from_secs(9);
/// The number of looks for the agent's first message after a later prompt. It comes within a
/// second, unless the model is slow.
const TRIES: u32 = 10;
/// The pause between two such looks.
const BETWEEN: Duration = Duration::from_millis(300);
/// The number of sessions that are looked at together.
const AT_ONCE: usize = 8;

/// The state of the turn that an ask belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources::opencode) enum TurnState {
    /// The turn waits for the answer, as far as can be told.
    Waits,
    /// There is a later prompt, and the agent has not answered it yet.
    Unsure,
    /// The turn's messages could not be read.
    Unclear,
    /// The tool ran and failed by itself, so somebody had allowed it.
    Failed,
    /// The turn was stopped, and nobody waits.
    Over,
}

/// Looks at the turn of one ask.
pub(in crate::sources::opencode) async fn look_at_turn(api: &OpenCodeApi, ask: &Ask) -> TurnState {
    look_within(api, ask, WITHIN).await
}

async fn look_within(api: &OpenCodeApi, ask: &Ask, within: Duration) -> TurnState {
    if !is_told_by_session(ask) {
        return TurnState::Waits;
    }
    let states = look_at_session(api, &[ask], within).await;
    states.into_iter().next().unwrap_or(TurnState::Unclear)
}

/// Looks at an ask's turn before an answer is sent. If there is a later prompt that the agent has
/// not spoken to, waits for its next word.
pub(in crate::sources::opencode) async fn look_before_answer(
    api: &OpenCodeApi,
    ask: &Ask,
) -> TurnState {
    let began = Instant::now();
    let mut state = look_within(api, ask, PATIENTLY_WITHIN).await;
    while state == TurnState::Unsure && began.elapsed() < TRIES * BETWEEN {
        tokio::time::sleep(BETWEEN).await;
        state = look_within(api, ask, PATIENTLY_WITHIN).await;
    }
    state
}

/// Tells whether the session of an ask is idle, and stays so for as long as the desk waits before
/// it gives up the asks of a silent session. This is needed for 1.1.53, which notes nothing of an
/// abort: the call seems to run for ever.
pub(in crate::sources::opencode) async fn is_left(api: &OpenCodeApi, ask: &Ask) -> bool {
    if !is_told_by_session(ask) {
        return false;
    }
    let began = Instant::now();
    while !proof::is_busy(api, ask).await {
        if began.elapsed() >= TRIES * BETWEEN {
            return true;
        }
        tokio::time::sleep(BETWEEN).await;
    }
    false
}

/// Looks again, with a longer limit, at asks that could not be looked at in time, and reports which
/// are gone. This runs in the background.
pub(in crate::sources::opencode) fn look_longer(
    api: &OpenCodeApi,
    reporter: &OpenCodeReporter,
    asks: Vec<Ask>,
) {
    if asks.is_empty() {
        return;
    }
    let api = api.clone();
    let reporter = reporter.clone();
    part::spawn(async move {
        let asks: Vec<&Ask> = asks.iter().collect();
        for (own, state) in look_at_all(&api, &asks, PATIENTLY_WITHIN).await {
            if matches!(state, TurnState::Over | TurnState::Failed) {
                reporter.tell(SourceReport::Gone { own });
            }
        }
    });
}

/// Reports that an ask was answered, unless its turn had been stopped before: OpenCode reports an
/// answer also if no agent got it. A tool that has failed meanwhile had been allowed.
pub(in crate::sources::opencode) fn tell_reply(
    api: &OpenCodeApi,
    reporter: &OpenCodeReporter,
    ask: Ask,
    fell_silent: bool,
    replied: SourceReport,
) {
    let api = api.clone();
    let reporter = reporter.clone();
    part::spawn(async move {
        let state = look_within(&api, &ask, PATIENTLY_WITHIN).await;
        let is_over = match state {
            TurnState::Over => true,
            TurnState::Unsure => fell_silent,
            TurnState::Waits => fell_silent && proof::is_left_running(&api, &ask).await,
            TurnState::Unclear | TurnState::Failed => false,
        };
        reporter.tell(if is_over {
            SourceReport::Gone { own: ask.id.own }
        } else {
            replied
        });
    });
}

/// Looks at the turns of many asks, and returns their states by the asks' ids. Asks of another API
/// or of another Beckon are left out, since nothing is known of their turns.
pub(in crate::sources::opencode) async fn look_at_turns(
    api: &OpenCodeApi,
    asks: &[&Ask],
) -> BTreeMap<String, TurnState> {
    look_at_all(api, asks, WITHIN).await
}

async fn look_at_all(
    api: &OpenCodeApi,
    asks: &[&Ask],
    within: Duration,
) -> BTreeMap<String, TurnState> {
    let mut sessions: BTreeMap<&str, Vec<&Ask>> = BTreeMap::new();
    for ask in asks.iter().filter(|ask| is_told_by_session(ask)) {
        sessions.entry(&ask.session.id).or_default().push(ask);
    }

    let sessions: Vec<Vec<&Ask>> = sessions.into_values().collect();
    let mut looks = Vec::new();
    for asks in &sessions {
        looks.push(look_at_session(api, asks, within));
    }
    let looked: Vec<Vec<TurnState>> = stream::iter(looks).buffered(AT_ONCE).collect().await;

    let ids = sessions.iter().flatten().map(|ask| ask.id.own.clone());
    ids.zip(looked.into_iter().flatten()).collect()
}

/// Looks at the asks of one session, in their order.
async fn look_at_session(api: &OpenCodeApi, asks: &[&Ask], within: Duration) -> Vec<TurnState> {
    let read = async {
        let [first, ..] = asks else {
            return anyhow::Ok(Vec::new());
        };
        let recent = api.recent_messages(&first.session).await;
        let says_nothing = recent.as_ref().map_or(true, Vec::is_empty);
        if says_nothing && is_deleted(api, first).await {
            return Ok(vec![TurnState::Over; asks.len()]);
        }
        let recent = recent?;
        let mut states = Vec::new();
        for ask in asks {
            states.push(look_beside(api, ask, &recent).await);
        }
        Ok(states)
    };
    match tokio::time::timeout(within, read).await {
        Ok(Ok(states)) => states,
        Ok(Err(_)) | Err(_) => vec![TurnState::Unclear; asks.len()],
    }
}

/// Tells whether the session of an ask is certainly not there any more.
async fn is_deleted(api: &OpenCodeApi, ask: &Ask) -> bool {
    matches!(api.session(&ask.session).await, Ok(None))
}

/// Looks at one ask, given the last messages of its session.
async fn look_beside(api: &OpenCodeApi, ask: &Ask, recent: &[SessionMessage]) -> TurnState {
    let Some(call) = &ask.call else {
        return without_call::judge(ask, recent);
    };
    if recent.iter().any(|message| message.info.id == call.message) {
        return judge(recent, call);
    }

    // Ids of messages ascend with time.
    let has_spoken_since = recent
        .iter()
        .any(|message| is_assistant(&message.info) && message.info.id > call.message);
    if has_spoken_since {
        return TurnState::Over;
    }
    match api.message(&ask.session, &call.message).await {
        Ok(own) => judge_one(&own, recent, call),
        Err(_) => TurnState::Unclear,
    }
}

/// Tells whether the messages of an ask's session can tell about its turn. Another Beckon keeps no
/// messages, and forgets a session with its last request.
pub(in crate::sources::opencode) fn is_told_by_session(ask: &Ask) -> bool {
    let is_first = ApiDialect::of(&ask.session) == ApiDialect::First;
    is_first && !peer::is_from_peer(&ask.session) && !ask.session.id.is_empty()
}

/// Judges by messages that include the ask's own, oldest first.
fn judge(messages: &[SessionMessage], call: &CallRef) -> TurnState {
    let own = messages
        .iter()
        .position(|message| message.info.id == call.message);
    let Some(own) = own else {
        return TurnState::Waits;
    };

    judge_one(&messages[own], &messages[own + 1..], call)
}

/// Judges by the ask's own message and the later ones.
fn judge_one(own: &SessionMessage, later: &[SessionMessage], call: &CallRef) -> TurnState {
    let state = state_of(own, call);
    // Whoever answered the call, the server reports its end by itself.
    if state.is_some_and(|state| state.status == "completed") {
        return TurnState::Waits;
    }

    if state.is_some_and(has_failed) {
        return TurnState::Failed;
    }
    let has_spoken_since = later.iter().any(|message| is_assistant(&message.info));
    let is_stopped = own.info.error.is_some() || state.is_some_and(is_broken_off);
    if is_stopped || has_spoken_since {
        return TurnState::Over;
    }
    if later.is_empty() {
        TurnState::Waits
    } else {
        TurnState::Unsure
    }
}

/// Returns the state of a call. Providers may give one id to several calls of a message; the one
/// that asks has not ended.
fn state_of<'a>(own: &'a SessionMessage, call: &CallRef) -> Option<&'a ToolState> {
    let its = |part: &&MessagePart| part.call_id.as_ref() == Some(&call.call);
    let states = || {
        own.parts
            .iter()
            .filter(its)
            .filter_map(|part| part.state.as_ref())
    };
    states()
        .find(|state| matches!(state.status.as_str(), "running" | "pending"))
        .or_else(|| states().next())
}

fn is_assistant(info: &MessageInfo) -> bool {
    info.role.as_deref() == Some("assistant")
}

/// Tells whether a call failed because its turn was stopped ("Tool execution aborted").
fn is_broken_off(state: &ToolState) -> bool {
    state.status == "error" && error_of(state).contains("aborted")
}

/// Tells whether a call ran and failed. A call that a person rejected fails as well, but the server
/// reports that by itself.
fn has_failed(state: &ToolState) -> bool {
    let error = error_of(state);
    let is_turned_down = error.contains("dismissed") || error.contains("rejected");
    state.status == "error" && !is_broken_off(state) && !is_turned_down
}

fn error_of(state: &ToolState) -> String {
    state.error.as_deref().unwrap_or_default().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn call() -> CallRef {
        CallRef {
            message: "msg_2".into(),
            call: "call_1".into(),
        }
    }

    fn judged(messages: Value) -> TurnState {
        let messages: Vec<SessionMessage> = serde_json::from_value(messages).unwrap();
        judge(&messages, &call())
    }

    fn user(id: &str) -> Value {
        json!({ "info": { "id": id, "role": "user", "time": { "created": 1 } }, "parts": [] })
    }

    fn assistant(id: &str, state: Value) -> Value {
        let part = json!({ "type": "tool", "callID": "call_1", "state": state });
        json!({ "info": { "id": id, "role": "assistant" }, "parts": [part] })
    }

    fn running() -> Value {
        json!({ "status": "running", "input": {} })
    }

    #[test]
    fn a_call_that_runs_waits_also_before_its_part_is_there() {
        let alone = json!([user("msg_1"), assistant("msg_2", running())]);
        assert_eq!(judged(alone), TurnState::Waits);
        let without_part = json!([{ "info": { "id": "msg_2", "role": "assistant" } }]);
        assert_eq!(judged(without_part), TurnState::Waits);
    }

    #[test]
    fn of_two_calls_with_one_id_the_one_that_has_not_ended_asks() {
        let failed = json!({ "status": "error", "error": "File not found: /p/a" });
        let part = |state: Value| json!({ "type": "tool", "callID": "call_1", "state": state });
        let own = json!([{ "info": { "id": "msg_2", "role": "assistant" },
            "parts": [part(failed), part(running())] }]);
        assert_eq!(judged(own), TurnState::Waits);
    }

    #[test]
    fn an_error_of_its_message_or_its_part_ends_it() {
        let mut aborted = assistant("msg_2", running());
        aborted["info"]["error"] =
            json!({ "name": "MessageAbortedError", "data": { "message": "Aborted" } });
        assert_eq!(judged(json!([aborted])), TurnState::Over);
        let failed = json!({ "status": "error", "error": "Tool execution aborted" });
        assert_eq!(judged(json!([assistant("msg_2", failed)])), TurnState::Over);
    }

    #[test]
    fn a_tool_that_fails_by_itself_was_allowed_before() {
        let failed = json!({ "status": "error", "error": "File not found: /p/a" });
        let own = assistant("msg_2", failed);
        assert_eq!(judged(json!([own])), TurnState::Failed);
        let later = assistant("msg_3", running());
        assert_eq!(judged(json!([own, later])), TurnState::Failed);
    }

    #[test]
    fn what_a_person_turned_down_is_told_by_the_server_itself() {
        for error in [
            "The user dismissed this question",
            "The user rejected permission to use this specific tool call.",
        ] {
            let state = json!({ "status": "error", "error": error });
            assert_eq!(judged(json!([assistant("msg_2", state)])), TurnState::Waits);
        }
    }

    #[test]
    fn a_later_prompt_leaves_it_open_and_a_later_word_of_the_agent_ends_it() {
        let own = assistant("msg_2", running());
        assert_eq!(judged(json!([own, user("msg_3")])), TurnState::Unsure);
        let said = json!([own, user("msg_3"), assistant("msg_4", running())]);
        assert_eq!(judged(said), TurnState::Over);
    }

    #[test]
    fn odd_messages_are_passed_over() {
        assert_eq!(judged(json!([])), TurnState::Waits);
        let odd = json!([{ "info": { "id": "msg_2", "role": null, "error": null }, "parts": [] }]);
        assert_eq!(judged(odd), TurnState::Waits);
    }
}
