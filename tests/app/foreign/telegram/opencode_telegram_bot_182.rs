//! <https://github.com/grinev/opencode-telegram-bot/issues/182>: two simultaneous calls asked for
//! the same permission. After "always" for one of them the bot was blocked by the other, whose
//! button then failed with "Permission request not found".

use crate::common::phone::Outing;
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::replay::{Kind, permission};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_always_settles_the_equal_request_beside_it_without_another_tap() {
    let outing = Outing::start().await;
    let (phone, replay) = (&outing.phone, &outing.stage.replay);
    for id in ["per_1", "per_2"] {
        let mut wish = permission(id, SESSION, "npm test");
        wish["always"] = json!(["npm test *"]);
        replay.ask(Kind::Permission, DIRECTORY, wish).await;
    }
    let card = phone.card("npm test").await;
    assert_eq!(phone.open_cards().len(), 1, "one card for both");

    phone.tap(card.id, "Always…").await;
    phone.shows(card.id, "Always allow this?").await;
    phone.tap(card.id, "Yes, always allow").await;
    let first = replay.wait_replies(1, SOON).await.remove(0);
    assert_eq!(first.body, json!({ "reply": "always" }));

    // OpenCode itself allows all other waiting requests that fit.
    let other = if first.id == "per_1" {
        "per_2"
    } else {
        "per_1"
    };
    replay.withdraw(other);
    let told = json!({ "sessionID": SESSION, "requestID": other, "reply": "always" });
    replay.event(DIRECTORY, "permission.replied", told).await;
    phone.ended(card.id, "Always allowed").await;
    outing.nothing_left().await;
    assert!(phone.open_cards().is_empty());
}
