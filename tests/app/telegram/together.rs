//! Tests of several people with one card, each on their own phone: an act of one of them has not
//! reached the others' screens yet, and nothing that they did not see counts as theirs.

use super::writing::pair;
use crate::common::phone::{Outing, message};
use crate::common::{SESSION, SOON};
use beckon_support::eventually;
use beckon_support::telegram::{Action, ChatId, Fault, Message, Method, UserId};
use serde_json::{Value, json};

/// Ada's card, and Bob's with its old keyboard.
struct Pair {
    outing: Outing,
    ada: Message,
    bob: (UserId, ChatId, Message),
}

impl Pair {
    async fn before(questions: Value) -> Self {
        let outing = Outing::start().await;
        let (user, chat) = pair(&outing, "Bob").await;
        let request = json!({ "id": "que_1", "sessionID": SESSION, "questions": questions });
        let ada = outing.ask_with(request, "Which database?").await;
        let telegram = &outing.phone.telegram;
        let theirs = |message: &Message| {
            message.text.contains("Which database?") && !message.keyboard().is_empty()
        };
        let card = telegram.wait_for(chat, theirs, SOON).await;
        let bob = (user, chat, card);
        Self { outing, ada, bob }
    }

    /// Keeps every change from the screens, from now on.
    fn freeze(&self) {
        let telegram = &self.outing.phone.telegram;
        telegram.fail(Method::EditMessageText, 999, Fault::ServerError(500));
    }

    /// Taps that button of Ada's card, and waits until Beckon has taken it.
    async fn ada_taps(&self, label: &str) {
        self.outing.phone.tap(self.ada.id, label).await;
        self.outing.phone.taps_answered().await;
    }

    /// Returns Bob's card as it is now.
    fn bobs_card(&self) -> Message {
        let (_, chat, card) = &self.bob;
        self.outing.phone.telegram.message(*chat, card.id).unwrap()
    }

    async fn bob_sees(&self, text: &str) -> Message {
        eventually(&format!("Bob sees {text}"), SOON, async || {
            Some(self.bobs_card()).filter(|card| card.text.contains(text))
        })
        .await
    }

    /// Taps a button of Bob's card as it was then; returns the reply.
    async fn bob_taps(&self, then: &Message, label: &str) -> String {
        let button = then.button(label);
        let Some(Action::Callback(data)) = button.map(|button| &button.action) else {
            panic!("no button {label}: {:?}", then.labels());
        };
        let (user, chat, _) = self.bob;
        let tap = self
            .outing
            .phone
            .telegram
            .tap_data(user, chat, then.id, data);
        self.outing.phone.answer_to(&tap).await
    }
}

fn two() -> Value {
    json!([choices("Which database?"), choices("Which test database?")])
}

fn choices(question: &str) -> Value {
    json!({ "question": question, "header": "",
        "options": [{ "label": "PG", "description": "" }, { "label": "SQLite", "description": "" }] })
}

fn several() -> Value {
    let mut question = choices("Which database?");
    question["multiple"] = json!(true);
    json!([question])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_a_card_that_shows_one_question_is_no_answer_to_the_next() {
    let pair = Pair::before(two()).await;
    let telegram = &pair.outing.phone.telegram;
    let (user, chat, card) = &pair.bob;
    pair.freeze();
    pair.ada_taps("PG").await;

    telegram.reply(*user, *chat, card.id, "MariaDB, please");
    let told = message(telegram, *chat, "Ada has just answered").await;
    assert!(told.text.contains("PG"), "{}", told.text);
    telegram.heal();
    let now = pair.bob_sees("Question 2 of 2").await;
    assert!(!now.text.contains("MariaDB"), "{}", now.text);
    telegram.reply(*user, *chat, card.id, "SQLite");
    pair.bob_sees("Review").await;
    pair.ada_taps("Send").await;
    let replies = pair.outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["PG"], ["SQLite"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_the_prompt_of_one_question_is_no_answer_to_the_next() {
    for is_restarted in [false, true] {
        let outing = Outing::start().await;
        let request = json!({ "id": "que_1", "sessionID": SESSION, "questions": two() });
        let card = outing.ask_with(request, "Which database?").await;
        outing.phone.tap(card.id, "✏️ Write my own").await;
        let prompt = outing.phone.prompt().await;
        outing
            .noted("que_1", &format!("\"prompt\":{}", prompt.id))
            .await;
        let telegram = &outing.phone.telegram;
        telegram.fail(Method::DeleteMessage, 999, Fault::ServerError(500));
        outing.phone.tap(card.id, "PG").await;
        outing.phone.shows(card.id, "Question 2 of 2").await;
        outing.phone.tap(card.id, "✏️ Write my own").await;
        outing.phone.taps_answered().await;
        if is_restarted {
            outing.restart().await;
        }

        outing.phone.reply(prompt.id, "MariaDB, for the first one");
        outing
            .phone
            .says("This card shows another step by now")
            .await;
        telegram.heal();
        let now = outing.phone.shows(card.id, "Question 2 of 2").await;
        assert!(!now.text.contains("MariaDB"), "{}", now.text);
        outing.phone.reply(card.id, "SQLite");
        outing.phone.shows(card.id, "Review").await;
        outing.phone.tap(card.id, "Send").await;
        let replies = outing.stage.replies("que_1", 1).await;
        assert_eq!(replies[0].body, json!({ "answers": [["PG"], ["SQLite"]] }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_on_a_question_that_another_has_answered_changes_nothing() {
    let pair = Pair::before(two()).await;
    let (_, _, before) = &pair.bob;
    pair.ada_taps("PG").await;
    let told = pair.bob_taps(before, "SQLite").await;
    assert!(told.contains("Ada has just answered"), "{told}");
    pair.bob_sees("Question 2 of 2").await;
    pair.ada_taps("SQLite").await;
    let review = pair.bob_sees("Review").await;
    assert!(review.text.contains("database?: PG"), "{}", review.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn send_sends_only_what_stood_on_the_card_of_who_taps_it() {
    let pair = Pair::before(two()).await;
    pair.ada_taps("PG").await;
    pair.ada_taps("PG").await;
    let review = pair.bob_sees("Review").await;
    pair.ada_taps("Back").await;
    pair.bob_sees("Question 2 of 2").await;
    let passed = pair.bob_taps(&review, "Send").await;
    assert!(passed.contains("Nothing was sent"), "{passed}");
    pair.ada_taps("SQLite").await;
    let anew = pair.bob_sees("Review").await;
    let unseen = pair.bob_taps(&review, "Send").await;
    assert!(unseen.contains("Ada"), "{unseen}");
    assert_eq!(pair.outing.stage.replay.replies().len(), 0);
    assert_eq!(pair.bob_taps(&anew, "Send").await, "");
    let replies = pair.outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["PG"], ["SQLite"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_who_tick_the_same_box_have_it_ticked() {
    let pair = Pair::before(several()).await;
    let (_, _, before) = &pair.bob;
    pair.ada_taps("☐ PG").await;
    pair.bob_taps(before, "☐ PG").await;
    pair.bob_taps(before, "☐ SQLite").await;
    let both = pair.bob_sees("PG, SQLite").await;
    assert!(both.button("☑ PG").is_some(), "{:?}", both.labels());
    let unseen = pair.bob_taps(before, "Send").await;
    assert!(unseen.contains("Ada"), "{unseen}");
    assert_eq!(pair.outing.stage.replay.replies().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_who_will_write_does_not_undo_that_one_does() {
    let pair = Pair::before(two()).await;
    let telegram = &pair.outing.phone.telegram;
    let (user, chat, before) = &pair.bob;
    pair.ada_taps("✏️ Write my own").await;
    let prompt = pair.outing.phone.prompt().await;
    pair.bob_taps(before, "✏️ Write my own").await;
    telegram.wait_for(*chat, Message::forces_reply, SOON).await;
    pair.outing.phone.reply(prompt.id, "MariaDB");
    pair.bob_sees("Question 2 of 2").await;
    telegram.text(*user, *chat, "Oracle");
    message(telegram, *chat, "Ada has just answered this").await;
    let now = pair.bobs_card();
    assert!(!now.text.contains("Oracle"), "{}", now.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_faster_than_the_screen_sends_what_they_ticked_themselves() {
    let pair = Pair::before(several()).await;
    let (_, _, before) = &pair.bob;
    pair.freeze();
    for label in ["☐ PG", "☐ SQLite", "Send"] {
        assert_eq!(pair.bob_taps(before, label).await, "");
    }
    let replies = pair.outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["PG", "SQLite"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_writing_and_was_slower_is_told_who_was_faster() {
    let pair = Pair::before(json!([choices("Which database?")])).await;
    let phone = &pair.outing.phone;
    let (user, chat, card) = &pair.bob;
    pair.ada_taps("✏️ Write my own").await;
    phone.prompt().await;
    phone.telegram.reply(*user, *chat, card.id, "MariaDB");
    let replies = pair.outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["MariaDB"]] }));

    phone.telegram.text(phone.user, phone.chat, "Oracle");
    let told = phone.says("Already answered by Bob").await;
    assert!(told.text.contains("MariaDB"), "{}", told.text);
    phone.telegram.text(phone.user, phone.chat, "thanks");
    phone.says("No card is waiting").await;
    assert_eq!(pair.outing.stage.replay.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_for_a_card_that_another_has_answered_are_for_no_other_one() {
    let pair = Pair::before(json!([choices("Which database?")])).await;
    let phone = &pair.outing.phone;
    let (user, chat, card) = &pair.bob;
    let other = pair.outing.ask("que_2", "Delete the staging data?").await;
    phone.tap(other.id, "✏️ Write my own").await;
    pair.ada_taps("✏️ Write my own").await;
    phone.telegram.reply(*user, *chat, card.id, "MariaDB");
    pair.outing.stage.replies("que_1", 1).await;

    phone
        .telegram
        .text(phone.user, phone.chat, "yes, the old one");
    phone.says("Nothing was sent. Reply to the card").await;
    let replies = pair.outing.stage.replay.replies();
    assert!(
        replies.iter().all(|reply| reply.id != "que_2"),
        "{replies:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_writes_to_the_next_card_after_one_was_answered_by_another_answers_it() {
    let pair = Pair::before(json!([choices("Which database?")])).await;
    let phone = &pair.outing.phone;
    let (user, chat, card) = &pair.bob;
    let other = pair.outing.ask("que_2", "Delete the staging data?").await;
    pair.ada_taps("✏️ Write my own").await;
    phone.telegram.reply(*user, *chat, card.id, "MariaDB");
    pair.outing.stage.replies("que_1", 1).await;
    phone.ended(pair.ada.id, "MariaDB").await;

    phone.tap(other.id, "✏️ Write my own").await;
    phone.taps_answered().await;
    phone
        .telegram
        .text(phone.user, phone.chat, "only the old ones");
    let replies = pair.outing.stage.replies("que_2", 1).await;
    assert_eq!(
        replies[0].body,
        json!({ "answers": [["only the old ones"]] })
    );
}
