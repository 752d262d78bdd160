//! <https://github.com/NousResearch/hermes-agent/pull/81183>: Telegram reported old messages as
//! edited although nobody had touched them. Their commands were executed a second time.

use crate::common::phone::Outing;

#[tokio::test(flavor = "multi_thread")]
async fn an_old_message_that_is_told_of_as_edited_says_nothing_a_second_time() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let first = outing.ask("que_1", "First?").await;
    let words = phone
        .telegram
        .reply(phone.user, phone.chat, first.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;

    let second = outing.ask("que_2", "Second?").await;
    phone
        .telegram
        .edit_text(phone.user, phone.chat, words, "Yes");
    phone.tap(second.id, "No").await;
    outing.stage.answered_once("que_2", "No").await;
    assert_eq!(outing.stage.replay.replies().len(), 2);
}
