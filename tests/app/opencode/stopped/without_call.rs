//! Tests of a request that names no call, which is judged by its session's messages: OpenCode asks
//! that way whether to go on with a repetition (`doom_loop`).

use super::doubt::{list_is_read, message, says};
use super::{
    VERSIONS, begins_anew, done, go_on, nothing, nothing_in, only, question as asks, restarts,
    stop as stop_real,
};
use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage};
use beckon_support::model::{Step, ToolCall};
use beckon_support::replay::{Kind, question};
use serde_json::{Value, json};
use std::path::Path;

const REPEATED: &str = "rm -rf build";
/// An id of 1.1.53, which contains the time when it was made.
const ASKED: &str = "per_21fb677e8001J33CtUk9w4UfhR";
/// The time in that id, in milliseconds since 1970.
const ASKED_AT: i64 = 1_795_828_381_672;

fn repetition() -> Value {
    json!({
        "id": ASKED, "sessionID": SESSION, "permission": "doom_loop", "patterns": ["bash"],
        "metadata": { "tool": "bash", "input": { "command": REPEATED } }, "always": ["bash"],
    })
}

/// Returns a message of the assistant that calls this command, begun at that time.
fn calls(id: &str, command: &str, begun: i64) -> Value {
    let running = json!({ "status": "running", "input": { "command": command } });
    let mut calls = message(id, "call", &running);
    calls["info"]["time"] = json!({ "created": begun });
    calls
}

/// Returns the message that asks.
fn repeats() -> Value {
    calls("msg_1", REPEATED, ASKED_AT - 70)
}

/// Returns a message that the session gets after it was stopped.
fn later() -> Value {
    calls("msg_2", "ls", ASKED_AT + 5_000)
}

fn stopped() -> Value {
    let mut stopped = repeats();
    stopped["info"]["error"] = json!({ "name": "MessageAbortedError", "data": {} });
    stopped
}

async fn stop(stage: &Rehearsal) {
    stage.replay.message(SESSION, "msg_1", stopped());
    stage.replay.busy(SESSION, false);
    let error = json!({ "name": "MessageAbortedError", "data": { "message": "Aborted" } });
    let properties = json!({ "sessionID": SESSION, "error": error });
    says(stage, "session.error", properties).await;
    says(stage, "session.idle", json!({ "sessionID": SESSION })).await;
    nothing_in(&stage.beckon).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_repetition_stays_over_when_its_session_goes_on_and_after_a_reconnect() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stage.replay.message(SESSION, "msg_1", repeats());
    let ask = repetition();
    stage.replay.ask(Kind::Permission, DIRECTORY, ask).await;
    stage.wait_state(ASKED, "open").await;
    stop(&stage).await;

    stage.replay.message(SESSION, "msg_2", later());
    stage.replay.busy(SESSION, true);
    stage.replay.cut().await;
    stage.replay.wait_streams(1, SOON).await;
    list_is_read(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");
    let granted = stage.beckon.command(&["grant", ASKED]).await;
    assert_ne!(granted.status, Some(0), "{granted:?}");
    assert!(stage.replay.replies().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_repetition_is_not_listed_by_a_beckon_that_did_not_hear_it() {
    let stage = Rehearsal::without_beckon();
    stage.replay.message(SESSION, "msg_1", stopped());
    stage.replay.message(SESSION, "msg_2", later());
    let ask = repetition();
    stage.replay.open(Kind::Permission, DIRECTORY, ask);
    stage.beckon.start();
    stage.ready().await;
    list_is_read(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_that_waits_is_listed_after_a_start_and_allowed() {
    let stage = Rehearsal::without_beckon();
    stage.replay.message(SESSION, "msg_1", repeats());
    let ask = repetition();
    stage.replay.open(Kind::Permission, DIRECTORY, ask);
    stage.beckon.start();
    stage.ready().await;
    stage.wait_state(ASKED, "open").await;
    list_is_read(&stage).await;
    let list = stage.beckon.list().await;
    let [ask] = list.as_slice() else {
        panic!("it waits: {list:?}")
    };
    let seen = ask["fingerprint"].as_str().unwrap();
    let granted = stage
        .beckon
        .command(&["grant", ASKED, "--seen", seen, "--json"])
        .await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_whose_session_was_deleted_is_not_listed() {
    let stage = Rehearsal::without_beckon();
    let orphan = question("que_1", "ses_deleted", "Anybody there?", &["Yes", "No"]);
    stage.replay.open(Kind::Question, DIRECTORY, orphan);
    stage.beckon.start();
    stage.ready().await;
    list_is_read(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "nobody waits");
}

/// Makes a step that calls the same three times in one message; OpenCode asks whether to go on with
/// that.
fn repetition_of(stage: &Stage) -> Step {
    let file = Path::new(&stage.directory()).join("read");
    std::fs::write(&file, "x").unwrap();
    let call = ToolCall::new("read", json!({ "filePath": file }));
    Step::Tools(vec![call.clone(), call.clone(), call])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_repetition_of_opencode_stays_over_when_its_session_goes_on_and_after_a_restart()
{
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[repetition_of(&stage), done()]).await;
        only(&stage, "doom_loop").await;
        stop_real(&stage).await;
        nothing(&stage).await;

        go_on(&stage, &[asks("And now?"), done()]).await;
        only(&stage, "And now?").await;
        restarts(&stage).await;
        only(&stage, "And now?").await;
        begins_anew(&stage).await;
        only(&stage, "And now?").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_of_opencode_that_waits_is_listed_after_a_start_and_allowed() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[repetition_of(&stage), done()]).await;
        only(&stage, "doom_loop").await;
        restarts(&stage).await;
        only(&stage, "doom_loop").await;
        begins_anew(&stage).await;

        let ask = only(&stage, "doom_loop").await;
        let id = ask["id"].as_str().unwrap();
        let seen = ask["fingerprint"].as_str().unwrap();
        let granted = stage
            .command(&["grant", id, "--seen", seen, "--json"])
            .await;
        assert_eq!(granted.json()["state"], "taken", "{granted:?}");
        stage.idle().await;
        let parts = stage.tool_parts().await.to_string();
        assert!(!parts.contains("\"error\""), "{parts}");
        nothing(&stage).await;
    }
}
