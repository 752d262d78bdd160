//! <https://github.com/xmanrui/dsh-im/pull/206>: the choices were called 2, 4 and 8. A tap on "2"
//! was read as the second choice, and the agent got 4.

use crate::common::SESSION;
use crate::common::phone::Outing;
use beckon_support::replay::question;

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_on_a_number_is_that_label_and_not_its_place() {
    let outing = Outing::start().await;
    let request = question("que_1", SESSION, "How many at once?", &["2", "4", "8"]);
    let card = outing.ask_with(request, "How many at once?").await;
    outing.phone.tap(card.id, "2").await;
    outing.stage.answered_once("que_1", "2").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_is_the_place_of_one_and_the_label_of_another_answers_neither() {
    let outing = Outing::start().await;
    let request = question("que_1", SESSION, "How many at once?", &["2", "4", "8"]);
    let card = outing.ask_with(request, "How many at once?").await;
    outing.phone.reply(card.id, "2");
    outing.phone.says("the number of one choice").await;
    assert!(outing.stage.replay.replies().is_empty());
    outing.phone.reply(card.id, "8");
    outing.stage.answered_once("que_1", "8").await;
}
