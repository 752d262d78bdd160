//! Tests that only the paired human answers: strangers, forgeries and replays have no effect, are
//! counted, and get no reply.

use crate::common::SOON;
use crate::common::phone::{Outing, data, pairing_code};
use beckon_support::telegram::{ChatId, Group, Method, UserId};
use serde_json::json;

/// Checks that the one question is unanswered and its card still there.
async fn untouched(outing: &Outing, message: i64) {
    outing.phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(
        outing.stage.state_of("que_1").await.as_deref(),
        Some("open")
    );
    assert_eq!(outing.phone.open_cards().len(), 1);
    assert!(
        outing
            .phone
            .telegram
            .message(outing.phone.chat, message)
            .is_some()
    );
    assert_eq!(outing.stage.replay.replies().len(), 0);
}

/// Answers the question, to see that everything still works.
async fn answer(outing: &Outing, message: i64) {
    outing.phone.tap(message, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(message, "✅ Yes · by you").await;
}

/// Returns how many messages the bot wrote to `chat`, and how many taps of `user` it answered.
fn heard_back(outing: &Outing, chat: ChatId, user: UserId) -> (usize, usize) {
    let alerts = outing.phone.telegram.alerts();
    let alerts = alerts.iter().filter(|alert| alert.user == user).count();
    (outing.phone.telegram.messages(chat).len(), alerts)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_words_codes_and_taps_lead_to_nothing() {
    let outing = Outing::start().await;
    let (telegram, card) = (&outing.phone.telegram, outing.ask("que_1", "Go on?").await);
    let eve = telegram.user("Eve");
    let lair = telegram.private(eve);
    let used = pairing_code(&outing.stage.beckon).await;
    let valid = pairing_code(&outing.stage.beckon).await;
    for text in [
        "1",
        "Yes",
        "/pending",
        "/status",
        "/away",
        "/start",
        "/nonsense",
    ] {
        telegram.text(eve, lair, text);
    }
    telegram.start_link(eve, "wrong");
    telegram.start_link(eve, &used);
    telegram.start_link(eve, &valid[..21]);
    telegram.tap_data(eve, lair, card.id, &data(&card, "Yes"));
    telegram.tap_data(eve, lair, card.id, "x");
    outing.wait_ignored(12).await;
    untouched(&outing, card.id).await;
    assert_eq!(
        heard_back(&outing, lair, eve),
        (0, 0),
        "not even that there is somebody"
    );
    assert_eq!(outing.status().await["paired"], 1);
    assert_eq!(
        outing.stage.beckon.status().await["presence"]["override"],
        "auto"
    );

    let bob = telegram.user("Bob");
    telegram.start_link(bob, &valid);
    let wanted = |message: &beckon_support::telegram::Message| message.text.contains("Go on?");
    let second = telegram.wait_for(bob.into(), wanted, SOON).await;
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · Ada, ").await;
    let ended = |message: &beckon_support::telegram::Message| {
        message.id == second.id && message.keyboard().is_empty()
    };
    telegram.wait_for(bob.into(), ended, SOON).await;
    outing.stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paired_persons_forgeries_lead_to_nothing() {
    let outing = Outing::start().await;
    let (phone, card) = (&outing.phone, outing.ask("que_1", "Go on?").await);
    let real = data(&card, "Yes");
    let (seal, rest) = real.split_once('.').unwrap();
    let other_seal: String = seal.chars().rev().collect();
    let strangers = [
        format!("{other_seal}.{rest}"),
        "garbage".into(),
        format!("{seal}.1.q"),
    ];
    for forged in &strangers {
        phone
            .telegram
            .tap_data(phone.user, phone.chat, card.id, forged);
    }
    outing.wait_ignored(3).await;
    phone.told("from an earlier installation").await;
    // The seal is right, but what the tap names does not exist.
    for tap in ["1.c0-9", "1.c7-0", "1.a", "1.s", "1.y", "zz.c0-0"] {
        phone
            .telegram
            .tap_data(phone.user, phone.chat, card.id, &format!("{seal}.{tap}"));
    }
    untouched(&outing, card.id).await;
    answer(&outing, card.id).await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn old_buttons_replayed_are_told_what_was_answered_and_change_nothing() {
    let outing = Outing::start().await;
    let (phone, card) = (&outing.phone, outing.ask("que_1", "Go on?").await);
    answer(&outing, card.id).await;
    for label in ["Yes", "No", "🚫 Dismiss…", "✏️ Write my own"] {
        let replayed = data(&card, label);
        let tap = phone
            .telegram
            .tap_data(phone.user, phone.chat, card.id, &replayed);
        let told = phone.answer_to(&tap).await;
        assert!(
            told.starts_with("Already answered: Yes, by you at "),
            "{told}"
        );
    }
    outing.restart().await;
    let tap = phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, &data(&card, "No"));
    assert_eq!(phone.answer_to(&tap).await, "Already answered by you.");
    outing.nothing_left().await;
    assert_eq!(outing.stage.replay.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_group_only_paired_people_answer() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let eve = phone.telegram.user("Eve");
    let open = Group {
        privacy_mode: false,
        topics: false,
    };
    let group = phone.telegram.group(&[phone.user, eve], open);
    let code = pairing_code(&outing.stage.beckon).await;
    phone
        .telegram
        .text(phone.user, group, &format!("/start {code}"));
    let paired = |message: &beckon_support::telegram::Message| message.text.contains("Paired");
    phone.telegram.wait_for(group, paired, SOON).await;

    let own = outing.ask("que_1", "Go on?").await;
    let asks = |message: &beckon_support::telegram::Message| message.text.contains("Go on?");
    let card = phone.telegram.wait_for(group, asks, SOON).await;
    phone
        .telegram
        .tap_data(eve, group, card.id, &data(&card, "Yes"));
    phone.telegram.reply(eve, group, card.id, "2");
    phone.telegram.text(eve, group, "/status");
    outing.wait_ignored(3).await;
    untouched(&outing, own.id).await;

    let before = phone.telegram.messages(group).len();
    phone.telegram.text(phone.user, group, "1");
    phone
        .telegram
        .text(phone.user, group, "/status@another_bot");
    phone.telegram.text(phone.user, group, "/dance");
    untouched(&outing, own.id).await;
    assert_eq!(
        phone.telegram.messages(group).len(),
        before,
        "people talk with each other there"
    );

    phone.telegram.reply(phone.user, group, card.id, "2");
    outing.stage.answered_once("que_1", "No").await;
    phone.ended(own.id, "✅ No · Ada, ").await;
    let ended = |message: &beckon_support::telegram::Message| {
        message.id == card.id && message.keyboard().is_empty()
    };
    phone.telegram.wait_for(group, ended, SOON).await;
    outing.stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_anonymous_admins_and_channels_are_nobody() {
    let outing = Outing::start().await;
    let (phone, card) = (&outing.phone, outing.ask("que_1", "Go on?").await);
    let chat = json!({ "id": phone.chat.0, "type": "private", "first_name": "Ada" });
    let group = json!({ "id": -1_002_000_000_001_i64, "type": "supergroup", "title": "A group" });
    let bot =
        json!({ "id": phone.user.0, "is_bot": true, "first_name": "Ada", "username": "a_bot" });
    let anonymous = json!({ "id": 1_087_968_824, "is_bot": true, "first_name": "Group",
        "username": "GroupAnonymousBot" });
    let message = |from: &serde_json::Value, chat: &serde_json::Value, text: &str| {
        json!({ "message_id": 1, "date": 1_700_000_000, "from": from, "chat": chat, "text": text,
            "reply_to_message": { "message_id": card.id, "date": 1_700_000_000, "chat": chat,
                "from": { "id": 7_000_000_001_i64, "is_bot": true, "first_name": "Beckon" },
                "text": "Go on?" } })
    };
    let mut as_group = message(&anonymous, &group, "2");
    as_group["sender_chat"] = group.clone();
    let code = pairing_code(&outing.stage.beckon).await;
    phone
        .telegram
        .push_update("message", &message(&bot, &chat, "1"));
    phone.telegram.push_update("message", &as_group);
    phone
        .telegram
        .push_update("message", &message(&bot, &chat, &format!("/start {code}")));
    let tap = json!({ "id": "9", "from": bot, "chat_instance": "1", "data": data(&card, "Yes"),
        "message": { "message_id": card.id, "date": 0, "chat": chat } });
    phone.telegram.push_update("callback_query", &tap);
    let post = json!({ "message_id": 2, "date": 1_700_000_000, "text": "1",
        "chat": { "id": -100_i64, "type": "channel", "title": "News" } });
    phone.telegram.push_update("channel_post", &post);
    outing.wait_ignored(4).await;
    untouched(&outing, card.id).await;
    assert_eq!(outing.status().await["paired"], 1);
    assert_eq!(
        phone.telegram.calls_of(Method::AnswerCallbackQuery).len(),
        0
    );
    answer(&outing, card.id).await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paired_person_with_a_link_that_is_void_is_told_so() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let code = pairing_code(&outing.stage.beckon).await;
    phone.telegram.start_link(phone.user, &code);
    phone.telegram.start_link(phone.user, &code);
    phone.says("no longer valid").await;
    assert_eq!(
        (
            &outing.status().await["ignored"],
            &outing.status().await["paired"]
        ),
        (&json!(0), &json!(1))
    );
}
