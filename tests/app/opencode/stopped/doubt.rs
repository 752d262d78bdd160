//! Tests of what cannot be told about a turn, of what fails without an end, and of what fails after
//! it was allowed: none of it counts as a stop, and none of it revokes a stop.

use super::nothing_in;
use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::notifications::Shown;
use beckon_support::replay::{Fault, Kind, OnReply, permission};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub(super) const COMMAND: &str = "touch x";

/// Returns a message of the assistant whose call is in that state.
pub(super) fn message(id: &str, call: &str, state: &Value) -> Value {
    let part = json!({ "type": "tool", "tool": "bash", "callID": call, "state": state });
    json!({ "info": { "id": id, "role": "assistant" }, "parts": [part] })
}

pub(super) fn running() -> Value {
    json!({ "status": "running", "input": { "command": COMMAND } })
}

pub(super) async fn is_shown(stage: &Rehearsal) {
    let has_command = |shown: &Shown| shown.body.contains(COMMAND);
    stage.daemon.wait_for(has_command, SOON).await;
}

pub(super) async fn asked() -> Rehearsal {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    let own = message("msg_per_1", "call_per_1", &running());
    stage.replay.message(SESSION, "msg_per_1", own);
    let request = permission("per_1", SESSION, COMMAND);
    stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
    is_shown(&stage).await;
    stage
}

pub(super) async fn says(stage: &Rehearsal, event: &str, properties: Value) {
    stage.replay.event(DIRECTORY, event, properties).await;
}

/// Stops the turn as the human; its request stays on the list, as both versions keep it.
pub(super) async fn is_stopped(stage: &Rehearsal) {
    stop(stage).await;
    nothing_in(&stage.beckon).await;
}

/// Stops the turn, of which OpenCode reports no more than 1.1.53 does: that its session is idle.
async fn is_stopped_unheard(stage: &Rehearsal) {
    note_stopped(stage);
    stage.replay.busy(SESSION, false);
    says(stage, "session.idle", json!({ "sessionID": SESSION })).await;
    nothing_in(&stage.beckon).await;
}

/// Stops the turn: OpenCode stores and reports that it was stopped.
pub(super) async fn stop(stage: &Rehearsal) {
    note_stopped(stage);
    stage.replay.busy(SESSION, false);
    let properties = json!({ "sessionID": SESSION, "error": stop_error() });
    says(stage, "session.error", properties).await;
    says(stage, "session.idle", json!({ "sessionID": SESSION })).await;
}

/// Stores with the message that its turn was stopped.
pub(super) fn note_stopped(stage: &Rehearsal) {
    let aborted = json!({ "status": "error", "error": "Tool execution aborted", "input": {} });
    let mut own = message("msg_per_1", "call_per_1", &aborted);
    own["info"]["error"] = stop_error();
    stage.replay.message(SESSION, "msg_per_1", own);
}

fn stop_error() -> Value {
    json!({ "name": "MessageAbortedError", "data": { "message": "Aborted" } })
}

/// Makes its session work on something else.
pub(super) async fn goes_on(stage: &Rehearsal) {
    let next = message("msg_per_2", "call_2", &running());
    stage.replay.message(SESSION, "msg_per_2", next);
    stage.replay.busy(SESSION, true);
    let busy = json!({ "sessionID": SESSION, "status": { "type": "busy" } });
    says(stage, "session.status", busy).await;
}

/// Waits until the whole list has been read once more: the next reading begins when one is over.
pub(super) async fn list_is_read(stage: &Rehearsal) {
    let before = stage.replay.count("/permission");
    for reading in 1..=2 {
        says(stage, "server.connected", json!({})).await;
        eventually("the list is read", SOON, async || {
            (stage.replay.count("/permission") >= before + reading).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_stopped_stays_over_where_a_slow_server_leaves_it_unclear() {
    let stage = asked().await;
    is_stopped_unheard(&stage).await;
    goes_on(&stage).await;
    let messages = format!("/session/{SESSION}/message");
    let late = Fault::Slow(Duration::from_millis(1_500));
    stage.replay.fault(&messages, Some(late));

    let before = stage.replay.count(&messages);
    list_is_read(&stage).await;
    assert!(stage.replay.count(&messages) > before, "it was looked at");
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_shown_where_a_slow_server_leaves_it_unclear() {
    let stage = Rehearsal::without_beckon();
    let messages = format!("/session/{SESSION}/message");
    let late = Fault::Slow(Duration::from_millis(1_500));
    stage.replay.fault(&messages, Some(late));
    let request = permission("per_1", SESSION, COMMAND);
    stage.replay.open(Kind::Permission, DIRECTORY, request);
    stage.beckon.start();
    stage.ready().await;
    is_shown(&stage).await;
    list_is_read(&stage).await;
    assert_eq!(stage.beckon.list().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_that_ends_no_turn_takes_no_request_away() {
    let stage = asked().await;
    let error = json!({ "name": "UnknownError", "data": { "message": "File not found: a.png" } });
    let prompt = json!({ "info": { "id": "msg_per_2", "role": "user" }, "parts": [] });
    stage.replay.message(SESSION, "msg_per_2", prompt);
    let properties = json!({ "sessionID": SESSION, "error": error });
    says(&stage, "session.error", properties).await;

    // A quiet session's requests are given up after three seconds.
    let until = Instant::now() + Duration::from_secs(4);
    while Instant::now() < until {
        list_is_read(&stage).await;
        assert_eq!(stage.beckon.list().await.len(), 1, "its turn waits");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_fails_right_after_it_was_allowed_was_allowed() {
    let stage = Rehearsal::without_beckon();
    let own = message("msg_per_1", "call_per_1", &running());
    stage.replay.message(SESSION, "msg_per_1", own);
    let request = permission("per_1", SESSION, COMMAND);
    stage.replay.open(Kind::Permission, DIRECTORY, request);
    stage.beckon.start();
    stage.ready().await;
    is_shown(&stage).await;
    let failed = json!({ "status": "error", "error": "File not found: /work/x", "input": {} });
    let failed = message("msg_per_1", "call_per_1", &failed);
    stage.replay.on_reply(OnReply::Quiet);

    let replay = &stage.replay;
    let taken = async {
        replay.wait_replies(1, SOON).await;
        replay.message(SESSION, "msg_per_1", failed);
        let replied = json!({ "sessionID": SESSION, "requestID": "per_1", "reply": "once" });
        replay.event(DIRECTORY, "permission.replied", replied).await;
    };
    let command = stage.beckon.command(&["grant", "per_1", "--json"]);
    let (granted, ()) = tokio::join!(command, taken);
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
}
