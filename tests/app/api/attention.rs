//! Tests of asks that were seen or snoozed. A choice made in one place holds for the notification,
//! the phone, the lists and the next start.

use crate::common::phone::Outing;
use crate::common::{Rehearsal, SOON};
use beckon_support::eventually;
use serde_json::{Value, json};

async fn listed(stage: &Rehearsal, id: &str) -> Value {
    let list = stage.beckon.list().await;
    list.into_iter()
        .find(|ask| ask["id"] == id)
        .expect("it is on the list")
}

async fn open(stage: &Rehearsal) -> Value {
    stage.beckon.status().await["open"].clone()
}

async fn no_card(stage: &Rehearsal) {
    eventually("the notification goes", SOON, async || {
        stage.daemon.open().is_empty().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_seen_leaves_the_desktop_and_can_be_answered_all_the_same() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    let seen = stage.beckon.command(&["seen", "que_1"]).await;
    assert_eq!(seen.status, Some(0), "{seen:?}");
    assert!(seen.stdout.contains("Seen"), "{seen:?}");
    no_card(&stage).await;
    assert_eq!(
        listed(&stage, "que_1").await["set_aside"],
        json!({ "is": "seen" })
    );
    assert_eq!(open(&stage).await, 1, "it still waits");
    let answered = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1"])
        .await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snooze_rings_again_at_its_end_and_outlives_a_restart() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    let snoozed = stage
        .beckon
        .command(&["snooze", "que_1", "5s", "--json"])
        .await
        .json();
    let until = snoozed["set_aside"]["until"].as_i64().unwrap();
    no_card(&stage).await;
    assert_eq!(open(&stage).await, 0, "it isn't counted");
    stage.beckon.kill9();
    stage.beckon.start();
    stage.ready().await;
    assert_eq!(listed(&stage, "que_1").await["set_aside"]["until"], until);
    let shown = stage.shown("Go on?").await;
    let rang_at = jiff::Timestamp::now().as_millisecond();
    assert!(rang_at >= until, "{rang_at} is before {until}");
    assert_eq!(listed(&stage, "que_1").await["set_aside"], Value::Null);
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snooze_that_is_taken_back_rings_at_once() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage
        .beckon
        .command(&["snooze", "que_1", "--until-back"])
        .await;
    no_card(&stage).await;
    // Nothing reports here that the human is back, so the snooze ends after an hour.
    let aside = listed(&stage, "que_1").await["set_aside"].clone();
    assert!(
        aside["is"] == "snoozed" && aside["until"].is_i64(),
        "{aside}"
    );
    let text = stage.beckon.command(&["list"]).await.stdout;
    assert!(text.contains("Snoozed until "), "{text}");
    stage.beckon.command(&["snooze", "que_1", "--end"]).await;
    stage.press("Go on?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_card_on_the_phone_says_so() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.beckon.command(&["seen", "que_1"]).await;
    outing.phone.shows(card.id, "Seen: no more reminders").await;
    outing
        .stage
        .beckon
        .command(&["seen", "que_1", "--undo"])
        .await;
    eventually("it says so no more", SOON, async || {
        let now = outing.phone.telegram.message(outing.phone.chat, card.id)?;
        (!now.text.contains("Seen")).then_some(())
    })
    .await;
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused_with_the_reason() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    let endpoint = stage.beckon.endpoint().unwrap();
    let address = format!("{}/attention/que_1", endpoint["url"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let status = async |body: Value| {
        let token = endpoint["token"].as_str().unwrap();
        let sent = client
            .post(&address)
            .bearer_auth(token)
            .json(&body)
            .send()
            .await
            .unwrap();
        let (code, problem) = (sent.status().as_u16(), sent.json::<Value>().await.unwrap());
        (
            code,
            problem["message"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let (code, why) = status(json!({ "is": "seen", "for": "5m" })).await;
    assert_eq!((code, why.as_str()), (400, "Only `snoozed` takes a time."));
    assert_eq!(
        status(json!({ "is": "snoozed", "for": "soon" })).await.0,
        400
    );
    assert_eq!(
        status(json!({ "is": "snoozed", "for": "5m", "until": 1 }))
            .await
            .0,
        400
    );
    assert_eq!(status(json!({ "is": "later" })).await.0, 400);
    assert_eq!(
        status(json!({ "is": "seen", "seen": "AAAAAAAAAA" }))
            .await
            .0,
        409
    );
    assert_eq!(listed(&stage, "que_1").await["set_aside"], Value::Null);
    let nobody = stage.beckon.command(&["seen", "que_9"]).await;
    assert_eq!(nobody.status, Some(1), "{nobody:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn eyes_on_a_card_say_that_it_was_seen_and_no_other_reaction_says_anything() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    let react = |emoji| {
        let phone = &outing.phone;
        phone.telegram.react(phone.user, phone.chat, card.id, emoji);
    };
    react(Some("👍"));
    react(Some("👀"));
    outing.phone.shows(card.id, "Seen: no more reminders").await;
    no_card(&outing.stage).await;
    assert_eq!(
        listed(&outing.stage, "que_1").await["set_aside"],
        json!({ "is": "seen" })
    );
    react(None);
    let shown = outing.stage.shown("Go on?").await;
    assert_eq!(
        listed(&outing.stage, "que_1").await["set_aside"],
        Value::Null
    );
    outing
        .stage
        .daemon
        .press(shown.id, shown.action("Yes").unwrap());
    outing.phone.ended(card.id, "✅ Yes").await;
    assert_eq!(outing.phone.telegram.complaints(), Vec::<String>::new());
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn eyes_on_a_card_while_beckon_is_off_count_when_it_runs_again() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing
        .noted("que_1", &format!("\"message\":{}", card.id))
        .await;
    outing.stage.beckon.kill9();
    let phone = &outing.phone;
    phone
        .telegram
        .react(phone.user, phone.chat, card.id, Some("👀"));
    outing.stage.beckon.start();
    phone.shows(card.id, "Seen: no more reminders").await;
    assert_eq!(
        listed(&outing.stage, "que_1").await["set_aside"],
        json!({ "is": "seen" })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_eyes_on_a_card_say_nothing() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    let (phone, telegram) = (&outing.phone, &outing.phone.telegram);
    let stranger = json!({ "id": 999, "is_bot": false, "first_name": "Mallory" });
    let emoji = json!([{ "type": "emoji", "emoji": "👀" }]);
    let body = json!({ "chat": { "id": phone.chat.0, "type": "private", "first_name": "A" },
        "message_id": card.id, "user": stranger, "date": 1, "old_reaction": [],
        "new_reaction": emoji });
    telegram.push_update("message_reaction", &body);
    phone.tap(card.id, "Yes").await;
    phone.ended(card.id, "✅ Yes · by you").await;
    let said = phone
        .telegram
        .calls_of(beckon_support::telegram::Method::EditMessageText);
    let seen = said
        .iter()
        .filter(|call| call.param("text").contains("Seen"));
    assert_eq!(seen.count(), 0);
    outing.nothing_left().await;
}
