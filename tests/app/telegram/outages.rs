//! Tests of a Telegram that is away, slow or strict: asks stay answerable on the desktop, and cards
//! arrive afterwards in the order of their asks, without those that have ended meanwhile.

use crate::common::phone::{Outing, set};
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::replay::frame;
use beckon_support::telegram::{Call, Fault, Message, Method};
use serde_json::json;
use std::time::{Duration, Instant};

/// The ids in the order of asking, which is not their own order.
const ASKED: [&str; 5] = ["que_9", "que_3", "que_7", "que_1", "que_5"];

fn text(id: &str) -> String {
    format!("What of {id}?")
}

/// Asks five; the second is answered on the desktop, the fourth ends at its source.
async fn five_asked_and_two_settled(outing: &Outing) {
    for id in ASKED {
        outing.begin(id, &text(id)).await;
        outing.stage.shown(&text(id)).await;
    }
    outing.stage.press(&text("que_3"), "Yes").await;
    outing.stage.replies("que_3", 1).await;
    replied_elsewhere(outing, "que_1").await;
    eventually("three are left", SOON, async || {
        (outing.stage.beckon.list().await.len() == 3).then_some(())
    })
    .await;
}

async fn replied_elsewhere(outing: &Outing, id: &str) {
    outing.stage.replay.withdraw(id);
    let properties = json!({ "sessionID": SESSION, "requestID": id, "answers": [["No"]] });
    outing
        .stage
        .replay
        .send(&frame(Some(DIRECTORY), "question.replied", properties))
        .await;
}

/// Checks that the three remaining ones came in order and once, and the others never.
async fn three_arrive(outing: &Outing) {
    for id in ["que_9", "que_7", "que_5"] {
        outing.phone.card(&text(id)).await;
    }
    let cards = outing.phone.open_cards();
    let order: Vec<bool> = cards
        .iter()
        .zip(["que_9", "que_7", "que_5"])
        .map(|(c, id)| c.text.contains(&text(id)))
        .collect();
    assert_eq!(order, [true; 3], "{cards:?}");
    let sends = outing.phone.telegram.calls_of(Method::SendMessage);
    let never = |call: &&Call| {
        ["que_3", "que_1"]
            .iter()
            .any(|id| call.param("text").contains(&text(id)))
            && call.is_done()
    };
    assert_eq!(
        sends.iter().filter(never).count(),
        0,
        "what has ended is not sent"
    );
    for card in cards {
        outing.phone.tap(card.id, "Yes").await;
        outing.phone.ended(card.id, "✅ Yes · by you").await;
    }
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn away_for_ten_minutes_and_back_what_is_open_arrives_in_order() {
    let mut outing = Outing::start().await;
    outing.phone.telegram.enforce_rates(true);
    outing.phone.telegram.down();
    outing.wait_status("down", "cannot be reached").await;
    five_asked_and_two_settled(&outing).await;
    outing.phone.telegram.advance(Duration::from_secs(600));
    outing.phone.telegram.up();
    outing.wait_status("works", "").await;
    three_arrive(&outing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restarted_while_telegram_is_away_the_order_is_still_that_of_asking() {
    let mut outing = Outing::start().await;
    outing.phone.telegram.enforce_rates(true);
    outing.phone.telegram.down();
    five_asked_and_two_settled(&outing).await;
    outing.stage.beckon.kill9();
    outing.stage.beckon.start();
    outing.stage.ready().await;
    outing.stage.shown(&text("que_5")).await;
    outing.phone.telegram.up();
    three_arrive(&outing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_that_says_502_is_waited_out() {
    let outing = Outing::start().await;
    outing.phone.telegram.enforce_rates(true);
    outing
        .phone
        .telegram
        .fail_next(1_000, Fault::ServerError(502));
    outing
        .phone
        .telegram
        .text(outing.phone.user, outing.phone.chat, "/help");
    outing.wait_status("down", "having problems (502)").await;
    five_asked_and_two_settled(&outing).await;
    let before = outing.phone.telegram.calls().len();
    assert!(before < 40, "it does not knock without end: {before}");
    outing.phone.telegram.heal();
    outing.wait_status("works", "").await;
    three_arrive(&outing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hangs_holds_up_nobody_at_the_desk() {
    let outing = Outing::start().await;
    outing.phone.telegram.enforce_rates(true);
    outing.phone.telegram.fail_next(1_000, Fault::Hang);
    let begun = Instant::now();
    five_asked_and_two_settled(&outing).await;
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    outing.phone.telegram.heal();
    three_arrive(&outing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_never_arrived_is_asked_for_again_and_words_count() {
    let outing = Outing::start().await;
    let pressed = outing.ask("que_1", "Pressed?").await;
    let written = outing.ask("que_2", "Written?").await;
    outing.stage.beckon.kill9();
    outing.phone.tap(pressed.id, "Yes").await;
    outing.phone.reply(written.id, "2");
    outing.phone.telegram.advance(Duration::from_secs(151));
    outing.stage.beckon.start();
    outing
        .phone
        .shows(pressed.id, "If you tapped a button, tap it again")
        .await;
    outing.stage.replies("que_2", 1).await;
    outing.phone.ended(written.id, "✅ No · by you").await;
    assert_eq!(
        outing.stage.state_of("que_1").await.as_deref(),
        Some("open")
    );
    outing.phone.tap(pressed.id, "Yes").await;
    outing.phone.ended(pressed.id, "✅ Yes · by you").await;
    outing.stage.nothing_left().await;
    outing.no_rows().await;
    assert_eq!(outing.phone.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn asks_that_come_all_at_once_arrive_in_order_and_are_answered_meanwhile() {
    let outing = Outing::start().await;
    outing.phone.telegram.enforce_rates(true);
    burst(&outing, 12).await;
    assert_eq!(refusals(&outing), 0);
}

/// Telegram does not say how long a burst it lets through.
#[tokio::test(flavor = "multi_thread")]
async fn where_a_burst_is_too_long_the_rest_comes_more_slowly_and_in_order() {
    let outing = Outing::start().await;
    outing.phone.telegram.enforce_rates(true);
    outing.phone.telegram.limit_bursts(3);
    burst(&outing, 12).await;
    assert_eq!(refusals(&outing), 1, "it learns from the first 429");
}

/// Telegram's limits would make that take a minute and a half; here they hold for a tenth of the
/// time, on both sides.
#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_asks_within_a_second_all_arrive_as_they_are_answered() {
    let outing = Outing::hurried(10).await;
    outing.phone.telegram.enforce_rates(true);
    burst(&outing, 100).await;
    assert_eq!(refusals(&outing), 0);
}

/// Asks all at once, and answers one after another from the phone while the others arrive.
async fn burst(outing: &Outing, count: usize) {
    let phone = &outing.phone;
    for n in 0..count {
        outing
            .begin(&format!("que_{n:03}"), &format!("Number {n:03}?"))
            .await;
    }
    let patient = Duration::from_secs(20 + 2 * count as u64);
    for n in 0..count {
        let named = format!("Number {n:03}?");
        let wanted = |card: &Message| card.text.contains(&named) && card.button("Yes").is_some();
        let card = phone.telegram.wait_for(phone.chat, wanted, patient).await;
        let tapped = Instant::now();
        phone.telegram.tap(phone.user, phone.chat, card.id, "Yes");
        outing.stage.replies(&format!("que_{n:03}"), 1).await;
        assert!(
            tapped.elapsed() < Duration::from_secs(1),
            "{:?}",
            tapped.elapsed()
        );
        phone.ended(card.id, "✅ Yes · by you").await;
        // The limits leave room for the answer, unless Telegram asked for a pause.
        assert!(
            tapped.elapsed() < Duration::from_millis(3_500),
            "{:?}",
            tapped.elapsed()
        );
    }
    let sent: Vec<String> = phone
        .telegram
        .messages(phone.chat)
        .into_iter()
        .map(|m| m.text)
        .collect();
    let number = |text: &String| {
        text.split("Number ")
            .nth(1)
            .map(|rest| rest[..3].to_owned())
    };
    let numbers: Vec<String> = sent.iter().filter_map(number).collect();
    assert_eq!(
        numbers,
        (0..count).map(|n| format!("{n:03}")).collect::<Vec<_>>()
    );
    assert_eq!(phone.telegram.complaints(), Vec::<String>::new());
}

/// Returns how often Telegram has refused to take a message.
fn refusals(outing: &Outing) -> usize {
    let refused = |call: &Call| !call.is_done() && call.method != Method::GetUpdates;
    outing
        .phone
        .telegram
        .calls()
        .iter()
        .filter(|call| refused(call))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_asks_that_come_and_go_while_telegram_is_away_leave_nothing() {
    let mut outing = Outing::start().await;
    outing.phone.telegram.down();
    let mut before = 0;
    for hundred in 0..10 {
        for n in 0..100 {
            come_and_go(&outing, hundred * 100 + n).await;
        }
        // The question is asked after all others, so those are over when it is answered.
        let (id, text) = (format!("que_end_{hundred}"), format!("Hundred {hundred}?"));
        outing.begin(&id, &text).await;
        outing.stage.press(&text, "Yes").await;
        outing.stage.replies(&id, 1).await;
        if hundred == 4 {
            before = outing.stage.beckon.resident_kib();
        }
    }
    let grown = outing.stage.beckon.resident_kib().saturating_sub(before);
    assert!(grown < 3_000, "the second half has grown by {grown} kB");
    outing.phone.telegram.up();
    let card = outing
        .ask_with(set("que_last", &["The last?"]), "The last?")
        .await;
    let messages = outing.phone.telegram.messages(outing.phone.chat);
    assert_eq!(messages.len(), 2, "a greeting, a card: {messages:?}");
    outing.phone.tap(card.id, "A").await;
    outing.phone.ended(card.id, "✅ A · by you").await;
    outing.nothing_left().await;
}

async fn come_and_go(outing: &Outing, n: usize) {
    let id = format!("que_{n}");
    outing.begin(&id, &text(&id)).await;
    replied_elsewhere(outing, &id).await;
}
