//! Tests of what Telegram itself can respond instead of yes: each is handled, explained where a
//! person can help, and forgotten when it is over.

use crate::common::phone::{Outing, data, message, pairing_code, set};
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::replay::{Kind, OnReply, permission};
use beckon_support::telegram::{Call, Fault, Group, Message, Method, Outcome};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_revoked_is_said_and_comes_back_with_what_is_open_only() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Before?").await;
    let over = outing.ask("que_2", "Over meanwhile?").await;
    outing.phone.telegram.revoke_token(true);
    outing
        .phone
        .telegram
        .text(outing.phone.user, outing.phone.chat, "hello");
    outing.wait_status("down", "the token is refused").await;
    outing.begin("que_3", "Meanwhile?").await;
    outing.stage.press("Over meanwhile?", "No").await;
    outing.stage.replies("que_2", 1).await;
    outing.begin("que_4", "Asked and gone?").await;
    outing.stage.press("Asked and gone?", "No").await;
    outing.stage.replies("que_4", 1).await;

    outing.phone.telegram.revoke_token(false);
    outing.reload().await;
    outing.wait_status("works", "").await;
    outing.phone.ended(over.id, "✅ No · on the desktop").await;
    let meanwhile = outing.phone.card("Meanwhile?").await;
    assert_eq!(outing.phone.sent("Asked and gone?"), 0);
    assert_eq!(
        outing.phone.sent("Before?"),
        1,
        "the card of before is redrawn"
    );
    for card in [card, meanwhile] {
        outing.phone.tap(card.id, "Yes").await;
        outing.phone.ended(card.id, "✅ Yes · by you").await;
    }
    outing.nothing_left().await;
}

/// Ends the poll that began before a fault was scripted.
async fn after_the_poll_under_way(outing: &Outing) {
    let phone = &outing.phone;
    phone.telegram.text(phone.user, phone.chat, "/status");
    phone.telegram.wait_confirmed(SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_an_emoji_in_a_name_takes_no_answer_along() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    let telegram = &outing.phone.telegram;
    telegram.fail(Method::GetUpdates, 1_000, Fault::HalfEmoji);
    after_the_poll_under_way(&outing).await;
    telegram.reply(outing.phone.user, outing.phone.chat, card.id, "1");
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    telegram.heal();
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_cannot_be_read_is_counted_and_what_follows_it_is_heard() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    let telegram = &outing.phone.telegram;
    telegram.fail(Method::GetUpdates, 1_000, Fault::NoDates);
    after_the_poll_under_way(&outing).await;
    telegram.text(outing.phone.user, outing.phone.chat, "lost");
    let beckon = &outing.stage.beckon;
    eventually("it is counted", SOON, async || {
        let status = beckon.status().await;
        (status["channels"]["telegram"]["unread_updates"] == 1).then_some(())
    })
    .await;
    telegram.heal();

    let said = beckon.status().await["warnings"].to_string();
    assert!(said.contains("couldn't be read"), "{said}");
    let doctor = beckon.command(&["doctor"]).await.stdout;
    assert!(
        doctor.contains("One message or tap on Telegram"),
        "{doctor}"
    );
    // Updates that are polled meanwhile are still spoiled.
    after_the_poll_under_way(&outing).await;
    telegram.reply(outing.phone.user, outing.phone.chat, card.id, "1");
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_that_polls_is_named_until_it_ends() {
    let outing = Outing::start().await;
    outing.phone.telegram.rival(true);
    outing
        .wait_status("down", "another program is using this bot")
        .await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.phone.telegram.rival(false);
    outing.wait_status("works", "").await;
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_named_and_left_alone_until_it_goes() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .set_webhook(Some("https://example.org/hook"));
    outing.wait_status("down", "has a webhook").await;
    let card = outing.ask("que_1", "Go on?").await;
    assert_eq!(
        outing.phone.telegram.calls_of(Method::DeleteWebhook).len(),
        0,
        "it is not ours"
    );
    outing.phone.telegram.set_webhook(None);
    outing.wait_status("works", "").await;
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_wait_it_waits_and_answers_what_it_can_meanwhile() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::TooManyRequests(2));
    outing
        .phone
        .telegram
        .fail(Method::GetUpdates, 1, Fault::TooManyRequests(1));
    let begun = Instant::now();
    let card = outing.ask("que_1", "Go on?").await;
    assert!(begun.elapsed() >= Duration::from_secs(2));
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_breaks_off_costs_at_most_a_second_card_and_both_work() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::Cut);
    outing.begin("que_1", "Go on?").await;
    both_cards_work(&outing).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_never_comes_costs_at_most_a_second_card_and_both_work() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendMessage, 1, Fault::DoneThenHang);
    outing.begin("que_1", "Go on?").await;
    both_cards_work(&outing).await;
}

async fn both_cards_work(outing: &Outing) {
    let stray = outing.phone.card("Go on?").await;
    let second = |card: &Message| card.text.contains("Go on?") && card.id != stray.id;
    let card = outing
        .phone
        .telegram
        .wait_for(outing.phone.chat, second, SOON)
        .await;
    outing.phone.tap(stray.id, "✏️ Write my own").await;
    outing.phone.prompt().await;
    outing.phone.shows(stray.id, "Reply with your answer").await;
    let (phone, no) = (&outing.phone, data(&card, "No"));
    phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, &no);
    outing.stage.answered_once("que_1", "No").await;
    outing.phone.ended(card.id, "✅ No · by you").await;
    outing.nothing_left().await;
    assert_eq!(outing.phone.sent("Go on?"), 2 + 1, "two cards and a prompt");
}

#[tokio::test(flavor = "multi_thread")]
async fn updates_and_edits_whose_answer_breaks_off_are_neither_lost_nor_doubled() {
    let outing = Outing::start().await;
    let mut request = set("que_1", &["Which ones?"]);
    request["questions"][0]["multiple"] = json!(true);
    let card = outing.ask_with(request, "Which ones?").await;
    outing
        .phone
        .telegram
        .fail(Method::GetUpdates, 1, Fault::Cut);
    outing
        .phone
        .telegram
        .fail(Method::EditMessageText, 1, Fault::Cut);
    outing
        .phone
        .telegram
        .fail(Method::AnswerCallbackQuery, 1, Fault::Cut);
    outing.phone.tap(card.id, "☐ A").await;
    outing.phone.shows(card.id, "So far: A").await;
    // The edit is tried again, and that is fine.
    let same = |call: &Call| matches!(&call.outcome, Outcome::Refused(400, why) if why.contains("not modified"));
    outing.phone.telegram.wait_call(same, SOON).await;
    outing.phone.tap(card.id, "☐ B").await;
    outing.phone.shows(card.id, "So far: A, B").await;
    outing.phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["A", "B"]] }));
    outing.phone.ended(card.id, "✅").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_that_is_too_old_to_be_answered_counts_all_the_same() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.stage.beckon.sigstop();
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.telegram.advance(Duration::from_secs(60));
    outing.stage.beckon.sigcont();
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.no_rows().await;
    assert_eq!(outing.phone.telegram.unanswered_taps().len(), 1);
    assert_eq!(outing.phone.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_that_is_refused_goes_as_plain_words_and_works() {
    let outing = Outing::start().await;
    let refused = Fault::BadRequest("can't parse entities: Unsupported start tag");
    outing.phone.telegram.fail(Method::SendMessage, 1, refused);
    let card = outing.ask("que_1", "Is 1 < 2 & 3?").await;
    assert!(card.entities.is_empty(), "{card:?}");
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_that_was_deleted_is_not_needed() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Which name?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let prompt = outing.phone.prompt().await;
    outing
        .phone
        .telegram
        .delete_message(outing.phone.chat, prompt.id);
    outing
        .phone
        .telegram
        .text(outing.phone.user, outing.phone.chat, "beckon & <co>");
    outing.stage.answered_once("que_1", "beckon & <co>").await;
    outing.phone.ended(card.id, "beckon & <co>").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_texts_are_cut_with_all_of_it_in_a_document_attached_once() {
    let outing = Outing::start().await;
    let labels: Vec<String> = (1..=120)
        .map(|n| format!("Choice {n} {}", "x".repeat(90)))
        .collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let text = format!("Which of these? {}", "a & b < c ".repeat(2_000));
    let request = beckon_support::replay::question("que_1", SESSION, &text, &labels);
    let card = outing.ask_with(request, "Which of these?").await;
    let document = outing
        .phone
        .telegram
        .wait_for(outing.phone.chat, has_document, SOON)
        .await;
    assert_eq!(document.reply_to, Some(card.id));
    let file = document.document.clone().unwrap();
    let file = String::from_utf8(file.bytes).unwrap();
    assert!(file.contains(&"a & b < c ".repeat(1_999)) && file.contains(labels[119]));
    outing
        .noted("que_1", &format!("\"document\":{}", document.id))
        .await;
    outing.restart().await;
    outing.phone.reply(document.id, "117");
    outing.stage.answered_once("que_1", labels[116]).await;
    outing.phone.ended(card.id, "✅").await;
    outing.nothing_left().await;
    assert_eq!(
        outing.phone.telegram.calls_of(Method::SendDocument).len(),
        1
    );
}

fn has_document(message: &Message) -> bool {
    message.document.is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_refused_costs_no_card() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendDocument, 1, Fault::BadRequest("wrong file"));
    let card = long_permission(&outing).await;
    allow_once(&outing, card.id).await;
    outing.phone.ended(card.id, "Allowed once").await;
    outing.nothing_left().await;
}

/// Taps twice, since a card that does not show everything asks once more.
async fn allow_once(outing: &Outing, card: i64) {
    outing.phone.tap(card, "Allow once…").await;
    outing.phone.tap(card, "Yes, allow once").await;
}

/// Asks for a permission whose command is too long for a card.
async fn long_permission(outing: &Outing) -> Message {
    let request = permission(
        "per_1",
        SESSION,
        &format!("rm -rf {}", "build ".repeat(2_000)),
    );
    outing
        .stage
        .replay
        .ask(Kind::Permission, DIRECTORY, request)
        .await;
    outing.phone.card("rm -rf").await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_hangs_holds_up_no_card() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendDocument, 9, Fault::Hang);
    let long = long_permission(&outing).await;
    outing.phone.spoilt(Method::SendDocument).await;
    let asked = Instant::now();
    let card = outing.ask("que_1", "Go on?").await;
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    allow_once(&outing, long.id).await;
    outing.phone.ended(long.id, "Allowed once").await;
    assert!(
        asked.elapsed() < Duration::from_secs(14),
        "{:?}",
        asked.elapsed()
    );
    outing.nothing_left().await;
    assert_eq!(
        outing.phone.telegram.calls_of(Method::SendDocument).len(),
        1
    );
}

/// A Bot API server of one's own may be behind an nginx that takes 1 MB.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_too_large_for_what_stands_in_between_is_told_on_the_card() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::SendDocument, 9, Fault::ServerError(413));
    let card = long_permission(&outing).await;
    outing
        .phone
        .shows(card.id, "the file with all of it could not be sent")
        .await;
    allow_once(&outing, card.id).await;
    outing.phone.ended(card.id, "Allowed once").await;
    outing.nothing_left().await;
    assert_eq!(
        outing.phone.telegram.calls_of(Method::SendDocument).len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_telegram_always_fails_at_holds_up_no_other() {
    let outing = Outing::start().await;
    outing
        .phone
        .telegram
        .fail(Method::EditMessageText, 9, Fault::ServerError(500));
    let first = outing
        .ask_with(set("que_1", &["First?", "Second?"]), "First?")
        .await;
    outing.phone.tap(first.id, "A").await;
    outing.phone.spoilt(Method::EditMessageText).await;
    let asked = Instant::now();
    let card = outing.ask("que_2", "Go on?").await;
    assert!(
        asked.elapsed() < Duration::from_secs(12),
        "{:?}",
        asked.elapsed()
    );
    outing.phone.telegram.heal();
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.phone.shows(first.id, "Second?").await;
    outing.phone.tap(first.id, "B").await;
    outing.phone.tap(first.id, "Send").await;
    outing.nothing_left().await;
}

/// Waits until `status` contains a warning with this text.
async fn warned(outing: &Outing, part: &str) {
    eventually(&format!("a warning of {part}"), SOON, async || {
        let warnings = outing.stage.beckon.status().await["warnings"].clone();
        let said = |warning: &Value| warning.as_str().unwrap_or_default().contains(part);
        warnings.as_array()?.iter().any(said).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_right_that_was_taken_away_is_a_warning_and_the_card_comes_when_it_is_back() {
    let outing = Outing::start().await;
    let no_right = Fault::BadRequest("not enough rights to send text messages to the chat");
    outing.phone.telegram.fail(Method::SendMessage, 3, no_right);
    outing.begin("que_1", "Go on?").await;
    warned(
        &outing,
        "Telegram refuses a card (Bad Request: not enough rights",
    )
    .await;
    outing.phone.telegram.heal();
    let card = outing.phone.card("Go on?").await;
    eventually("no warning", SOON, async || {
        (outing.stage.beckon.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_that_was_not_found_once_is_tried_again_when_a_human_asks_for_a_test() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    telegram.fail(Method::SendMessage, 1, Fault::BadRequest("chat not found"));
    outing.begin("que_1", "Go on?").await;
    outing.wait_status("works", "open it in Telegram").await;
    let test = outing.stage.beckon.prepare(&["telegram", "test"]);
    let mut test = tokio::process::Command::from(test)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let card = outing.phone.card("Go on?").await;
    outing.phone.tap(card.id, "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    test.kill().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_buttons_are_refused_comes_with_numbers() {
    let outing = Outing::start().await;
    outing.phone.telegram.fail(
        Method::SendMessage,
        3,
        Fault::BadRequest("BUTTON_DATA_INVALID"),
    );
    outing.begin("que_1", "Go on?").await;
    let card = outing.phone.says("Go on?").await;
    assert!(
        card.keyboard().is_empty() && card.text.contains("2  No"),
        "{}",
        card.text
    );
    outing.phone.reply(card.id, "2");
    outing.stage.answered_once("que_1", "No").await;
    outing.phone.ended(card.id, "✅ No · by you").await;
    outing.nothing_left().await;
}

/// Telegram's documentation: "If there are no new updates for at least a week, then identifier of
/// the next update will be chosen randomly" (<https://core.telegram.org/bots/api#update>).
#[tokio::test(flavor = "multi_thread")]
async fn after_a_quiet_week_updates_with_smaller_numbers_count() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    outing.phone.telegram.wait_confirmed(SOON).await;
    outing.phone.telegram.renumber(300_000_000);
    outing.phone.tap(card.id, "Yes").await;
    outing.stage.answered_once("que_1", "Yes").await;
    outing.phone.ended(card.id, "✅ Yes · by you").await;
    outing.phone.taps_answered().await;
    let next = outing.ask("que_2", "And now?").await;
    outing.restart().await;
    outing.phone.reply(next.id, "2");
    outing.stage.answered_once("que_2", "No").await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_to_a_card_that_has_ended_are_told_what_was_answered() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let done = outing
        .ask_with(named("que_1", "Done?", &["<b>One</b> & two", "B"]), "Done?")
        .await;
    phone.tap(done.id, "<b>One</b> & two").await;
    phone.ended(done.id, "✅").await;
    phone.reply(done.id, "2");
    phone
        .says("Already answered: <b>One</b> & two, by you at")
        .await;
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_answer_nothing_on_the_page_are_told_so_and_change_nothing() {
    let outing = Outing::start().await;
    let phone = &outing.phone;
    let card = outing
        .ask_with(set("que_2", &["First?", "Second?"]), "First?")
        .await;
    phone.reply(card.id, "1");
    phone.shows(card.id, "Second?").await;
    phone.reply(card.id, "2");
    phone.shows(card.id, "Review").await;
    phone.reply(card.id, "something else");
    phone.says("That doesn't fit this card.").await;
    phone.shows(card.id, "Review").await;
    phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_2", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["A"], ["B"]] }));
    outing.nothing_left().await;
}

fn named(id: &str, text: &str, labels: &[&str]) -> Value {
    beckon_support::replay::question(id, SESSION, text, labels)
}

/// The tap is read again, since it was not acknowledged; but it has been taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_tap_that_could_not_be_saved_is_not_taken_twice() {
    let outing = Outing::start().await;
    let mut request = set("que_1", &["Which ones?"]);
    request["questions"][0]["multiple"] = json!(true);
    let card = outing.ask_with(request, "Which ones?").await;
    let mut other =
        rusqlite::Connection::open(outing.stage.beckon.home().join("beckon.db")).unwrap();
    let lock = other
        .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
        .unwrap();
    outing.phone.tap(card.id, "☐ A").await;
    outing.phone.shows(card.id, "So far: A").await;
    assert_eq!(
        outing.phone.telegram.pending(),
        1,
        "it was not acknowledged"
    );
    drop(lock);
    outing.phone.telegram.wait_confirmed(SOON).await;
    outing.phone.tap(card.id, "☐ B").await;
    outing.phone.shows(card.id, "So far: A, B").await;
    outing.phone.tap(card.id, "Send").await;
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["A", "B"]] }));
    outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tap_to_which_another_answer_was_faster_is_told_so_and_the_card_says_who_was_first() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    hold_replies(&outing);
    outing.phone.tap(card.id, "No").await;
    answer_faster(&outing).await;
    let ended = outing
        .phone
        .ended(card.id, "☑️ Yes · in the agent itself")
        .await;
    assert!(!ended.text.contains("⚠️"), "{}", ended.text);
    let late = outing.phone.says("Too late: ").await;
    assert!(!late.silent, "nobody is asleep");
    assert!(
        late.text.contains("Already answered in the agent itself."),
        "{}",
        late.text
    );
    assert!(late.text.contains("Your answer was: “No”"), "{}", late.text);
}

/// Keeps answers at their server, without a response.
fn hold_replies(outing: &Outing) {
    outing.stage.replay.on_reply(OnReply::Hang);
}

/// Waits until the answer is known to hang, and answers the agent itself with "Yes".
async fn answer_faster(outing: &Outing) {
    outing
        .phone
        .says("The answer hasn't reached the agent yet")
        .await;
    outing.stage.replay.on_reply(OnReply::Confirm);
    let url = format!(
        "{}/question/que_1/reply?directory={DIRECTORY}",
        outing.stage.replay.url()
    );
    let body = json!({ "answers": [["Yes"]] });
    let told = reqwest::Client::new()
        .post(url)
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(told.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_pause_an_answer_that_came_too_late_comes_back_without_a_sound() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Go on?").await;
    hold_replies(&outing);
    outing.phone.tap(card.id, "No").await;
    outing.phone.says("hasn't reached the agent yet").await;
    pause(&outing, 3_600).await;
    answer_faster(&outing).await;
    let late = outing.phone.says("Too late: ").await;
    assert!(late.silent, "{}", late.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_group_a_late_answer_is_said_to_be_whose_it_was() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let bob = telegram.user("Bob");
    let group = telegram.group(&[outing.phone.user, bob], Group::default());
    for user in [outing.phone.user, bob] {
        let code = pairing_code(&outing.stage.beckon).await;
        telegram.text(user, group, &format!("/start {code}"));
        telegram.wait_confirmed(SOON).await;
    }
    outing.ask("que_1", "Go on?").await;
    let card = message(telegram, group, "Go on?").await;
    hold_replies(&outing);
    telegram.tap(bob, group, card.id, "No");
    answer_faster(&outing).await;
    let late = message(telegram, group, "Too late: ").await;
    assert!(
        late.text.contains("Bob's answer was: “No”"),
        "{}",
        late.text
    );
    assert!(!late.text.contains("Your answer"), "{}", late.text);
}

/// Pauses Beckon for this many seconds.
async fn pause(outing: &Outing, seconds: i64) {
    let until = jiff::Timestamp::now().as_millisecond() + seconds * 1_000;
    let endpoint = outing.stage.beckon.endpoint().unwrap();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let pause = client
        .post(format!("{}/pause", endpoint["url"].as_str().unwrap()))
        .bearer_auth(endpoint["token"].as_str().unwrap())
        .json(&json!({ "until": until }));
    assert!(pause.send().await.unwrap().status().is_success());
}
