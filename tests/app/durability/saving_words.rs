//! Tests of what people read while another program holds the database: nothing is told as done
//! that a crash would undo.

use super::saving::{Holder, all_saved, is_open, ticket};
use crate::common::http::call;
use crate::common::phone::{Outing, message, pairing_code};
use crate::common::{Rehearsal, SOON, yes_or_no};
use beckon_support::eventually;
use beckon_support::telegram::{ChatId, Message, UserId};
use reqwest::Method;
use serde_json::{Value, json};

const WARNING: &str = "isn't saved yet";

/// Somebody who brings a fresh code to the bot.
struct Bob {
    user: UserId,
    chat: ChatId,
}

impl Bob {
    /// Lets him write the code, while the database is as it is.
    async fn comes(
        outing: &Outing,
        holds: impl FnOnce() -> Option<Holder>,
    ) -> (Self, Option<Holder>) {
        let telegram = &outing.phone.telegram;
        let user = telegram.user("Bob");
        let code = pairing_code(&outing.stage.beckon).await;
        let holder = holds();
        telegram.start_link(user, &code);
        let chat = user.into();
        (Self { user, chat }, holder)
    }

    fn messages(&self, outing: &Outing) -> Vec<String> {
        let messages = outing.phone.telegram.messages(self.chat);
        messages.into_iter().map(|message| message.text).collect()
    }
}

async fn people(outing: &Outing) -> Vec<Value> {
    let beckon = &outing.stage.beckon;
    let (_, telegram) = call(beckon, Method::GET, "/telegram", &Value::Null).await;
    telegram["people"].as_array().unwrap().clone()
}

async fn wait_people(outing: &Outing, count: usize) {
    eventually(&format!("{count} people are paired"), SOON, async || {
        (people(outing).await.len() == count).then_some(())
    })
    .await;
}

/// Asks Yes or No through Beckon, to be fetched later; returns the card.
async fn card_of_ticket(outing: &Outing, text: &str) -> Message {
    let id = ticket(&outing.stage.beckon, text).await;
    let card = outing.phone.card(text).await;
    outing.noted(&id, &format!("\"message\":{}", card.id)).await;
    outing.noted_on_the_desktop(&id).await;
    card
}

fn tap(outing: &Outing, card: &Message, label: &str) -> String {
    let phone = &outing.phone;
    phone.telegram.tap(phone.user, phone.chat, card.id, label)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_pairs_while_the_database_is_held_reads_that_it_is_not_saved() {
    let outing = Outing::start().await;
    let beckon = &outing.stage.beckon;

    let (bob, holder) = Bob::comes(&outing, || Some(Holder::of(beckon))).await;
    let greeting = message(&outing.phone.telegram, bob.chat, "Paired with Bob").await;
    assert!(greeting.text.contains(WARNING), "{}", greeting.text);

    beckon.kill9();
    drop(holder);
    beckon.start();
    outing.stage.ready().await;
    assert_eq!(people(&outing).await.len(), 1, "he was told so");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_pairs_while_the_database_is_held_for_a_moment_is_greeted_when_it_is_saved() {
    let outing = Outing::start().await;
    let beckon = &outing.stage.beckon;

    let (bob, holder) = Bob::comes(&outing, || Some(Holder::of(beckon))).await;
    wait_people(&outing, 2).await;
    let written = bob.messages(&outing);
    let is_greeted = written.iter().any(|text| text.contains("Paired"));
    assert!(!is_greeted, "{written:?}");
    drop(holder);

    let greeting = message(&outing.phone.telegram, bob.chat, "Paired with Bob").await;
    assert!(!greeting.text.contains(WARNING), "{}", greeting.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_unpaired_while_the_database_is_held_reads_that_it_is_not_saved() {
    let outing = Outing::start().await;
    let beckon = &outing.stage.beckon;
    let person = people(&outing).await[0]["id"].to_string();
    let _holder = Holder::of(beckon);

    beckon.command(&["telegram", "unpair", &person]).await;

    let parting = outing.phone.says("no longer paired").await;
    assert!(parting.text.contains(WARNING), "{}", parting.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_presence_that_is_set_on_the_phone_is_told_as_saved_only_when_it_is() {
    let outing = Outing::start().await;
    let (bob, _) = Bob::comes(&outing, || None).await;
    let telegram = &outing.phone.telegram;
    message(telegram, bob.chat, "Paired with Bob").await;
    let holder = Holder::of(&outing.stage.beckon);

    telegram.command(bob.user, bob.chat, "/away");

    let told = message(telegram, bob.chat, "set as away").await;
    assert!(told.text.contains(WARNING), "{}", told.text);
    let ada = outing.phone.says("Bob set presence to “away”").await;
    assert!(ada.text.contains(WARNING), "{}", ada.text);

    drop(holder);
    all_saved(&outing.stage.beckon).await;
    telegram.command(bob.user, bob.chat, "/here");
    let told = message(telegram, bob.chat, "set as here").await;
    assert!(!told.text.contains(WARNING), "{}", told.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_by_tap_or_words_while_the_database_is_held_says_that_it_is_not_saved() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let tapped = card_of_ticket(&outing, "Delete the staging data?").await;
    let written = card_of_ticket(&outing, "Delete the backups?").await;
    let holder = Holder::of(&outing.stage.beckon);

    let query = tap(&outing, &tapped, "Yes");
    phone.reply(written.id, "No");

    let told = phone.answer_to(&query).await;
    assert!(told.contains(WARNING), "{told}");
    phone.says(WARNING).await;

    drop(holder);
    all_saved(&outing.stage.beckon).await;
    let saved = card_of_ticket(&outing, "Delete the logs?").await;
    let query = tap(&outing, &saved, "Yes");
    assert_eq!(phone.answer_to(&query).await, "");
    assert_eq!(phone.sent(WARNING), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_agents_server_knows_is_told_at_once_while_the_database_is_held() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    let _holder = Holder::of(&outing.stage.beckon);

    let query = tap(&outing, &card, "Yes");

    assert_eq!(outing.phone.answer_to(&query).await, "");
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pressed_notification_whose_answer_is_not_saved_is_followed_by_a_word() {
    let stage = Rehearsal::start().await;
    ticket(&stage.beckon, "Delete the staging data?").await;
    stage.shown("Delete the staging data?").await;
    let _holder = Holder::of(&stage.beckon);

    stage.press("Delete the staging data?", "Yes").await;

    let told = stage.shown("Not saved yet").await;
    assert!(told.body.contains(WARNING), "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_behind_a_hundred_updates_is_heard_while_the_database_is_held() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    let phone = &outing.phone;
    let _holder = Holder::of(&outing.stage.beckon);
    for _ in 0..100 {
        phone.telegram.command(phone.user, phone.chat, "/help");
    }

    tap(&outing, &card, "Yes");

    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_word_on_an_answer_that_was_passed_on_is_awaited_no_longer_after_a_kill() {
    let stage = Rehearsal::start().await;
    let beckon = &stage.beckon;
    let questions = json!([yes_or_no("", "Go on?")["questions"][0]]);
    let body = json!({ "id": "mine", "receipts": true, "questions": questions });
    let asked = call(beckon, Method::POST, "/question?wait=30", &body);
    let answered = async {
        eventually("it is open", SOON, async || {
            is_open(beckon, "mine").await.then_some(())
        })
        .await;
        let yes = json!({ "answers": [["Yes"]] });
        call(beckon, Method::POST, "/question/mine/reply", &yes).await
    };
    let ((_, ended), _) = tokio::join!(asked, answered);
    assert_eq!(ended["answers"], json!([["Yes"]]), "{ended}");

    let over = json!({ "receipt": "over" });
    let (status, said) = call(beckon, Method::POST, "/question/mine/receipt", &over).await;
    assert_eq!(status, 200, "{said}");
    beckon.kill9();
    beckon.start();
    stage.ready().await;

    eventually("the answer counts as taken", SOON, async || {
        (!is_open(beckon, "mine").await).then_some(())
    })
    .await;
}
