//! Tests in which the power is cut at each step of an ask's life, and Beckon starts with what had
//! reached the disk: an accepted answer is delivered, no old button answers a new ask, and a paired
//! person stays paired.

use crate::common::phone::{self, Outing, Phone, set};
use crate::common::{Rehearsal, SOON};
use beckon_support::eventually;
use beckon_support::replay::OnReply;
use serde_json::json;
use std::collections::BTreeSet;

/// Starts Beckon with a paired phone, on a disk whose power can be cut.
async fn outing() -> Outing {
    let phone = Phone::new();
    let cuttable = |program| Phone::knows_token(program).cuttable();
    let stage = Rehearsal::with(&phone.config(), cuttable);
    let outing = Outing::of(stage, phone);
    outing.stage.beckon.start();
    outing.stage.ready().await;
    outing.phone.pair(&outing.stage.beckon).await;
    outing.phone.telegram.wait_polled(SOON).await;
    outing
}

/// Starts Beckon when the power is back.
async fn back(outing: &Outing) {
    outing.stage.beckon.start();
    outing.stage.ready().await;
    outing.phone.telegram.wait_polled(SOON).await;
}

async fn cut(outing: &Outing) {
    outing.stage.beckon.cut_power();
    back(outing).await;
}

/// Checks that the agent was told this answer once, and that nothing waits any more. Notifications
/// from before the cut belong to nobody: their daemon would have gone with the power, too.
async fn taken(outing: &Outing, id: &str, label: &str) {
    let replies = outing.stage.replies(id, 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [[label]] }));
    eventually("an empty list", SOON, async || {
        outing.stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
    assert_eq!(outing.stage.replies(id, 1).await.len(), 1);
    assert_eq!(outing.stage.replay.open_ids(), Vec::<String>::new());
}

/// Asks and answers one question. With that answer, all that was written before it is on the disk.
async fn answered(outing: &Outing, id: &str, text: &str) -> i64 {
    let card = outing.ask(id, text).await;
    outing.phone.tap(card.id, "Yes").await;
    taken(outing, id, "Yes").await;
    card.id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_from_before_the_cut_never_answers_what_was_asked_after_it() {
    let outing = outing().await;
    answered(&outing, "que_0", "Before?").await;
    let old = outing.ask("que_1", "List the files?").await;
    let yes = phone::data(&old, "Yes");
    outing.stage.beckon.cut_power();
    // The agent ran on the same machine, and its question is gone.
    outing.stage.replay.withdraw("que_1");
    back(&outing).await;
    let new = outing.ask("que_2", "Remove all of them?").await;
    let (user, chat) = (outing.phone.user, outing.phone.chat);
    let tap = outing.phone.telegram.tap_data(user, chat, old.id, &yes);
    let answer = outing.phone.answer_to(&tap).await;
    assert!(
        answer.starts_with("👻 The agent has stopped waiting · "),
        "{answer}"
    );
    outing.phone.tap(new.id, "No").await;
    taken(&outing, "que_2", "No").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_number_of_an_ask_is_used_twice_whenever_the_power_fails() {
    let outing = outing().await;
    let mut numbers = BTreeSet::new();
    for n in 0..3 {
        let card = outing
            .ask(&format!("que_{n}"), &format!("Number {n}?"))
            .await;
        let data = phone::data(&card, "Yes");
        numbers.insert(data.split('.').nth(1).unwrap().to_owned());
        outing.stage.beckon.cut_power();
        outing.stage.replay.withdraw(&format!("que_{n}"));
        back(&outing).await;
    }
    assert_eq!(numbers.len(), 3, "{numbers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_paired_stays_paired_and_who_is_not_any_more_stays_out() {
    let outing = outing().await;
    cut(&outing).await;
    assert_eq!(outing.status().await["paired"], 1);
    let id = outing.phone.user.0.to_string();
    let unpaired = outing
        .stage
        .beckon
        .command(&["telegram", "unpair", &id])
        .await;
    assert_eq!(unpaired.status, Some(0), "{unpaired:?}");
    cut(&outing).await;
    assert_eq!(outing.status().await["paired"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_of_presence_holds() {
    let outing = outing().await;
    let said = outing.stage.beckon.command(&["presence", "away"]).await;
    assert_eq!(said.status, Some(0), "{said:?}");
    cut(&outing).await;
    assert_eq!(
        outing.stage.beckon.status().await["presence"]["override"],
        "away"
    );
}

/// The message's place is on the disk, so that the message does not stay there for ever beside a
/// second one.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_was_shown_goes_on_with_the_same_message() {
    let outing = outing().await;
    let card = outing.ask("que_1", "Go on?").await;
    cut(&outing).await;
    outing.phone.tap(card.id, "Yes").await;
    taken(&outing, "que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    assert_eq!(outing.phone.sent("Go on?"), 1, "no second message");
}

/// Asks a question with two choices, of which several may be taken; returns its card.
async fn which_ones(outing: &Outing) -> i64 {
    let mut request = set("que_1", &["Which ones?"]);
    request["questions"][0]["multiple"] = json!(true);
    outing.ask_with(request, "Which ones?").await.id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_goes_on_where_it_was() {
    let outing = outing().await;
    let card = which_ones(&outing).await;
    outing.phone.tap(card, "☐ A").await;
    outing.phone.shows(card, "So far: A").await;
    cut(&outing).await;
    outing.phone.tap(card, "☐ B").await;
    outing.phone.shows(card, "So far: A, B").await;
    outing.phone.tap(card, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body["answers"], json!([["A", "B"]]));
}

/// The phone shows what it showed before: a human who presses "Send" there has not noticed the
/// power cut.
#[tokio::test(flavor = "multi_thread")]
async fn send_sends_what_the_card_says_although_the_power_failed_before_it() {
    let outing = outing().await;
    let card = which_ones(&outing).await;
    outing.phone.tap(card, "☐ A").await;
    outing.phone.shows(card, "So far: A").await;
    // The choices so far reach the disk together with this answer.
    let other = outing.ask("que_0", "Another?").await;
    outing.phone.tap(other.id, "Yes").await;
    outing.stage.replies("que_0", 1).await;
    outing.phone.tap(card, "☐ B").await;
    outing.phone.shows(card, "So far: A, B").await;
    outing.phone.telegram.wait_confirmed(SOON).await;
    outing.stage.beckon.cut_power();
    outing.phone.tap(card, "Send").await;
    back(&outing).await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body["answers"], json!([["A", "B"]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_answer_is_delivered() {
    let mut outing = outing().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.replay.down();
    outing.phone.tap(card.id, "No").await;
    outing.stage.wait_state("que_1", "answering").await;
    outing.stage.beckon.cut_power();
    assert_eq!(outing.stage.replay.replies().len(), 0);
    outing.stage.replay.up();
    back(&outing).await;
    taken(&outing, "que_1", "No").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_agent_has_not_taken_is_sent_again() {
    let outing = outing().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.replay.on_reply(OnReply::Hang);
    outing.phone.tap(card.id, "No").await;
    outing.stage.replies("que_1", 1).await;
    outing.stage.beckon.cut_power();
    outing.stage.replay.on_reply(OnReply::Confirm);
    back(&outing).await;
    let replies = outing.stage.replies("que_1", 2).await;
    assert_eq!(replies[0].body, replies[1].body);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_settled_is_not_answered_again_and_its_old_card_says_how_it_ended() {
    let outing = outing().await;
    let card = outing.ask("que_1", "Go on?").await;
    let data = phone::data(&card, "No");
    outing.phone.tap(card.id, "Yes").await;
    taken(&outing, "que_1", "Yes").await;
    cut(&outing).await;
    outing
        .phone
        .telegram
        .tap_data(outing.phone.user, outing.phone.chat, card.id, &data);
    outing.phone.told("Already answered").await;
    assert_eq!(outing.stage.replay.replies().len(), 1);
}
