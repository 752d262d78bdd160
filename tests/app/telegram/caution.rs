//! Tests that an ask which hides something is not allowed with one tap: neither by a button nor by
//! a number.

use crate::common::phone::{Outing, data};
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::replay::{Kind, call_of, permission};
use beckon_support::telegram::Message;
use serde_json::{Value, json};

/// A command that reads as `rm -rf build  # sdrawkcab`, and is another one.
const DISGUISED: &str = "rm -rf ~ #\u{202e} dliub fr- mr";

async fn card(outing: &Outing, request: Value, text: &str) -> Message {
    outing
        .stage
        .replay
        .ask(Kind::Permission, DIRECTORY, request)
        .await;
    outing.phone.card(text).await
}

/// Makes an edit in the form of OpenCode, with its change or without.
fn edit(id: &str, diff: Option<&str>) -> Value {
    let metadata = diff.map_or(
        json!({}),
        |diff| json!({ "filepath": "a.rs", "diff": diff }),
    );
    json!({ "id": id, "sessionID": SESSION, "permission": "edit", "patterns": ["a.rs"],
        "metadata": metadata, "always": ["a.rs"], "tool": call_of(id) })
}

/// Checks that the tap or words have led to no answer.
async fn still_open(outing: &Outing, id: &str) {
    outing.phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(outing.stage.state_of(id).await.as_deref(), Some("open"));
    assert!(outing.stage.replay.replies().is_empty());
}

async fn allowed_once(outing: &Outing, id: &str, card: &Message) {
    let replies = outing.stage.replies(id, 1).await;
    assert_eq!(replies[0].body["reply"], "once");
    outing.phone.ended(card.id, "Allowed once · by you").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_does_not_allow_what_hides_something() {
    let outing = Outing::start().await;
    let card = card(&outing, permission("per_1", SESSION, DISGUISED), "rm -rf ~").await;
    outing.phone.reply(card.id, "1");
    outing.phone.shows(card.id, "Allow this once?").await;
    outing.phone.reply(card.id, "1");
    still_open(&outing, "per_1").await;
    outing.phone.tap(card.id, "Yes, allow once").await;
    allowed_once(&outing, "per_1", &card).await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_second_tap_allows_what_hides_something_and_a_double_tap_is_none() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = card(&outing, permission("per_1", SESSION, DISGUISED), "rm -rf ~").await;
    assert!(card.text.contains("⟨U+202E⟩"), "{}", card.text);
    let once = data(&card, "Allow once…");
    for _ in 0..2 {
        phone
            .telegram
            .tap_data(phone.user, phone.chat, card.id, &once);
    }
    let sure = phone
        .shows(card.id, "can make it look like something else")
        .await;
    still_open(&outing, "per_1").await;
    let yes = data(&sure, "Yes, allow once");
    phone.tap(card.id, "Go back").await;
    phone.tap(card.id, "Allow once…").await;
    // A Beckon that dies between taking a tap and answering it does not answer it later.
    phone.taps_answered().await;
    outing.restart().await;
    phone.shows(card.id, "Allow this once?").await;
    still_open(&outing, "per_1").await;
    phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, &yes);
    allowed_once(&outing, "per_1", &card).await;
    outing.nothing_left().await;
}

/// The card that mentions both may come minutes later.
#[tokio::test(flavor = "multi_thread")]
async fn a_button_from_before_its_equal_came_does_not_allow_what_hides_something() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = card(&outing, permission("per_1", SESSION, DISGUISED), "rm -rf ~").await;
    let once = data(&card, "Allow once…");
    let equal = permission("per_2", SESSION, DISGUISED);
    outing
        .stage
        .replay
        .ask(Kind::Permission, DIRECTORY, equal)
        .await;
    outing.stage.wait_state("per_2", "open").await;
    phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, &once);
    phone.shows(card.id, "Allow this once?").await;
    still_open(&outing, "per_1").await;
    still_open(&outing, "per_2").await;
}

/// The button that allows has no effect on a page that does not ask for it.
#[tokio::test(flavor = "multi_thread")]
async fn the_second_tap_counts_only_after_the_first() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = card(&outing, permission("per_1", SESSION, DISGUISED), "rm -rf ~").await;
    phone.tap(card.id, "Allow once…").await;
    let yes = data(
        &phone.shows(card.id, "Allow this once?").await,
        "Yes, allow once",
    );
    phone.tap(card.id, "Go back").await;
    phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, &yes);
    phone.told("doesn't fit this card").await;
    still_open(&outing, "per_1").await;
    phone.tap(card.id, "Reject").await;
    phone.ended(card.id, "Rejected").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_a_card_or_is_not_shown_asks_again_and_says_why() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let long = permission(
        "per_1",
        SESSION,
        &format!("rm -rf {}", "build ".repeat(2_000)),
    );
    let none = json!({ "id": "per_3", "sessionID": SESSION, "permission": "frobnicate",
        "patterns": [], "metadata": {}, "always": [] });
    let table = [
        (long, "rm -rf", "Not all of it fits on this card"),
        (edit("per_2", None), "a.rs", "The change itself isn't shown"),
        (none, "frobnicate", "The agent gave no details"),
    ];
    for (request, text, why) in table {
        let id = request["id"].as_str().unwrap().to_owned();
        let card = card(&outing, request, text).await;
        phone.tap(card.id, "Allow once…").await;
        phone.shows(card.id, why).await;
        outing.phone.telegram.wait_confirmed(SOON).await;
        assert_eq!(outing.stage.state_of(&id).await.as_deref(), Some("open"));
        phone.tap(card.id, "Yes, allow once").await;
        allowed_once(&outing, &id, &card).await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_in_full_is_allowed_with_one_tap_and_a_change_is_shown_here() {
    let outing = Outing::start().await;
    let change = "--- a.rs\n+++ a.rs\n@@ -1 +1 @@\n-one\n+two\n";
    for request in [
        permission("per_1", SESSION, "make"),
        edit("per_2", Some(change)),
    ] {
        let id = request["id"].as_str().unwrap().to_owned();
        let text = if id == "per_1" { "make" } else { "+two" };
        let card = card(&outing, request, text).await;
        outing.phone.tap(card.id, "Allow once").await;
        allowed_once(&outing, &id, &card).await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn always_says_what_is_hidden() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = card(&outing, edit("per_1", None), "a.rs").await;
    phone.tap(card.id, "Always…").await;
    phone.shows(card.id, "The change itself isn't shown").await;
    still_open(&outing, "per_1").await;
    phone.tap(card.id, "Yes, always allow").await;
    let replies = outing.stage.replies("per_1", 1).await;
    assert_eq!(replies[0].body["reply"], "always");
    phone.ended(card.id, "Always allowed").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_wants_it_allows_everything_with_one_tap() {
    let outing = Outing::with("[permissions]\none_press = \"all\"\n").await;
    let card = card(&outing, permission("per_1", SESSION, DISGUISED), "rm -rf ~").await;
    outing.phone.tap(card.id, "Allow once").await;
    allowed_once(&outing, "per_1", &card).await;
    outing.nothing_left().await;
}
