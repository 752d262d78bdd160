//! Tests in which Beckon is killed (-9) at each step of an answer on Telegram: none is lost, none
//! is given twice, drafts survive. At worst a card is there twice, and both work.

use crate::common::phone::{Outing, data, set};
use crate::common::{SESSION, SOON, yes_or_no};
use beckon_support::replay::OnReply;
use beckon_support::telegram::{Fault, Message, Method};
use beckon_support::{eventually, replay};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn killed_with_a_tap_received_but_not_committed_it_takes_it_after_the_restart() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.beckon.sigstop();
    outing.phone.tap(card.id, "Yes").await;
    let update = outing.phone.telegram.last_update();
    eventually("the tap is handed out", SOON, async || {
        outing.phone.telegram.handed_out(update)
    })
    .await;
    outing.restart().await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_commit_it_delivers_the_answer_after_the_restart() {
    let mut outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.replay.down();
    outing.phone.tap(card.id, "No").await;
    outing.stage.wait_state("que_1", "answering").await;
    outing.stage.beckon.kill9();
    assert_eq!(outing.stage.replay.replies().len(), 0);
    outing.stage.replay.up();
    outing.stage.beckon.start();
    outing.stage.answered_once("que_1", "No").await;
    outing.phone.ended(card.id, "✅ No · by you").await;
    outing.nothing_left().await;
}

/// The offset that acknowledges the tap has not reached Telegram, which hands it out once more.
#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_commit_it_does_not_take_a_tap_twice() {
    let outing = Outing::start().await;
    let mut request = set("que_1", &["Which ones?"]);
    request["questions"][0]["multiple"] = json!(true);
    let card = outing.ask_with(request, "Which ones?").await;
    outing
        .phone
        .telegram
        .fail(Method::GetUpdates, 1, Fault::Hang);
    outing.phone.tap(card.id, "☐ A").await;
    outing.phone.shows(card.id, "So far: A").await;
    outing.phone.spoilt(Method::GetUpdates).await;
    assert_eq!(
        outing.phone.telegram.pending(),
        1,
        "it was not acknowledged"
    );
    outing.restart().await;
    outing.phone.telegram.wait_confirmed(SOON).await;
    outing.phone.tap(card.id, "Send").await;
    outing.stage.answered_once("que_1", "A").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_the_answer_is_posted_it_posts_it_again() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.replay.on_reply(OnReply::Hang);
    outing.phone.tap(card.id, "No").await;
    outing.stage.replies("que_1", 1).await;
    outing.stage.beckon.kill9();
    outing.stage.replay.on_reply(OnReply::Confirm);
    outing.stage.beckon.start();
    let replies = outing.stage.replies("que_1", 2).await;
    assert_eq!(replies[0].body, replies[1].body);
    outing.phone.ended(card.id, "✅ No · by you").await;
    outing.nothing_left().await;
    assert_eq!(
        outing.stage.replies("que_1", 2).await.len(),
        2,
        "the second one was taken"
    );
}

/// Makes two cards of one ask: the first was sent, but Beckon was killed before it knew which
/// message that is.
async fn twins(outing: &Outing) -> [Message; 2] {
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenHang);
    outing.begin("que_1", "Go on?").await;
    let stray = outing.phone.card("Go on?").await;
    outing.noted_on_the_desktop("que_1").await;
    outing.restart().await;
    let second = |card: &Message| card.id != stray.id && card.text.contains("Go on?");
    let card = outing
        .phone
        .telegram
        .wait_for(outing.phone.chat, second, SOON)
        .await;
    [stray, card]
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_knew_its_message_a_tap_on_the_stray_card_answers_and_both_end() {
    let outing = Outing::start().await;
    let [stray, card] = twins(&outing).await;
    outing.phone.tap(stray.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(stray.id, "✅ Yes · by you").await;
    outing.phone.ended(card.id, "Go on?").await;
    outing.nothing_left().await;
    assert_eq!(
        outing.phone.telegram.messages(outing.phone.chat).len(),
        3,
        "two cards, a greeting"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_knew_its_message_a_late_tap_on_the_stray_card_is_told_so() {
    let outing = Outing::start().await;
    let [stray, card] = twins(&outing).await;
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.phone.tap(stray.id, "No").await;
    let told = outing.phone.told("Already answered: Yes, by you at").await;
    assert_eq!(told.message, stray.id);
    outing.nothing_left().await;
    assert_eq!(outing.stage.replay.replies().len(), 1);
}

/// A human who sees the same question twice deletes one of them, and cannot know which one Beckon
/// knows.
#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_knew_its_message_the_stray_card_goes_on_when_the_other_is_deleted() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenHang);
    outing
        .begin_with(set("que_1", &["First?", "Second?"]))
        .await;
    let stray = outing.phone.card("First?").await;
    outing.noted_on_the_desktop("que_1").await;
    outing.restart().await;
    let second = |card: &Message| card.id != stray.id && card.text.contains("First?");
    let card = outing
        .phone
        .telegram
        .wait_for(outing.phone.chat, second, SOON)
        .await;
    outing
        .noted("que_1", &format!("\"message\":{}", card.id))
        .await;
    outing
        .phone
        .telegram
        .delete_message(outing.phone.chat, card.id);
    outing.phone.tap(stray.id, "B").await;
    outing.phone.shows(stray.id, "Second?").await;
    outing.phone.tap(stray.id, "A").await;
    outing.phone.shows(stray.id, "Review").await;
    outing.phone.tap(stray.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["B"], ["A"]] }));
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_knew_its_message_words_to_the_stray_card_count() {
    let outing = Outing::start().await;
    let [stray, card] = twins(&outing).await;
    outing.phone.reply(stray.id, "2");
    outing.stage.answered_once("que_1", "No").await;
    outing.phone.ended(stray.id, "✅ No · by you").await;
    outing.phone.ended(card.id, "Go on?").await;
    outing.nothing_left().await;
}

/// Returns a stray card: Beckon was killed before it knew its message, and its human taps it before
/// Beckon can have sent another.
async fn tapped_stray() -> (Outing, Message) {
    let mut outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenHang);
    let request = called("que_1", "Go on?");
    outing.begin_with(request).await;
    let stray = outing.phone.card("Go on?").await;
    outing.noted_on_the_desktop("que_1").await;
    outing.stage.beckon.kill9();
    outing.stage.replay.down();
    let (phone, yes) = (&outing.phone, data(&stray, "Yes"));
    phone
        .telegram
        .tap_data(phone.user, phone.chat, stray.id, &yes);
    outing.stage.beckon.start();
    outing.phone.taps_answered().await;
    outing.stage.wait_state("que_1", "answering").await;
    (outing, stray)
}

fn called(id: &str, text: &str) -> Value {
    let mut request = yes_or_no(id, text);
    request["tool"] = json!({ "messageID": "msg_1", "callID": "call_1" });
    request
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stray_card_that_was_tapped_is_the_card_and_tells_the_end() {
    let (mut outing, stray) = tapped_stray().await;
    outing.stage.replay.up();
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(stray.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
    assert_eq!(
        outing.phone.telegram.messages(outing.phone.chat).len(),
        2,
        "it, and a greeting"
    );
}

/// The agent's own answer is found out a while after the ask was seen to be gone.
#[tokio::test(flavor = "multi_thread")]
async fn a_stray_card_that_was_tapped_too_late_says_what_became_of_its_request() {
    let (mut outing, stray) = tapped_stray().await;
    let replay = &mut outing.stage.replay;
    let state = json!({ "status": "completed", "metadata": { "answers": [["No"]] } });
    let part = json!({ "type": "tool", "tool": "question", "callID": "call_1", "state": state });
    replay.message(
        SESSION,
        "msg_1",
        json!({ "info": { "agent": "build" }, "parts": [part] }),
    );
    let late = replay::Fault::Slow(Duration::from_secs(2));
    replay.fault(&format!("/session/{SESSION}/message/msg_1"), Some(late));
    replay.withdraw("que_1");
    replay.up();
    outing.phone.shows(stray.id, "stopped waiting").await;
    outing.no_rows().await;
    outing
        .phone
        .ended(stray.id, "☑️ No · in the agent itself")
        .await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_with_an_edit_under_way_it_shows_the_page_after_the_restart() {
    let outing = Outing::start().await;
    let card = outing
        .ask_with(set("que_1", &["First?", "Second?"]), "First?")
        .await;
    outing
        .phone
        .telegram
        .fail(Method::EditMessageText, 1, Fault::Hang);
    outing.phone.tap(card.id, "B").await;
    outing.phone.spoilt(Method::EditMessageText).await;
    outing.restart().await;
    outing.phone.shows(card.id, "Second?").await;
    outing.phone.tap(card.id, "A").await;
    outing.phone.shows(card.id, "Review").await;
    outing.phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["B"], ["A"]] }));
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_last_line_was_written_it_writes_it_after_the_restart() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing
        .phone
        .telegram
        .fail(Method::EditMessageText, 9, Fault::Hang);
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.telegram.heal();
    outing.restart().await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ended_while_beckon_was_dead_is_told_on_its_card() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.beckon.kill9();
    outing.stage.replay.withdraw("que_1");
    outing.stage.beckon.start();
    outing.phone.ended(card.id, "stopped waiting").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_with_a_prompt_open_a_reply_to_it_answers_and_it_goes() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Which name?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let prompt = outing.phone.prompt().await;
    outing
        .noted("que_1", &format!("\"prompt\":{}", prompt.id))
        .await;
    outing.restart().await;
    outing.phone.reply(prompt.id, "beckon");
    outing.stage.answered_once("que_1", "beckon").await;
    outing.phone.ended(card.id, "beckon").await;
    outing.phone.gone(prompt.id).await;
    outing.nothing_left().await;
}

/// The reply is processed before the cards are taken up again, so only the notes tell which ask
/// they belong to.
#[tokio::test(flavor = "multi_thread")]
async fn a_reply_to_a_prompt_while_it_was_dead_answers() {
    let mut outing = Outing::start().await;
    let card = outing.ask("que_1", "Which name?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let prompt = outing.phone.prompt().await;
    outing
        .noted("que_1", &format!("\"prompt\":{}", prompt.id))
        .await;
    outing.stage.beckon.kill9();
    outing.stage.replay.down();
    outing.phone.reply(prompt.id, "beckon");
    outing.stage.beckon.start();
    outing.phone.telegram.wait_confirmed(SOON).await;
    outing.stage.wait_state("que_1", "answering").await;
    outing.stage.replay.up();
    outing.stage.answered_once("que_1", "beckon").await;
    outing.phone.ended(card.id, "beckon").await;
    outing.phone.gone(prompt.id).await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_it_knew_its_prompt_a_reply_to_that_is_told_where_to_reply() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Which name?").await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenHang);
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let stray = outing.phone.prompt().await;
    outing.restart().await;
    let second = |prompt: &Message| prompt.forces_reply() && prompt.id != stray.id;
    let second = outing
        .phone
        .telegram
        .wait_for(outing.phone.chat, second, SOON)
        .await;
    // The stray's card is not noted anywhere.
    outing.phone.reply(stray.id, "beckon");
    outing.phone.says("that message is not an open card").await;
    outing.phone.reply(second.id, "beckon");
    outing.stage.answered_once("que_1", "beckon").await;
    outing.phone.ended(card.id, "beckon").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_half_done_goes_on_where_it_was() {
    let outing = Outing::start().await;
    let texts = ["First?", "Second?", "Third?"];
    let card = outing.ask_with(set("que_1", &texts), "First?").await;
    outing.phone.tap(card.id, "B").await;
    outing.phone.shows(card.id, "Question 2 of 3").await;
    outing.phone.taps_answered().await;
    outing.restart().await;
    outing.phone.tap(card.id, "A").await;
    outing.phone.shows(card.id, "Question 3 of 3").await;
    outing.phone.taps_answered().await;
    outing.restart().await;
    outing.phone.reply(card.id, "neither");
    outing.phone.shows(card.id, "Review").await;
    outing.phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(
        replies[0].body,
        json!({ "answers": [["B"], ["A"], ["neither"]] })
    );
    outing.nothing_left().await;
    assert_eq!(
        outing.phone.telegram.messages(outing.phone.chat).len(),
        2,
        "a greeting, a card"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_and_again_each_question_has_one_card() {
    let outing = Outing::start().await;
    let mut cards = Vec::new();
    for id in 0..3 {
        cards.push(
            outing
                .ask(&format!("que_{id}"), &format!("Number {id}?"))
                .await,
        );
    }
    for _ in 0..2 {
        outing.restart().await;
    }
    for (id, card) in cards.iter().enumerate() {
        outing.phone.tap(card.id, "Yes").await;
        outing.stage.replies(&format!("que_{id}"), 1).await;
        outing.phone.ended(card.id, "✅ Yes · by you").await;
    }
    outing.nothing_left().await;
    assert_eq!(outing.stage.replay.replies().len(), 3);
    // The list says that nothing waits; a list that was sent right before a crash may be there
    // twice.
    let messages = outing.phone.telegram.messages(outing.phone.chat);
    for id in 0..3 {
        let of_it = messages
            .iter()
            .filter(|it| it.text.contains(&format!("Number {id}?")))
            .count();
        assert_eq!(of_it, 1, "{messages:?}");
    }
}
