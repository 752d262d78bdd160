//! Tests of what proves that an answer was taken where the server says yes to everything (1.1.53),
//! and of how an ask is found whose id has changed.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, yes_or_no};
use beckon_support::eventually;
use beckon_support::replay::{Kind, OnReply, Replay};
use serde_json::{Value, json};

/// Makes a question of that call.
fn called(id: &str, text: &str, call: &str) -> Value {
    let mut item = yes_or_no(id, text);
    item["tool"] = json!({ "messageID": "msg_1", "callID": call });
    item
}

/// Stores a message with this state of the call.
fn stored(replay: &Replay, call: &str, state: Value) {
    let part = json!({ "type": "tool", "tool": "question", "callID": call, "state": state });
    replay.message(
        SESSION,
        "msg_1",
        json!({ "info": { "agent": "build" }, "parts": [part] }),
    );
}

async fn asked(stage: &Rehearsal, call: &str) {
    stage
        .replay
        .ask(Kind::Question, DIRECTORY, called("que_1", "Go on?", call))
        .await;
    stage.shown("Go on?").await;
}

/// Answers at 1.1.53, where the ask ends a moment before the answer comes, and no event reports
/// that. Returns what the command line says of the answer.
async fn too_late(state: Value) -> String {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stage.replay.version("1.1.53");
    stage.replay.on_reply(OnReply::Assent);
    stored(&stage.replay, "call_1", json!({ "status": "running" }));
    asked(&stage, "call_1").await;
    stored(&stage.replay, "call_1", state);
    stage.replay.withdraw("que_1");
    let answer = ["answer", "que_1", "--choice", "1", "--json"];
    let verdict = stage.beckon.command(&answer).await.json();
    assert_eq!(stage.replay.replies().len(), 1);
    verdict["state"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_an_answer_that_nobody_waited_for_is_not_called_taken() {
    let aborted = json!({ "status": "error", "error": "Tool execution aborted" });
    assert_eq!(too_late(aborted).await, "gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_call_whose_server_has_died_is_not_called_taken() {
    let dead = json!({ "status": "running" });
    assert_eq!(too_late(dead).await, "gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_an_answer_after_another_one_is_told_as_the_others() {
    let others = json!({ "status": "completed", "metadata": { "answers": [["No"]] } });
    assert_eq!(too_late(others).await, "already answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stored_call_proves_an_answer_taken_although_no_event_says_so() {
    let ours = json!({ "status": "completed", "metadata": { "answers": [["Yes"]] } });
    assert_eq!(too_late(ours).await, "taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_that_has_another_id_is_found_by_its_call() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stored(&stage.replay, "call_1", json!({ "status": "running" }));
    asked(&stage, "call_1").await;
    stage.replay.open(
        Kind::Question,
        DIRECTORY,
        called("que_7", "Another?", "call_7"),
    );
    stage.replay.rename("que_1", "que_2");
    stage.press("Go on?", "Yes").await;
    stage.replies("que_2", 1).await;
    assert!(
        stage
            .replay
            .replies()
            .iter()
            .all(|reply| reply.id != "que_7")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_that_is_not_listed_for_a_second_is_waited_for() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stored(&stage.replay, "call_1", json!({ "status": "running" }));
    asked(&stage, "call_1").await;
    stage.replay.withdraw("que_1");
    let before = stage.replay.count("/question");
    stage.press("Go on?", "Yes").await;
    eventually("it is looked for again and again", SOON, async || {
        (stage.replay.count("/question") > before + 3).then_some(())
    })
    .await;
    stage.replay.open(
        Kind::Question,
        DIRECTORY,
        called("que_2", "Go on?", "call_1"),
    );
    stage.replies("que_2", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_whose_call_is_over_is_not_looked_for() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stored(&stage.replay, "call_1", json!({ "status": "running" }));
    asked(&stage, "call_1").await;
    stored(
        &stage.replay,
        "call_1",
        json!({ "status": "error", "error": "Tool execution aborted" }),
    );
    stage.replay.withdraw("que_1");
    stage.press("Go on?", "Yes").await;
    eventually("it is over", SOON, async || {
        stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
    stage.replay.open(
        Kind::Question,
        DIRECTORY,
        called("que_2", "Once more?", "call_2"),
    );
    assert_eq!(
        stage.replay.replies().len(),
        1,
        "the first try and no other"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_question_of_a_session_is_it_where_no_call_is_named() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.rename("que_1", "que_2");
    stage.press("Go on?", "Yes").await;
    stage.replies("que_2", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_questions_without_a_call_neither_is_taken_for_it() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.rename("que_1", "que_2");
    stage.open("que_3", "Go on?");
    stage.press("Go on?", "Yes").await;
    let before = stage.replay.count("/question");
    eventually("it is looked for", SOON, async || {
        (stage.replay.count("/question") > before + 2).then_some(())
    })
    .await;
    assert!(
        stage
            .replay
            .replies()
            .iter()
            .all(|reply| reply.id == "que_1")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_another_wording_is_not_answered_in_its_place() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.withdraw("que_1");
    stage.open("que_2", "Delete everything?");
    stage.press("Go on?", "Yes").await;
    let before = stage.replay.count("/question");
    eventually("it is looked for", SOON, async || {
        (stage.replay.count("/question") > before + 2).then_some(())
    })
    .await;
    assert!(
        stage
            .replay
            .replies()
            .iter()
            .all(|reply| reply.id == "que_1")
    );
}
