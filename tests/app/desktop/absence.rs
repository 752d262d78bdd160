//! Tests of the human's return to the desk: one notification says what was answered meanwhile, and
//! what waits.

use crate::common::phone::Outing;
use crate::common::{Rehearsal, SOON};
use beckon_support::notifications::{DISMISSED, Shown};

const TITLE: &str = "While you were away";

async fn said(stage: &Rehearsal, presence: &str) {
    let said = stage.beckon.command(&["presence", presence]).await;
    assert_eq!(said.status, Some(0), "{said:?}");
}

async fn digest(stage: &Rehearsal) -> Shown {
    stage
        .daemon
        .wait_for(|shown| shown.summary.starts_with(TITLE), SOON)
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_is_told_in_one_notification_what_happened() {
    let outing = Outing::start().await;
    let stage = &outing.stage;
    said(stage, "away").await;
    let first = outing.ask("que_1", "First?").await;
    outing.ask("que_2", "Second?").await;
    outing.phone.tap(first.id, "Yes").await;
    stage.replies("que_1", 1).await;
    outing.phone.ended(first.id, "✅ Yes · by you").await;
    said(stage, "here").await;
    let shown = digest(stage).await;
    assert_eq!(shown.summary, "While you were away: 1 answered, 1 waiting");
    assert!(shown.action("Open inbox").is_some(), "{shown:?}");
    stage.press("Second?", "Yes").await;
    stage.replies("que_2", 1).await;
    stage.daemon.wait_empty(SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_closed_before_is_shown_again_beside_the_digest() {
    let stage = Rehearsal::start().await;
    let closed = stage.ask("que_1", "First?").await;
    stage.daemon.close(closed.id, DISMISSED);
    said(&stage, "away").await;
    stage.ask("que_2", "Second?").await;
    said(&stage, "here").await;
    assert_eq!(
        digest(&stage).await.summary,
        "While you were away: 2 waiting"
    );
    stage.press("First?", "Yes").await;
    stage.replies("que_1", 1).await;
}
