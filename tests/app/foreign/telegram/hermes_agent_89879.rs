//! <https://github.com/NousResearch/hermes-agent/pull/89879>: the call that removes the spinner
//! from a tapped button timed out, and everything after it was left out. The command was approved,
//! and the message kept its buttons.

use crate::common::phone::Outing;
use beckon_support::telegram::{Fault, Method};

#[tokio::test(flavor = "multi_thread")]
async fn a_card_ends_whatever_becomes_of_the_tap_s_spinner() {
    for fault in [Fault::Hang, Fault::Cut, Fault::ServerError(502)] {
        let outing = Outing::start().await;
        let card = outing.ask("que_1", "Go on?").await;
        outing
            .phone
            .telegram
            .fail(Method::AnswerCallbackQuery, 1, fault);
        outing.phone.tap(card.id, "Yes").await;
        outing.phone.ended(card.id, "✅ Yes · by you").await;
        outing.stage.answered_once("que_1", "Yes").await;
    }
}
