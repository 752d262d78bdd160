//! A request that names no call is judged by what its session says: OpenCode asks so whether to go on with a
//! repetition (`doom_loop`).

use super::doubt::{list_is_read, message, says};
use super::nothing_in;
use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON};
use beckon_support::replay::{Kind, question};
use serde_json::{Value, json};

const REPEATED: &str = "rm -rf build";

fn repetition() -> Value {
    json!({
        "id": "per_d", "sessionID": SESSION, "permission": "doom_loop", "patterns": ["bash"],
        "metadata": { "tool": "bash", "input": { "command": REPEATED } }, "always": ["bash"],
    })
}

/// A message of the assistant that calls this.
fn calls(id: &str, command: &str) -> Value {
    let running = json!({ "status": "running", "input": { "command": command } });
    message(id, "call", &running)
}

fn stopped(id: &str) -> Value {
    let mut stopped = calls(id, REPEATED);
    stopped["info"]["error"] = json!({ "name": "MessageAbortedError", "data": {} });
    stopped
}

async fn stop(stage: &Rehearsal) {
    stage.replay.message(SESSION, "msg_1", stopped("msg_1"));
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
    stage
        .replay
        .message(SESSION, "msg_1", calls("msg_1", REPEATED));
    let ask = repetition();
    stage.replay.ask(Kind::Permission, DIRECTORY, ask).await;
    stage.wait_state("per_d", "open").await;
    stop(&stage).await;

    stage.replay.message(SESSION, "msg_2", calls("msg_2", "ls"));
    stage.replay.busy(SESSION, true);
    stage.replay.cut().await;
    stage.replay.wait_streams(1, SOON).await;
    list_is_read(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");
    let granted = stage.beckon.command(&["grant", "per_d"]).await;
    assert_ne!(granted.status, Some(0), "{granted:?}");
    assert!(stage.replay.replies().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_repetition_is_not_listed_by_a_beckon_that_did_not_hear_it() {
    let stage = Rehearsal::without_beckon();
    stage.replay.message(SESSION, "msg_1", stopped("msg_1"));
    stage.replay.message(SESSION, "msg_2", calls("msg_2", "ls"));
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
    stage
        .replay
        .message(SESSION, "msg_1", calls("msg_1", REPEATED));
    let ask = repetition();
    stage.replay.open(Kind::Permission, DIRECTORY, ask);
    stage.beckon.start();
    stage.wait_state("per_d", "open").await;
    list_is_read(&stage).await;
    let list = stage.beckon.list().await;
    let [ask] = list.as_slice() else {
        panic!("it waits: {list:?}")
    };
    let seen = ask["fingerprint"].as_str().unwrap();
    let granted = stage
        .beckon
        .command(&["grant", "per_d", "--seen", seen, "--json"])
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
