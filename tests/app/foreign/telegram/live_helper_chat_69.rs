//! <https://github.com/LiveHelperChat/telegram/issues/69>: a person deleted a topic by hand.
//! Telegram refused every further message with TOPIC_DELETED, and no message arrived any more.

use crate::common::phone::Outing;
use beckon_support::telegram::{Fault, Method};

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_topic_was_deleted_comes_all_the_same() {
    let outing = Outing::start().await;
    for refusal in ["TOPIC_DELETED", "message thread not found", "TOPIC_CLOSED"] {
        let fault = Fault::BadRequest(refusal);
        outing.phone.telegram.fail(Method::SendMessage, 1, fault);
        let id = format!("que_{}", refusal.len());
        let card = outing.ask(&id, &format!("After {refusal}?")).await;
        outing.phone.tap(card.id, "Yes").await;
        outing.stage.answered_once(&id, "Yes").await;
    }
}
