//! Tests that a request which was reported as stopped stays over without a look at its session; and
//! that, where no stop was reported, no "yes" is sent without such a look. What still waits behind
//! a slow server is answered.

use super::doubt::{
    COMMAND, asked, goes_on, is_shown, is_stopped, list_is_read, message, note_stopped, running,
    stop,
};
use super::nothing_in;
use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::replay::{Fault, Kind, OnReply, permission};
use serde_json::json;
use std::time::Duration;

/// A delay longer than a list waits for a look.
const SLOWLY: Fault = Fault::Slow(Duration::from_millis(1_600));

fn messages() -> String {
    format!("/session/{SESSION}/message")
}

/// Starts a Beckon that finds a request for [`COMMAND`] on the list; reading its messages fails
/// with `fault`.
async fn found(fault: Fault, note: impl FnOnce(&Rehearsal)) -> Rehearsal {
    let stage = Rehearsal::without_beckon();
    let own = message("msg_per_1", "call_per_1", &running());
    stage.replay.message(SESSION, "msg_per_1", own);
    let request = permission("per_1", SESSION, COMMAND);
    stage.replay.open(Kind::Permission, DIRECTORY, request);
    note(&stage);
    stage.replay.fault(&messages(), Some(fault));
    stage.beckon.start();
    stage.ready().await;
    stage
}

/// Breaks the connection, and waits until the whole list is read on the next one.
async fn reconnects(stage: &Rehearsal) {
    stage.replay.cut().await;
    stage.replay.wait_streams(1, SOON).await;
    list_is_read(stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_heard_to_be_stopped_stays_over_however_slow_its_server_is() {
    let stage = asked().await;
    stage.replay.fault(&messages(), Some(SLOWLY));
    stop(&stage).await;
    goes_on(&stage).await;
    list_is_read(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");

    reconnects(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");
    let granted = stage.beckon.command(&["grant", "per_1"]).await;
    assert_ne!(granted.status, Some(0), "{granted:?}");
    assert!(stage.replay.replies().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_stopped_stays_over_on_the_next_connection() {
    let stage = asked().await;
    is_stopped(&stage).await;
    goes_on(&stage).await;
    reconnects(&stage).await;
    assert!(stage.beckon.list().await.is_empty(), "it was stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_what_nobody_heard_being_stopped_waits_for_a_slow_look() {
    let stage = found(SLOWLY, note_stopped).await;
    let granted = stage.beckon.command(&["grant", "per_1"]).await;
    assert_ne!(granted.status, Some(0), "{granted:?}");
    nothing_in(&stage.beckon).await;
    assert!(stage.replay.replies().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_behind_a_slow_server_is_allowed() {
    let stage = found(SLOWLY, |_| {}).await;
    is_shown(&stage).await;
    let granted = stage.beckon.command(&["grant", "per_1", "--json"]).await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_is_kept_until_it_can_be_looked_whether_somebody_waits() {
    let stage = found(Fault::Status(500), |_| {}).await;
    is_shown(&stage).await;
    let before = stage.replay.count(&messages());
    let healed = async {
        eventually("it is looked three times", SOON, async || {
            (stage.replay.count(&messages()) >= before + 3).then_some(())
        })
        .await;
        assert!(stage.replay.replies().is_empty(), "nobody could look");
        stage.replay.fault(&messages(), None);
    };
    let command = stage.beckon.command(&["grant", "per_1", "--json"]);
    let (granted, ()) = tokio::join!(command, healed);
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_taken_and_answered_with_a_redirect_is_looked_up() {
    let stage = asked().await;
    stage.replay.on_reply(OnReply::TakeAndStatus(307));
    let taken = async {
        stage.replay.wait_replies(1, SOON).await;
        let done = json!({ "status": "completed", "input": { "command": COMMAND }, "output": "" });
        let own = message("msg_per_1", "call_per_1", &done);
        stage.replay.message(SESSION, "msg_per_1", own);
    };
    let command = stage.beckon.command(&["grant", "per_1", "--json"]);
    let (granted, ()) = tokio::join!(command, taken);
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    assert_eq!(stage.replay.replies().len(), 1);
}
