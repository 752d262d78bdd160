//! Tests of a part of Beckon that is left out because it panicked again and again: that is
//! reported, whatever needs the part goes another way, and nobody's answer is lost.
//! `platform/fault/tests.rs` shows that a panic leads there.

use crate::common::phone::Outing;
use crate::common::{Rehearsal, SOON};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;

/// Starts Beckon as one that has panicked starts itself again.
fn start_without(beckon: &Beckon, part: &str) {
    beckon.kill9();
    beckon.start_with(&[
        "--headless",
        &format!("--without={part}"),
        "--after-faults=1",
    ]);
}

async fn warned(beckon: &Beckon, of: &str) {
    eventually(&format!("a note of {of}"), SOON, async || {
        let status = beckon.status().await;
        let notes = status["warnings"].as_array()?;
        notes
            .iter()
            .find(|note| note.as_str().is_some_and(|note| note.contains(of)))
            .map(drop)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_left_out_is_named_and_an_answer_to_it_comes_back_until_it_is_watched_again()
 {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    start_without(&stage.beckon, "source:local");
    stage.beckon.wait_ready().await;
    warned(&stage.beckon, "the server local").await;
    let status = stage.beckon.status().await;
    assert_eq!(status["sources"][0]["state"], "unreachable", "{status}");
    let answered = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1"])
        .await;
    assert_ne!(answered.status, Some(0), "{answered:?}");
    stage
        .daemon
        .wait_for(
            |shown| shown.body.contains("runs without this server"),
            SOON,
        )
        .await;
    stage.wait_state("que_1", "open").await;
    assert_eq!(stage.replay.replies().len(), 0);
    stage.beckon.kill9();
    let shown = stage.restarted("Go on?").await;
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_notifications_the_phone_rings_at_once_and_answers() {
    let outing = Outing::start().await;
    start_without(&outing.stage.beckon, "notifications");
    outing.stage.ready().await;
    outing.phone.telegram.wait_polled(SOON).await;
    warned(&outing.stage.beckon, "notifications").await;
    // If notifications worked, a human who is here would be rung by them alone.
    let here = outing.stage.beckon.command(&["presence", "here"]).await;
    assert_eq!(here.status, Some(0), "{here:?}");
    outing.begin("que_1", "Go on?").await;
    let card = outing.phone.card("Go on?").await;
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_telegram_everything_else_works_and_it_is_said() {
    let outing = Outing::start().await;
    start_without(&outing.stage.beckon, "telegram");
    outing.stage.ready().await;
    warned(&outing.stage.beckon, "Telegram").await;
    let shown = outing.stage.ask("que_1", "Go on?").await;
    outing
        .stage
        .daemon
        .press(shown.id, shown.action("Yes").unwrap());
    outing.stage.answered_once("que_1", "Yes").await;
    let status = outing.stage.beckon.status().await;
    assert_eq!(status["channels"]["telegram"]["state"], "down", "{status}");
}
