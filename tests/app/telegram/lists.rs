//! Tests of more than a handful of asks at once: cards that can be read, and one list of all that
//! waits, which is pinned, edited in silence, and leads to each card.

use crate::common::phone::{Outing, message, pairing_code};
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::replay::frame;
use beckon_support::telegram::{ChatId, EntityKind, Fault, Group, Message, Method};
use serde_json::json;
use std::time::Duration;

/// The factor by which limits pass faster, on both sides: a list that is edited once a minute is
/// edited every two seconds.
const HURRY: u32 = 30;

async fn asked(outing: &Outing, numbers: std::ops::Range<usize>) {
    for n in numbers {
        outing
            .begin(&format!("que_{n:03}"), &format!("Number {n:03}?"))
            .await;
    }
}

async fn card(outing: &Outing, n: usize) -> Message {
    outing.phone.card(&format!("Number {n:03}?")).await
}

async fn answer(outing: &Outing, n: usize, card: &Message) {
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.replies(&format!("que_{n:03}"), 1).await;
    outing.phone.ended(card.id, "✅ Yes").await;
}

/// Returns the number of the last question on a list.
fn last_number(list: &Message) -> usize {
    let (_, last) = list.text.rsplit_once("Number ").unwrap();
    last.chars().take(3).collect::<String>().parse().unwrap()
}

async fn pair_group(outing: &Outing, group: Group) -> ChatId {
    let group = outing.phone.telegram.group(&[outing.phone.user], group);
    let code = pairing_code(&outing.stage.beckon).await;
    outing
        .phone
        .telegram
        .text(outing.phone.user, group, &format!("/start {code}"));
    message(&outing.phone.telegram, group, "Paired with").await;
    group
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_asks_are_a_handful_of_cards_and_a_list_on_which_each_can_be_opened() {
    let outing = Outing::hurried(HURRY).await;
    let (phone, chat) = (&outing.phone, outing.phone.chat);
    asked(&outing, 0..100).await;
    let list = phone.list(chat, "100 waiting").await;
    assert!(
        list.text.contains("Number 000?") && list.text.contains("Page 1 of 13"),
        "{}",
        list.text
    );
    assert_eq!(phone.open_cards().len(), 5);
    for page in 2..=13 {
        phone.tap(list.id, "▶").await;
        phone.shows(list.id, &format!("Page {page} of 13")).await;
    }
    // The last one is most often 99; questions that came with a list of the server precede others
    // of the same moment.
    let number = last_number(&phone.shows(list.id, "Page 13 of 13").await);
    phone.tap(list.id, "100").await;
    let last = card(&outing, number).await;
    answer(&outing, number, &last).await;
    let first = card(&outing, 0).await;
    answer(&outing, 0, &first).await;
    let next = card(&outing, 5).await;
    assert!(next.silent, "whoever answers is there");
    phone.list(chat, "98 waiting").await;
    assert_eq!(phone.open_cards().len(), 5);
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ends_elsewhere_goes_from_the_list_and_is_told_to_whoever_opens_it_late() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    asked(&outing, 0..7).await;
    let list = phone.list(phone.chat, "7 waiting").await;
    let seventh = crate::common::phone::data(&list, "7");
    outing.stage.replay.withdraw("que_006");
    let properties = json!({ "sessionID": SESSION, "requestID": "que_006", "answers": [["No"]] });
    outing
        .stage
        .replay
        .send(&frame(Some(DIRECTORY), "question.replied", properties))
        .await;
    phone.list(phone.chat, "6 waiting").await;
    let tap = phone
        .telegram
        .tap_data(phone.user, phone.chat, list.id, &seventh);
    assert!(phone.answer_to(&tap).await.contains("in the agent itself"));
    for n in 0..6 {
        let card = card(&outing, n).await;
        answer(&outing, n, &card).await;
    }
    outing.nothing_left().await;
    phone.shows(list.id, "Nothing is waiting here").await;
    assert_eq!(phone.sent("Number 006?"), 1, "on the list only");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_pinned_once_edited_in_silence_and_the_same_one_after_a_crash() {
    let outing = Outing::hurried(HURRY).await;
    let (phone, chat) = (&outing.phone, outing.phone.chat);
    asked(&outing, 0..1).await;
    card(&outing, 0).await;
    asked(&outing, 1..2).await;
    let list = phone.list(chat, "2 waiting").await;
    assert!(
        list.silent && list.text.contains("longest since"),
        "{}",
        list.text
    );
    let pinned = async || (phone.telegram.pinned(chat) == [list.id]).then_some(());
    eventually("it is pinned", SOON, pinned).await;
    // After this look, everything queued before it is saved. A Beckon that is killed in the
    // milliseconds before that knows of no list, and sends another.
    let _ = outing.stage.beckon.status().await;
    outing.restart().await;
    asked(&outing, 2..3).await;
    assert_eq!(phone.list(chat, "3 waiting").await.id, list.id);
    phone.telegram.unpin(chat, list.id);
    asked(&outing, 3..4).await;
    assert_eq!(phone.list(chat, "4 waiting").await.id, list.id);
    assert_eq!(
        phone.telegram.pinned(chat),
        [] as [i64; 0],
        "whoever unpins it wants it so"
    );
    assert_eq!(phone.telegram.count_of(Method::PinChatMessage), 1);
    for n in 0..4 {
        let card = card(&outing, n).await;
        answer(&outing, n, &card).await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_was_deleted_costs_nothing_and_comes_back_with_what_is_new() {
    let outing = Outing::hurried(HURRY).await;
    let (phone, chat) = (&outing.phone, outing.phone.chat);
    asked(&outing, 0..2).await;
    let list = phone.list(chat, "2 waiting").await;
    phone.telegram.delete_message(chat, list.id);
    asked(&outing, 2..3).await;
    let again = phone.list(chat, "3 waiting").await;
    assert_ne!(again.id, list.id);
    asked(&outing, 3..4).await;
    assert_eq!(phone.list(chat, "4 waiting").await.id, again.id);
    for n in 0..4 {
        let card = card(&outing, n).await;
        answer(&outing, n, &card).await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_right_to_pin_the_list_stands_all_the_same() {
    let outing = Outing::hurried(HURRY).await;
    let telegram = &outing.phone.telegram;
    let group = pair_group(&outing, Group::default()).await;
    asked(&outing, 0..2).await;
    let list = outing.phone.list(group, "2 waiting").await;
    let refused = async || {
        let pins = telegram.calls_of(Method::PinChatMessage);
        pins.iter()
            .any(|call| call.param("chat_id") == group.0.to_string())
            .then_some(())
    };
    eventually("it was to be pinned", SOON, refused).await;
    asked(&outing, 2..3).await;
    assert_eq!(outing.phone.list(group, "3 waiting").await.id, list.id);
    let pins = telegram.calls_of(Method::PinChatMessage);
    let here = pins
        .iter()
        .filter(|call| call.param("chat_id") == group.0.to_string());
    assert_eq!(here.count(), 1, "it does not ask again");
    for n in 0..3 {
        let card = card(&outing, n).await;
        outing.phone.tap(card.id, "Yes").await;
        outing.stage.replies(&format!("que_{n:03}"), 1).await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_supergroup_each_line_links_to_its_card_and_in_a_private_chat_a_button_points_to_it() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    let group = pair_group(
        &outing,
        Group {
            privacy_mode: true,
            topics: true,
        },
    )
    .await;
    phone.telegram.let_pin(group, true);
    asked(&outing, 0..2).await;
    let there = message(&phone.telegram, group, "Number 001?").await;
    let list = phone.list(group, "2 waiting").await;
    let url = format!(
        "https://t.me/c/{}/{}",
        -group.0 - 1_000_000_000_000,
        there.id
    );
    let links = |entity: &beckon_support::telegram::Entity| matches!(&entity.kind, EntityKind::TextLink { url: it } if *it == url);
    assert!(list.entities.iter().any(links), "{:?}", list.entities);
    let own = phone.list(phone.chat, "2 waiting").await;
    let second = card(&outing, 1).await;
    phone.tap(own.id, "2").await;
    let pointer = phone.says("👆").await;
    assert_eq!(pointer.reply_to, Some(second.id));
    phone.telegram.command(phone.user, phone.chat, "/pending");
    let pending = |message: &Message| message.id > pointer.id && message.button("1").is_some();
    let pending = phone.telegram.wait_for(phone.chat, pending, SOON).await;
    phone.tap(pending.id, "1").await;
    let first = card(&outing, 0).await;
    let points =
        |message: &Message| message.text.contains("👆") && message.reply_to == Some(first.id);
    phone.telegram.wait_for(phone.chat, points, SOON).await;
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
}

/// An answer to /pending is not kept up to date, nor is a list that was on its way when Beckon was
/// killed.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_before_is_drawn_anew_when_one_of_its_lines_leads_nowhere() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    asked(&outing, 0..2).await;
    let (first, second) = (card(&outing, 0).await, card(&outing, 1).await);
    phone.telegram.command(phone.user, phone.chat, "/pending");
    let pending =
        |message: &Message| message.id > second.id && message.button("I'm here").is_none();
    let pending = |message: &Message| pending(message) && message.button("1").is_some();
    let pending = phone.telegram.wait_for(phone.chat, pending, SOON).await;
    phone.tap(first.id, "Yes").await;
    phone.ended(first.id, "✅ Yes").await;
    phone.tap(pending.id, "1").await;
    let left = phone.shows(pending.id, "1 waiting").await;
    assert!(!left.text.contains("Number 000?"), "{}", left.text);
    phone.tap(second.id, "Yes").await;
    phone.ended(second.id, "✅ Yes").await;
    phone.tap(pending.id, "1").await;
    phone.shows(pending.id, "Nothing is waiting").await;
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_says_where_one_is_and_pauses() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    asked(&outing, 0..2).await;
    let list = phone.list(phone.chat, "2 waiting").await;
    let tap = phone
        .telegram
        .tap(phone.user, phone.chat, list.id, "I'm here");
    assert!(phone.answer_to(&tap).await.contains("set as here"));
    let presence = outing.stage.beckon.status().await["presence"].clone();
    assert_eq!(presence["override"], "here");
    let tap = phone
        .telegram
        .tap(phone.user, phone.chat, list.id, "Pause 30 min");
    assert!(phone.answer_to(&tap).await.contains("Paused until"));
    asked(&outing, 2..3).await;
    outing.stage.wait_state("que_002", "open").await;
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
    assert_eq!(phone.sent("Number 002?"), 0, "not while it is paused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_longer_pause_is_not_shortened_from_the_list() {
    let outing = Outing::hurried(HURRY).await;
    let (phone, beckon) = (&outing.phone, &outing.stage.beckon);
    asked(&outing, 0..2).await;
    let list = phone.list(phone.chat, "2 waiting").await;
    let until = jiff::Timestamp::now().as_millisecond() + 8 * 3_600_000;
    let endpoint = beckon.endpoint().unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let pause = client
        .post(format!("{}/pause", endpoint["url"].as_str().unwrap()))
        .bearer_auth(endpoint["token"].as_str().unwrap())
        .json(&json!({ "until": until }));
    assert!(pause.send().await.unwrap().status().is_success());
    let tap = phone
        .telegram
        .tap(phone.user, phone.chat, list.id, "Pause 30 min");
    assert!(phone.answer_to(&tap).await.contains("Paused until"));
    assert_eq!(beckon.status().await["paused_until"], until);
}

/// Other messages use up what the limits leave, and an answer is in a hurry.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_fails_again_and_again_delays_no_card() {
    let outing = Outing::hurried(HURRY).await;
    let phone = &outing.phone;
    phone
        .telegram
        .fail(Method::PinChatMessage, 100, Fault::ServerError(502));
    asked(&outing, 0..2).await;
    phone.list(phone.chat, "2 waiting").await;
    for n in 2..5 {
        let begun = std::time::Instant::now();
        asked(&outing, n..n + 1).await;
        let card = card(&outing, n).await;
        answer(&outing, n, &card).await;
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "{:?}",
            begun.elapsed()
        );
    }
}
