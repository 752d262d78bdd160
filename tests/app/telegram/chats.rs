//! Tests of people, groups and topics: a card in each chat, one answer for all; chats come, move
//! and go while cards are open. And of when a chat gets an ask at all, and how loudly.

use crate::common::phone::{self, Outing, Phone, ended_in, message, pairing_code};
use crate::common::{self, SOON, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::presence::Logind;
use beckon_support::telegram::{ChatId, Fault, Group, Method, UserId};
use serde_json::json;

/// Pairs another person by a fresh link.
async fn pair(outing: &Outing, name: &str) -> (UserId, ChatId) {
    let code = pairing_code(&outing.stage.beckon).await;
    let user = outing.phone.telegram.user(name);
    outing.phone.telegram.start_link(user, &code);
    message(&outing.phone.telegram, user.into(), "Paired with").await;
    (user, user.into())
}

/// Pairs a group, as the phone's owner.
async fn pair_group(outing: &Outing, group: ChatId) {
    let code = pairing_code(&outing.stage.beckon).await;
    outing
        .phone
        .telegram
        .text(outing.phone.user, group, &format!("/start {code}"));
    message(&outing.phone.telegram, group, "Paired with").await;
}

fn plain(outing: &Outing) -> ChatId {
    outing
        .phone
        .telegram
        .group(&[outing.phone.user], Group::default())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_chat_has_the_card_and_all_say_where_it_was_answered() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let (bob, bobs) = pair(&outing, "Bob").await;
    let group = plain(&outing);
    pair_group(&outing, group).await;
    let own = outing.ask("que_1", "Go on?").await;
    let (second, third) = (
        message(telegram, bobs, "Go on?").await,
        message(telegram, group, "Go on?").await,
    );
    telegram.tap(bob, bobs, second.id, "No");
    outing.stage.answered_once("que_1", "No").await;
    for (chat, card) in [
        (outing.phone.chat, own.id),
        (bobs, second.id),
        (group, third.id),
    ] {
        ended_in(telegram, chat, card, "✅ No · Bob, ").await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_deleted_in_one_chat_goes_on_in_the_other() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let (_, bobs) = pair(&outing, "Bob").await;
    let own = outing.ask("que_1", "Go on?").await;
    let second = message(telegram, bobs, "Go on?").await;
    telegram.delete_message(outing.phone.chat, own.id);
    telegram.tap(UserId(bobs.0), bobs, second.id, "✏️ Write my own");
    outing.noted("que_1", "\"deleted\":true").await;
    outing.restart().await;
    message(telegram, bobs, "Your answer to").await;
    outing.stage.press("Go on?", "Yes").await;
    ended_in(telegram, bobs, second.id, "✅ Yes · on the desktop").await;
    outing.nothing_left().await;
    let sends = telegram.calls_of(Method::SendMessage);
    let own = outing.phone.chat.0.to_string();
    let again = sends
        .iter()
        .filter(|call| call.param("chat_id") == own)
        .skip(1);
    assert_eq!(
        again
            .filter(|call| call.param("text").contains("<b>"))
            .count(),
        1,
        "sent once"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn words_of_one_who_waved_the_card_away_are_no_answer_to_it() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let (bob, bobs) = pair(&outing, "Bob").await;
    let card = outing.ask("que_1", "Which name?").await;
    let for_bob = message(telegram, bobs, "Which name?").await;
    telegram.delete_message(bobs, for_bob.id);
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let prompt = outing.phone.prompt().await;
    outing.noted("que_1", "\"deleted\":true").await;
    telegram.text(bob, bobs, "are we having lunch?");
    message(telegram, bobs, "No card is waiting for text").await;
    assert_eq!(outing.stage.replay.replies().len(), 0);
    outing.phone.reply(prompt.id, "beckon");
    outing.stage.answered_once("que_1", "beckon").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_paired_while_asks_are_open_gets_them_and_whoever_is_unpaired_loses_them() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let own = outing.ask("que_1", "Go on?").await;
    let (bob, bobs) = pair(&outing, "Bob").await;
    let second = message(telegram, bobs, "Go on?").await;
    telegram.tap(bob, bobs, second.id, "✏️ Write my own");
    let prompt = message(telegram, bobs, "Your answer to").await;
    outing
        .noted("que_1", &format!("\"prompt\":{}", prompt.id))
        .await;
    assert!(
        !outing
            .phone
            .shows(own.id, "Go on?")
            .await
            .text
            .contains("offline for a while")
    );

    let unpaired = outing
        .stage
        .beckon
        .command(&["telegram", "unpair", &bob.0.to_string()])
        .await;
    assert_eq!(unpaired.status, Some(0), "{unpaired:?}");
    message(telegram, bobs, "no longer paired").await;
    eventually("no keyboard, no prompt", SOON, async || {
        let card = telegram.message(bobs, second.id)?;
        (card.keyboard().is_empty() && telegram.message(bobs, prompt.id).is_none()).then_some(())
    })
    .await;
    let before = telegram.messages(bobs);
    telegram.tap_data(bob, bobs, second.id, &phone::data(&own, "No"));
    telegram.text(bob, bobs, "2");
    outing.wait_ignored(2).await;
    outing.restart().await;
    outing.phone.tap(own.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(own.id, "✅ Yes · by you").await;
    assert_eq!(telegram.messages(bobs), before, "they learn nothing of it");
    outing.no_rows().await;
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_group_takes_the_place_of_the_former_one() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let (former, group) = (plain(&outing), plain(&outing));
    pair_group(&outing, former).await;
    outing.begin("que_1", "Go on?").await;
    let left = message(telegram, former, "Go on?").await;
    pair_group(&outing, group).await;
    let card = message(telegram, group, "Go on?").await;
    message(telegram, former, "no longer paired").await;
    eventually("no keyboard", SOON, async || {
        telegram
            .message(former, left.id)?
            .keyboard()
            .is_empty()
            .then_some(())
    })
    .await;
    telegram.tap(outing.phone.user, group, card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    ended_in(telegram, group, card.id, "✅ Yes · Ada, ").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_becomes_a_supergroup_gets_its_cards_anew() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let group = plain(&outing);
    pair_group(&outing, group).await;
    outing.begin("que_1", "Before?").await;
    let before = message(telegram, group, "Before?").await;
    outing.phone.card("Before?").await;
    let supergroup = telegram.migrate(group);
    let card = message(telegram, supergroup, "Before?").await;
    assert!(!before.silent && card.silent, "it rings once");
    telegram.tap(outing.phone.user, supergroup, card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    ended_in(telegram, supergroup, card.id, "✅ Yes · Ada, ").await;
    outing.begin("que_2", "After?").await;
    let card = message(telegram, supergroup, "After?").await;
    assert!(!card.silent);
    telegram.reply(outing.phone.user, supergroup, card.id, "1");
    outing.stage.answered_once("que_2", "Yes").await;
    outing.nothing_left().await;
    assert_eq!(outing.status().await["paired"], 2);
}

/// Beckon is told of the move only when it writes there.
#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_moved_while_beckon_was_dead_is_found() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let group = plain(&outing);
    pair_group(&outing, group).await;
    outing.stage.beckon.kill9();
    let supergroup = telegram.migrate(group);
    // The updates about the move are older than a day, and dropped.
    telegram.advance(std::time::Duration::from_secs(25 * 60 * 60));
    outing.stage.beckon.start();
    outing.stage.ready().await;
    outing.begin("que_1", "Go on?").await;
    let card = message(telegram, supergroup, "Go on?").await;
    telegram.tap(outing.phone.user, supergroup, card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_blocks_the_bot_is_left_alone_and_finds_what_is_open_when_they_are_back() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let (open, over) = (
        outing.ask("que_1", "Open?").await,
        outing.ask("que_2", "Over?").await,
    );
    phone.telegram.block(phone.user);
    phone.telegram.wait_confirmed(SOON).await;
    outing.begin("que_3", "Meanwhile?").await;
    outing.stage.press("Over?", "No").await;
    outing.stage.replies("que_2", 1).await;
    phone.telegram.unblock(phone.user);
    phone.ended(over.id, "✅ No · on the desktop").await;
    let meanwhile = phone.card("Meanwhile?").await;
    for card in [open, meanwhile] {
        phone.tap(card.id, "Yes").await;
        phone.ended(card.id, "✅ Yes · by you").await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_that_throws_the_bot_out_costs_the_others_nothing() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let group = plain(&outing);
    pair_group(&outing, group).await;
    let card = outing.ask("que_1", "Go on?").await;
    message(&phone.telegram, group, "Go on?").await;
    phone.telegram.kick(phone.user, group);
    phone.tap(card.id, "Yes").await;
    phone.ended(card.id, "✅ Yes · Ada, ").await;
    let card = outing.ask("que_2", "And now?").await;
    phone.tap(card.id, "Yes").await;
    phone.ended(card.id, "✅ Yes · Ada, ").await;
    outing.stage.nothing_left().await;
    phone.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_project_has_its_topic_and_the_main_chat_when_that_cannot_be() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let group = telegram.group(
        &[outing.phone.user],
        Group {
            privacy_mode: true,
            topics: true,
        },
    );
    pair_group(&outing, group).await;
    outing.begin("que_1", "In a topic?").await;
    let card = message(telegram, group, "In a topic?").await;
    let topic = card.thread.expect("it is in its project's topic");
    telegram.tap(outing.phone.user, group, card.id, "✏️ Write my own");
    let prompt = message(telegram, group, "Your answer to").await;
    assert_eq!(prompt.thread, Some(topic));
    telegram.reply(outing.phone.user, group, prompt.id, "yes");
    outing.stage.answered_once("que_1", "yes").await;

    outing.restart().await;
    outing.begin("que_2", "The same one?").await;
    assert_eq!(
        message(telegram, group, "The same one?").await.thread,
        Some(topic)
    );
    assert_eq!(telegram.calls_of(Method::CreateForumTopic).len(), 1);
    outing.stage.press("The same one?", "Yes").await;
    outing.stage.answered_once("que_2", "Yes").await;

    telegram.delete_topic(group, topic);
    outing.begin("que_3", "Without one?").await;
    let card = message(telegram, group, "Without one?").await;
    assert_eq!(card.thread, None);
    telegram.tap(outing.phone.user, group, card.id, "Yes");
    outing.stage.answered_once("que_3", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_topics_are_forbidden_the_main_chat_serves() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let group = telegram.group(
        &[outing.phone.user],
        Group {
            privacy_mode: true,
            topics: true,
        },
    );
    pair_group(&outing, group).await;
    let forbidden = Fault::BadRequest("not enough rights to create a topic");
    telegram.fail(Method::CreateForumTopic, 9, forbidden);
    for (id, text) in [("que_1", "One?"), ("que_2", "Two?")] {
        outing.begin(id, text).await;
        let card = message(telegram, group, text).await;
        assert_eq!(card.thread, None);
        telegram.tap(outing.phone.user, group, card.id, "Yes");
        outing.stage.answered_once(id, "Yes").await;
    }
    assert_eq!(
        telegram.calls_of(Method::CreateForumTopic).len(),
        1,
        "it does not ask again"
    );
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_answered() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let says = async |command: &str, text: &str| {
        phone.telegram.command(phone.user, phone.chat, command);
        phone.says(text).await;
    };
    let card = outing.ask("que_1", "Which <db>?").await;
    says("/pending", "Which <db>?").await;
    says("/status", "OpenCode").await;
    says("/help", "A card is answered with its buttons").await;
    says("/nonsense", "There is no such command").await;
    says("/away tomorrow", "It isn't clear how long that is").await;
    says("/away 1 h", "set as away until").await;
    let presence = outing.stage.beckon.status().await["presence"].clone();
    assert_eq!(
        (&presence["override"], &presence["away"]),
        (&json!("away"), &json!(true))
    );
    assert!(presence["until"].is_i64(), "{presence}");
    says("/auto", "Presence is automatic again").await;
    assert_eq!(
        outing.stage.beckon.status().await["presence"]["override"],
        "auto"
    );
    phone.tap(card.id, "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forwarded_never_nothing_comes_and_forwarded_always_even_to_whom_is_here() {
    let never = Outing::with("forward = \"never\"\n").await;
    never.stage.beckon.command(&["presence", "away"]).await;
    never.begin("que_1", "Go on?").await;
    never.stage.press("Go on?", "Yes").await;
    never.stage.answered_once("que_1", "Yes").await;
    assert_eq!(never.phone.sent("Go on?"), 0);

    let always = Outing::with("forward = \"always\"\n").await;
    always.stage.beckon.command(&["presence", "here"]).await;
    let card = always.ask("que_1", "Go on?").await;
    always.phone.tap(card.id, "Yes").await;
    always.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn here_the_phone_is_silent_and_at_the_moment_of_leaving_it_is_told_in_order() {
    let outing = Outing::start().await;
    outing.stage.beckon.command(&["presence", "here"]).await;
    for id in ["que_3", "que_1", "que_2"] {
        outing.begin(id, &format!("What of {id}?")).await;
        outing.stage.shown(&format!("What of {id}?")).await;
    }
    assert_eq!(outing.phone.sent("What of"), 0);
    outing.stage.beckon.command(&["presence", "away"]).await;
    outing.phone.card("What of que_2?").await;
    let cards = outing.phone.open_cards();
    let order = ["que_3", "que_1", "que_2"];
    assert!(
        cards
            .iter()
            .zip(order)
            .all(|(card, id)| card.text.contains(id)),
        "{cards:?}"
    );
    assert!(!cards[0].silent);
    for card in cards {
        outing.phone.tap(card.id, "Yes").await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_quiet_hours_cards_come_without_a_sound() {
    let outing = Outing::with("[escalation]\nquiet_hours = \"00:00-23:59\"\n").await;
    if is_loud_minute() {
        return;
    }
    let card = outing.ask("que_1", "Go on?").await;
    assert!(card.silent);
    outing.phone.tap(card.id, "Yes").await;
    outing.nothing_left().await;
}

/// Tells whether this is the one minute that is not quiet. Tests run in UTC.
fn is_loud_minute() -> bool {
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    (now.as_secs() / 60) % 1_440 >= 1_438
}

#[tokio::test(flavor = "multi_thread")]
async fn it_reminds_beneath_the_card_and_warns_before_it_rejects() {
    let settings = "[escalation]\nremind = \"2s\"\n[questions]\nexpire_after = \"6s\"\n";
    let outing = Outing::with(settings).await;
    let phone = &outing.phone;
    let card = outing.ask("que_1", "Go on?").await;
    let reminder = phone.says("Still waiting after").await;
    assert_eq!((reminder.reply_to, reminder.silent), (Some(card.id), false));
    phone.shows(card.id, "⌛ Expires at").await;
    phone.ended(card.id, "⌛ Expired after").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert!(replies[0].rejected, "{replies:?}");
    outing.nothing_left().await;
    assert_eq!(
        phone
            .telegram
            .messages(phone.chat)
            .iter()
            .filter(|m| m.text.contains("xpires"))
            .count(),
        1
    );
}

/// Starts a Beckon that sends everything to its phone and is told of sleep.
async fn beside_logind() -> (Bus, Logind, Outing) {
    let system = Bus::start();
    let logind = Logind::start(&system);
    let phone = Phone::new();
    let config = format!("{}forward = \"always\"\n", phone.config());
    let stage = common::Rehearsal::with(&config, |program| {
        Phone::knows_token(program).env("DBUS_SYSTEM_BUS_ADDRESS", system.address())
    });
    let outing = Outing::of(stage, phone);
    outing.stage.beckon.start();
    outing.stage.ready().await;
    logind.wait_watched().await;
    outing.phone.pair(&outing.stage.beckon).await;
    (system, logind, outing)
}

/// The connections died while the machine slept, and nothing reports that.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_sleep_it_begins_with_new_connections() {
    let (_system, logind, outing) = beside_logind().await;
    let card = outing.ask("que_1", "Before?").await;

    logind.prepare_for_sleep(true);
    wait_presence(&outing.stage.beckon, "asleep").await;
    // The poll, the first edit and the first message are lost on the dead connections.
    outing
        .phone
        .telegram
        .fail(Method::GetUpdates, 1, Fault::Hang);
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::Hang);
    outing
        .phone
        .telegram
        .text(outing.phone.user, outing.phone.chat, "/help");
    outing.phone.spoilt(Method::GetUpdates).await;
    outing.begin_with(yes_or_no("que_2", "After?")).await;
    outing.phone.spoilt(Method::SendMessage).await;
    outing.phone.tap(card.id, "Yes").await;
    logind.prepare_for_sleep(false);

    let woken = std::time::Instant::now();
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    let after = outing.phone.card("After?").await;
    assert!(
        woken.elapsed() < std::time::Duration::from_secs(10),
        "{:?}",
        woken.elapsed()
    );
    outing.phone.tap(after.id, "No").await;
    outing.nothing_left().await;
}

/// A message is on its way at the moment when the machine wakes and the connections are made anew.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_on_its_way_while_the_machine_wakes_is_sent_once() {
    let (_system, logind, outing) = beside_logind().await;
    logind.prepare_for_sleep(true);
    wait_presence(&outing.stage.beckon, "asleep").await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenLate(1_000));
    outing.begin_with(yes_or_no("que_1", "Once?")).await;
    let card = outing.phone.card("Once?").await;
    logind.prepare_for_sleep(false);
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
    let messages = outing.phone.telegram.history(outing.phone.chat);
    let cards = messages
        .iter()
        .filter(|message| message.text.contains("Once?"))
        .count();
    assert_eq!(cards, 1, "{messages:#?}");
}

async fn wait_presence(beckon: &Beckon, state: &str) {
    eventually(&format!("presence is {state}"), SOON, async || {
        (beckon.status().await["presence"]["state"] == state).then_some(())
    })
    .await;
}

fn forum(outing: &Outing) -> ChatId {
    let group = Group {
        privacy_mode: true,
        topics: true,
    };
    outing.phone.telegram.group(&[outing.phone.user], group)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_whose_general_is_closed_is_said_to_refuse_and_is_not_asked_without_pause() {
    let outing = Outing::start().await;
    let (telegram, user) = (&outing.phone.telegram, outing.phone.user);
    let group = forum(&outing);
    pair_group(&outing, group).await;
    let forbidden = Fault::BadRequest("not enough rights to create a topic");
    telegram.fail(Method::CreateForumTopic, 99, forbidden);
    telegram.close_topic(user, group, None);
    outing.begin("que_1", "Closed?").await;
    let own = outing.phone.card("Closed?").await;
    let beckon = &outing.stage.beckon;
    eventually("it is said", SOON, async || {
        let warnings = beckon.status().await["warnings"].to_string();
        warnings.contains("the topic is closed").then_some(())
    })
    .await;
    let doctor = beckon.command(&["doctor"]).await.stdout;
    assert!(doctor.contains("the topic is closed"), "{doctor}");
    let asked = || {
        let sends = telegram.calls_of(Method::SendMessage).into_iter();
        let here = sends.filter(|call| call.param("chat_id") == group.0.to_string());
        here.filter(|call| call.param("text").contains("Closed?"))
            .count()
    };
    assert!(asked() < 5, "{}", asked());

    telegram.reopen_topic(user, group, None);
    let card = message(telegram, group, "Closed?").await;
    telegram.tap(user, group, card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(own.id, "✅ Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_topic_is_closed_the_main_chat_serves_and_no_second_topic_is_made() {
    let outing = Outing::start().await;
    let (telegram, user) = (&outing.phone.telegram, outing.phone.user);
    let group = forum(&outing);
    pair_group(&outing, group).await;
    outing.begin("que_1", "Open?").await;
    let first = message(telegram, group, "Open?").await;
    assert!(first.thread.is_some());
    telegram.close_topic(user, group, first.thread);
    outing.begin("que_2", "Closed?").await;
    let second = message(telegram, group, "Closed?").await;
    assert_eq!(second.thread, None);
    for (id, text) in [("que_1", "Open?"), ("que_2", "Closed?")] {
        for chat in [outing.phone.chat, group] {
            let card = message(telegram, chat, text).await;
            outing.noted(id, &format!("\"message\":{}", card.id)).await;
        }
        outing.noted_on_the_desktop(id).await;
    }
    outing.restart().await;
    outing.begin("que_3", "After a restart?").await;
    let third = message(telegram, group, "After a restart?").await;
    assert_eq!(third.thread, None);
    assert_eq!(telegram.count_of(Method::CreateForumTopic), 1);
    for card in [first, second, third] {
        telegram.tap(user, group, card.id, "Yes");
    }
    for id in ["que_1", "que_2", "que_3"] {
        outing.stage.answered_once(id, "Yes").await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_that_telegram_holds_back_is_named_with_the_time_until_which() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    telegram.fail(Method::SendMessage, 1, Fault::TooManyRequests(600));
    outing.begin("que_1", "Held back?").await;
    let beckon = &outing.stage.beckon;
    eventually("it is said", SOON, async || {
        let status = beckon.status().await;
        let said = "accepts nothing for Ada until";
        let in_warnings = status["warnings"].to_string().contains(said);
        let in_status = status["channels"]["telegram"]["troubles"].to_string();
        (in_warnings && in_status.contains(said)).then_some(())
    })
    .await;
    let doctor = beckon.command(&["doctor"]).await.stdout;
    assert!(doctor.contains("accepts nothing for Ada until"), "{doctor}");
    outing.stage.press("Held back?", "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_in_a_topic_is_answered_there() {
    let outing = Outing::start().await;
    let (telegram, user) = (&outing.phone.telegram, outing.phone.user);
    let group = forum(&outing);
    pair_group(&outing, group).await;
    outing.begin("que_1", "In a topic?").await;
    let card = message(telegram, group, "In a topic?").await;
    let topic = card.thread.unwrap();
    for (command, said) in [("/pending", "1 waiting"), ("/help", "/away")] {
        telegram.text_in(user, group, topic, command);
        let answers = |it: &beckon_support::telegram::Message| {
            it.text.contains(said) && it.thread == Some(topic)
        };
        telegram.wait_for(group, answers, SOON).await;
    }
    telegram.tap(user, group, card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anonymous_admin_is_told_to_send_it_as_themselves() {
    let outing = Outing::start().await;
    let (telegram, user) = (&outing.phone.telegram, outing.phone.user);
    let group = plain(&outing);
    let code = pairing_code(&outing.stage.beckon).await;
    telegram.text_anonymously(user, group, None, "/start a-guess");
    telegram.text_anonymously(user, group, None, &format!("/start {code}"));
    message(telegram, group, "it no longer works").await;
    assert_eq!(telegram.messages(group).len(), 1, "a guess is told nothing");
    assert_eq!(outing.status().await["pairing_exposed"], true);
    telegram.text(user, group, &format!("/start {code}"));
    telegram.wait_confirmed(SOON).await;
    assert_eq!(outing.status().await["paired"], 1, "others could read it");
    pair_group(&outing, group).await;
    assert_eq!(outing.status().await["pairing_exposed"], false);
    telegram.text_anonymously(user, group, None, "/status");
    message(telegram, group, "as an anonymous admin").await;
    outing.begin("que_1", "Go on?").await;
    let card = message(telegram, group, "Go on?").await;
    telegram.text_anonymously(user, group, Some(card.id), "1");
    eventually("it is told again", SOON, async || {
        let said = telegram.messages(group);
        let told = said.iter().filter(|it| it.text.contains("anonymous admin"));
        (told.count() == 2).then_some(())
    })
    .await;
    telegram.tap(user, group, card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_without_anybody_who_may_answer_gets_nothing_more() {
    let outing = Outing::start().await;
    let (telegram, user) = (&outing.phone.telegram, outing.phone.user);
    let group = plain(&outing);
    pair_group(&outing, group).await;
    outing.begin("que_1", "Before?").await;
    let before = message(telegram, group, "Before?").await;
    let unpair = ["telegram", "unpair", &user.0.to_string()];
    let unpaired = outing.stage.beckon.command(&unpair).await;
    assert!(unpaired.stdout.contains("Nobody is left"), "{unpaired:?}");
    message(telegram, group, "Nobody who may answer is paired").await;
    ended_in(telegram, group, before.id, "not paired any more").await;
    outing.begin("que_2", "Afterwards?").await;
    outing.stage.shown("Afterwards?").await;
    pair_group_again(&outing, group).await;
    message(telegram, group, "Afterwards?").await;
    for text in ["Before?", "Afterwards?"] {
        outing.stage.press(text, "Yes").await;
    }
    outing.nothing_left().await;
}

async fn pair_group_again(outing: &Outing, group: ChatId) {
    let code = pairing_code(&outing.stage.beckon).await;
    let user = outing.phone.user;
    let telegram = &outing.phone.telegram;
    assert!(
        !telegram
            .messages(group)
            .iter()
            .any(|it| it.text.contains("Afterwards?"))
    );
    telegram.text(user, group, &format!("/start {code}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_unpaired_while_telegram_is_out_of_reach_keeps_no_live_card() {
    let mut outing = Outing::start().await;
    let (bob, bobs) = pair(&outing, "Bob").await;
    let own = outing.ask("que_1", "Go on?").await;
    let telegram = &outing.phone.telegram;
    let card = message(telegram, bobs, "Go on?").await;
    outing
        .noted("que_1", &format!("\"message\":{}", card.id))
        .await;
    outing.phone.telegram.down();
    let unpair = ["telegram", "unpair", &bob.0.to_string()];
    let unpaired = outing.stage.beckon.command(&unpair).await;
    assert_eq!(unpaired.status, Some(0), "{unpaired:?}");
    outing.stage.beckon.kill9();
    outing.phone.telegram.up();
    outing.stage.beckon.start();
    outing.stage.ready().await;
    let telegram = &outing.phone.telegram;
    ended_in(telegram, bobs, card.id, "not paired any more").await;
    outing.phone.tap(own.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
    let left = telegram.message(bobs, card.id).unwrap();
    assert!(!left.text.contains("Yes"), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_private_word_of_who_is_paired_in_the_group_opens_their_own_chat() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let bob = telegram.user("Bob");
    let group = telegram.group(&[outing.phone.user, bob], Group::default());
    let code = pairing_code(&outing.stage.beckon).await;
    telegram.text(bob, group, &format!("/start {code}"));
    message(telegram, group, "Paired with").await;
    outing.begin("que_1", "Go on?").await;
    message(telegram, group, "Go on?").await;
    telegram.start_link(bob, "hello");
    let card = message(telegram, bob.into(), "Go on?").await;
    telegram.tap(bob, bob.into(), card.id, "Yes");
    outing.stage.answered_once("que_1", "Yes").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_group_the_field_opens_for_who_asked_to_write_alone_and_without_a_sound() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let (bob, _) = pair(&outing, "Bob").await;
    let group = telegram.group(&[outing.phone.user, bob], Group::default());
    pair_group(&outing, group).await;
    outing.begin("que_1", "Which name?").await;
    let card = message(telegram, group, "Which name?").await;
    telegram.tap(bob, group, card.id, "✏️ Write my own");
    let prompt = message(telegram, group, "Your answer to").await;
    assert!(prompt.silent && prompt.forces_reply_of(bob), "{prompt:?}");
    assert!(!prompt.forces_reply_of(outing.phone.user), "{prompt:?}");
    telegram.reply(bob, group, prompt.id, "beckon");
    outing.stage.answered_once("que_1", "beckon").await;
    outing.nothing_left().await;
}
