//! Tests of cards that are gone from the chat while their asks are open: deleted by a human, by the
//! chat's own timer, or with the whole chat. Telegram does not tell a bot of that.

use crate::common::SOON;
use crate::common::phone::{Outing, message, set};
use beckon_support::eventually;
use beckon_support::telegram::Message;
use std::time::Duration;

/// Deletes all messages of the chat.
fn clear_chat(outing: &Outing) {
    let (telegram, chat) = (&outing.phone.telegram, outing.phone.chat);
    for message in telegram.history(chat) {
        telegram.delete_message(chat, message.id);
    }
}

async fn answered(outing: &Outing, id: &str, card: &Message) {
    outing.phone.tap(card.id, "Yes").await;
    let replies = outing.stage.replies(id, 1).await;
    assert_eq!(replies.len(), 1, "{replies:?}");
    outing.phone.ended(card.id, "✅ Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_was_deleted_is_not_sent_again_by_itself_and_stays_open_and_on_the_list() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = outing
        .ask_with(set("que_1", &["First?", "Second?"]), "First?")
        .await;
    outing.stage.beckon.sigstop();
    phone.tap(card.id, "A").await;
    phone.telegram.delete_message(phone.chat, card.id);
    outing.stage.beckon.sigcont();
    outing.noted("que_1", "\"deleted\":true").await;
    let list = phone.list(phone.chat, "1 waiting").await;
    assert!(list.silent, "{list:?}");
    outing.noted_list(&list).await;

    outing.restart().await;
    outing.stage.shown("2 questions").await;
    assert_eq!(phone.open_cards(), []);
    assert_eq!(phone.sent("First?"), 1);
    phone.list(phone.chat, "1 waiting").await;

    phone.tap(list.id, "1").await;
    let again = phone.card("Second?").await;
    assert!(again.silent, "whoever tapped is looking");
    phone.tap(again.id, "B").await;
    phone.tap(again.id, "Send").await;
    phone.ended(again.id, "✅").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_on_a_list_brings_a_card_back_of_which_nobody_knew_that_it_is_gone() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let first = outing.ask("que_1", "First?").await;
    let second = outing.ask("que_2", "Second?").await;
    let list = phone.list(phone.chat, "2 waiting").await;
    phone.telegram.delete_message(phone.chat, first.id);

    phone.tap(list.id, "1").await;
    let again = phone.card("First?").await;
    assert_ne!(again.id, first.id);
    assert_eq!(phone.sent("👆"), 1, "what pointed to it was refused");
    let stands = phone.telegram.messages(phone.chat);
    assert!(
        !stands.iter().any(|it| it.text.contains("👆")),
        "{stands:?}"
    );
    phone.list(phone.chat, "2 waiting").await;

    answered(&outing, "que_1", &again).await;
    answered(&outing, "que_2", &second).await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_that_was_cleared_is_asked_for_what_waits_and_the_list_agrees() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    outing.ask("que_1", "First?").await;
    outing.ask("que_2", "Second?").await;
    phone.list(phone.chat, "2 waiting").await;
    clear_chat(&outing);

    phone.telegram.command(phone.user, phone.chat, "/pending");
    let pending = phone.says("2 waiting").await;
    outing.noted("que_1", "\"deleted\":true").await;
    outing.noted("que_2", "\"deleted\":true").await;
    phone.tap(pending.id, "2").await;
    let second = phone.card("Second?").await;
    phone.tap(pending.id, "1").await;
    let first = phone.card("First?").await;

    answered(&outing, "que_1", &first).await;
    answered(&outing, "que_2", &second).await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_the_desk_only_is_brought_by_its_number_as_well() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    phone.telegram.command(phone.user, phone.chat, "/here");
    phone.says("set as here").await;
    outing.begin("que_1", "On the desk?").await;
    outing.stage.shown("On the desk?").await;
    phone.telegram.command(phone.user, phone.chat, "/pending");
    let pending = phone.says("1 waiting").await;
    phone.tap(pending.id, "1").await;
    let card = phone.card("On the desk?").await;
    assert!(card.silent, "{card:?}");
    answered(&outing, "que_1", &card).await;
    outing.nothing_left().await;
}

/// The factor by which time passes faster. A card comes back after ten minutes at least; here after
/// five seconds.
const HURRY: u32 = 120;

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_the_chats_timer_deletes_comes_back_in_silence_and_not_within_seconds() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    let timer = Some(Duration::from_secs(2));
    phone
        .telegram
        .set_auto_delete(phone.user, phone.chat, timer);
    phone.telegram.wait_confirmed(SOON).await;
    outing.begin("que_1", "Go on?").await;
    let card = phone.card("Go on?").await;
    let sent_at = std::time::Instant::now();
    phone.gone(card.id).await;

    let again = phone.card("Go on?").await;
    assert!(sent_at.elapsed() > Duration::from_secs(4), "{sent_at:?}");
    assert!(again.silent && again.id != card.id, "{again:?}");
    assert_eq!(phone.sent("Go on?"), 2);
    outing.stage.press("Go on?", "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_that_was_set_before_beckon_came_is_known() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    outing.stage.beckon.kill9();
    let timer = Some(Duration::from_secs(2));
    phone
        .telegram
        .set_auto_delete(phone.user, phone.chat, timer);
    outing.stage.beckon.start();
    outing.stage.ready().await;
    outing.begin("que_1", "Go on?").await;
    let card = phone.card("Go on?").await;
    phone.gone(card.id).await;
    let again = phone.card("Go on?").await;
    assert_ne!(again.id, card.id);
    outing.stage.press("Go on?", "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_is_gone_from_one_chat_is_brought_back_there_alone() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let bob = telegram.user("Bob");
    let bobs = bob.into();
    let code = crate::common::phone::pairing_code(&outing.stage.beckon).await;
    telegram.start_link(bob, &code);
    message(telegram, bobs, "Paired with").await;
    let first = outing.ask("que_1", "First?").await;
    outing.ask("que_2", "Second?").await;
    message(telegram, bobs, "Second?").await;
    let list = outing.phone.list(outing.phone.chat, "2 waiting").await;
    telegram.delete_message(outing.phone.chat, first.id);
    outing.phone.tap(list.id, "1").await;
    let again = outing.phone.card("First?").await;
    let for_bob = telegram.messages(bobs);
    let first_for_bob = |it: &&Message| it.text.contains("First?") && it.button("Yes").is_some();
    assert_eq!(for_bob.iter().filter(first_for_bob).count(), 1);
    answered(&outing, "que_1", &again).await;
    outing.stage.press("Second?", "Yes").await;
    outing.stage.answered_once("que_2", "Yes").await;
    eventually("nothing is open", SOON, async || {
        outing.phone.open_cards().is_empty().then_some(())
    })
    .await;
    outing.nothing_left().await;
}
