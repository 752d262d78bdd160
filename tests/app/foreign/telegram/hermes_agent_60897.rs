//! <https://github.com/NousResearch/hermes-agent/pull/60897>: a tap on a button whose request
//! nobody waited for any more was shown as approved, since the message was written before the
//! request was checked.

use crate::common::phone::Outing;

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_that_nobody_waits_for_is_not_shown_as_an_answer() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Still there?").await;
    outing.stage.replay.withdraw("que_1");
    outing.phone.tap(card.id, "Yes").await;
    let ended = outing.phone.ended(card.id, "stopped waiting").await;
    assert!(!ended.text.contains("✅"), "{}", ended.text);
}
