//! Tests of whose words are an answer, to which card, and how many messages they are: what
//! Telegram's apps split is one answer, and what somebody else writes is none.

use crate::common::SOON;
use crate::common::phone::{Outing, message, pairing_code, set};
use beckon_support::eventually;
use beckon_support::telegram::{Call, ChatId, Entity, EntityKind, Fault, Method, Outcome, UserId};
use serde_json::json;

pub(super) async fn pair(outing: &Outing, name: &str) -> (UserId, ChatId) {
    let telegram = &outing.phone.telegram;
    let code = pairing_code(&outing.stage.beckon).await;
    let user = telegram.user(name);
    telegram.start_link(user, &code);
    message(telegram, user.into(), "Paired with").await;
    (user, user.into())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_person_writes_is_no_answer_to_what_somebody_began() {
    let outing = Outing::start().await;
    let telegram = &outing.phone.telegram;
    let (bob, bobs) = pair(&outing, "Bob").await;
    let card = outing.ask("que_1", "Delete the staging data?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let prompt = outing.phone.prompt().await;
    assert!(prompt.text.contains("Delete the staging data?"));

    telegram.text(bob, bobs, "thanks, all good");
    message(telegram, bobs, "Nothing was sent. Reply to the card").await;
    assert_eq!(outing.stage.replay.replies().len(), 0);
    let asked = telegram.calls_of(Method::SendMessage);
    let prompts: Vec<_> = asked
        .iter()
        .filter(|call| call.param("reply_markup").contains("force_reply"))
        .collect();
    assert_eq!(prompts.len(), 1, "only who writes is asked for words");
    assert_eq!(prompts[0].param("chat_id"), outing.phone.chat.0.to_string());
    assert_eq!(prompts[0].param("disable_notification"), "true");

    telegram.text(outing.phone.user, outing.phone.chat, "only the old ones");
    outing
        .stage
        .answered_once("que_1", "only the old ones")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_after_another_card_has_come_count_only_as_a_reply() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Delete the staging data?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    outing.phone.prompt().await;
    outing.ask("que_2", "Which name?").await;
    let (user, chat) = (outing.phone.user, outing.phone.chat);
    outing
        .phone
        .telegram
        .text(user, chat, "good morning, anything new?");
    outing.phone.says("Reply to the card").await;
    assert_eq!(outing.stage.replay.replies().len(), 0);
    outing.phone.reply(outing.phone.prompt().await.id, "no");
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["no"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_answer_that_comes_in_several_messages_is_one_answer() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "What happened?").await;
    outing.phone.tap(card.id, "✏️ Write my own").await;
    let prompt = outing.phone.prompt().await;
    let first = "and then it went on ".repeat(204);
    let rest = "/etc was not touched, and yes, delete it";
    outing.phone.reply(prompt.id, &first);
    let (user, chat) = (outing.phone.user, outing.phone.chat);
    outing.phone.telegram.text(user, chat, &first);
    outing.phone.telegram.text(user, chat, rest);

    let replies = eventually("an answer", SOON, async || {
        let replies = outing.stage.replay.replies();
        (!replies.is_empty()).then_some(replies)
    })
    .await;
    let whole = format!("{first}{first}{rest}");
    assert_eq!(replies[0].body, json!({ "answers": [[whole]] }));
    outing.phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(outing.stage.replay.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_a_long_answer_answers_no_other_card() {
    let outing = Outing::start().await;
    // The parts have the same date, however long the second one takes.
    outing.phone.telegram.stop_clock();
    let other = outing.ask("que_2", "Delete the staging data?").await;
    let card = outing.ask("que_1", "What happened?").await;
    let first = "x".repeat(4_096);
    outing.phone.reply(card.id, &first);
    outing.stage.replies("que_1", 1).await;
    outing.phone.tap(other.id, "✏️ Write my own").await;

    let (user, chat) = (outing.phone.user, outing.phone.chat);
    outing.phone.telegram.text(user, chat, "yes, and so on");
    outing.phone.telegram.wait_confirmed(SOON).await;
    let replies = outing.stage.replay.replies();
    assert!(
        replies.iter().all(|reply| reply.id != "que_2"),
        "{replies:?}"
    );
}

/// Private chats and small groups count their messages together, so whatever is sent to anybody
/// between two parts lies between their numbers.
#[tokio::test(flavor = "multi_thread")]
async fn messages_in_other_chats_between_two_parts_leave_them_one_answer() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    phone.telegram.stop_clock();
    let stranger = phone.telegram.user("Mallory");
    let theirs = phone.telegram.private(stranger);
    let card = outing.ask("que_1", "What happened?").await;
    let first = "x".repeat(4_096);
    phone.reply(card.id, &first);
    for _ in 0..40 {
        phone.telegram.text(stranger, theirs, "hello?");
    }
    let second = "y".repeat(4_096);
    phone.telegram.text(phone.user, phone.chat, &second);
    for _ in 0..4 {
        phone.telegram.text(stranger, theirs, "hello?");
    }
    phone
        .telegram
        .text(phone.user, phone.chat, "but not the users");
    stage
        .answered_once("que_1", &format!("{first}{second}but not the users"))
        .await;
    phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(phone.sent("No card is waiting"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_a_long_answer_is_known_also_after_others_have_written() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    let (bob, bobs) = pair(&outing, "Bob").await;
    phone.telegram.stop_clock();
    let other = outing.ask("que_2", "Delete the staging data?").await;
    let card = outing.ask("que_1", "What happened?").await;
    phone.reply(card.id, &"x".repeat(3_000));
    stage.replies("que_1", 1).await;
    phone.telegram.text(bob, bobs, "how is it going?");
    message(&phone.telegram, bobs, "No card is waiting").await;
    phone.tap(other.id, "✏️ Write my own").await;

    phone
        .telegram
        .text(phone.user, phone.chat, "yes, and so on");
    phone.says("came too late and was left out").await;
    let replies = stage.replay.replies();
    assert!(
        replies.iter().all(|reply| reply.id != "que_2"),
        "{replies:?}"
    );
}

/// In a group whose messages the bot does not read, the rest of a reply never reaches it.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_as_long_as_a_message_is_not_taken_for_the_whole_in_silence() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    let card = outing.ask("que_1", "What happened?").await;
    phone.reply(card.id, &"x".repeat(3_000));
    stage.replies("que_1", 1).await;
    let card = outing.ask("que_2", "And then?").await;
    phone.reply(card.id, &"x".repeat(3_900));
    stage.replies("que_2", 1).await;
    phone.says("nothing came after it").await;
    assert_eq!(
        phone.sent("nothing came after it"),
        1,
        "not of the shorter one"
    );
}

/// Android's app cuts at a line end up to 300 characters before the limit, trims there, and repeats
/// the reply.
#[tokio::test(flavor = "multi_thread")]
async fn parts_that_an_app_has_cut_early_and_sent_as_replies_are_one_answer() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    phone.telegram.stop_clock();
    let card = outing
        .ask_with(set("que_1", &["What?", "And then?"]), "What?")
        .await;
    let other = outing.ask("que_2", "Delete the staging data?").await;
    phone.tap(other.id, "✏️ Write my own").await;
    phone.prompt().await;

    let first = "x".repeat(3_830);
    phone.reply(card.id, &first);
    phone.reply(card.id, "yes, and then it went on");
    let page = phone.shows(card.id, "And then?").await;
    phone.reply(page.id, "nothing");
    phone.tap(card.id, "Send").await;
    let replies = stage.replies("que_1", 1).await;
    let whole = format!("{first}\nyes, and then it went on");
    assert_eq!(
        replies[0].body,
        json!({ "answers": [[whole], ["nothing"]] })
    );
    assert_eq!(stage.replay.replies().len(), 1, "no other agent got a word");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_breaks_between_two_parts_makes_no_answer_of_the_first() {
    for fault in [
        Fault::Cut,
        Fault::ServerError(502),
        Fault::TooManyRequests(1),
    ] {
        let outing = Outing::start().await;
        let (phone, stage) = (&outing.phone, &outing.stage);
        phone.telegram.stop_clock();
        let card = outing.ask("que_1", "Delete the staging data?").await;
        let first = "x".repeat(4_096);
        phone.reply(card.id, &first);
        // The part is read, and the look for another one fails.
        let is_read = |call: &Call| matches!(&call.outcome, Outcome::Done(told) if told.to_string().contains(&first));
        phone.telegram.wait_call(is_read, SOON).await;
        phone.telegram.fail(Method::GetUpdates, 1, fault);
        phone.reply(card.id, "but not the users");
        stage
            .answered_once("que_1", &format!("{first}but not the users"))
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_between_ends_what_somebody_began_to_write() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    let card = outing.ask("que_1", "Delete the staging data?").await;
    phone.tap(card.id, "✏️ Write my own").await;
    let prompt = phone.prompt().await;
    phone.telegram.text(phone.user, phone.chat, "/status");
    phone.says("OpenCode").await;
    phone.telegram.text(phone.user, phone.chat, "thanks");
    phone.says("Reply to the card").await;
    assert_eq!(stage.replay.replies().len(), 0);
    phone.reply(prompt.id, "no");
    stage.answered_once("que_1", "no").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_signs_that_an_app_took_out_of_an_answer_reach_the_agent() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Which file?").await;
    let entity = |kind, offset, length| Entity {
        kind,
        offset,
        length,
    };
    let url = "https://wiki.example/runbook".to_owned();
    let entities = [
        entity(EntityKind::Italic, 3, 4),
        entity(EntityKind::Strikethrough, 16, 4),
        entity(EntityKind::TextLink { url }, 26, 7),
    ];
    outing.phone.telegram.reply_formatted(
        outing.phone.user,
        (outing.phone.chat, card.id),
        "🏟 init.py port 8080, see runbook",
        &entities,
    );

    let typed = "🏟 __init__.py port ~~8080~~, see [runbook](https://wiki.example/runbook)";
    outing.stage.answered_once("que_1", typed).await;
    outing
        .phone
        .shows(card.id, "__init__.py port ~~8080~~")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_in_bold_is_still_that_choice() {
    let outing = Outing::start().await;
    let card = outing.ask("que_1", "Which file?").await;
    let bold = Entity {
        kind: EntityKind::Bold,
        offset: 0,
        length: 1,
    };
    outing.phone.telegram.reply_formatted(
        outing.phone.user,
        (outing.phone.chat, card.id),
        "1",
        &[bold],
    );
    let replies = outing.stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_begins_with_a_slash_is_an_answer() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    for (id, answer) in [
        ("que_1", "/etc/nginx/nginx.conf"),
        ("que_2", "/api/v2/users"),
        ("que_3", "// nothing, leave it"),
        ("que_4", "/etc"),
        ("que_5", "/start the server first"),
        ("que_6", "/"),
        ("que_7", "/deploy@prod"),
        ("que_8", "/here is what I think"),
    ] {
        let card = outing.ask(id, &format!("Which path is {id}?")).await;
        phone.reply(card.id, answer);
        stage.answered_once(id, answer).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn words_after_write_my_own_may_begin_with_a_slash_unless_they_are_a_command() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    let card = outing.ask("que_1", "Which path?").await;
    phone.tap(card.id, "✏️ Write my own").await;
    let prompt = phone.prompt().await;
    phone
        .telegram
        .text(phone.user, phone.chat, "/usr/local/bin");
    stage.answered_once("que_1", "/usr/local/bin").await;
    phone.gone(prompt.id).await;

    let card = outing.ask("que_2", "Which name?").await;
    phone.tap(card.id, "✏️ Write my own").await;
    let prompt = phone.prompt().await;
    phone.telegram.text(phone.user, phone.chat, "/status");
    phone.says("OpenCode").await;
    assert_eq!(stage.replay.replies().len(), 1);
    phone.reply(prompt.id, "route /status");
    stage.answered_once("que_2", "route /status").await;
}

/// A command from the menu comes as a reply while the reply field is open.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_comes_as_a_reply_to_a_prompt_is_no_answer() {
    let outing = Outing::start().await;
    let (phone, stage) = (&outing.phone, &outing.stage);
    let card = outing.ask("que_1", "Which name?").await;
    phone.tap(card.id, "✏️ Write my own").await;
    let prompt = phone.prompt().await;
    phone.reply(prompt.id, "/status");
    phone.says("/status is a command to a bot").await;
    phone.says("OpenCode").await;
    phone.reply(card.id, "/away 2h");
    phone.says("You're set as away until").await;
    phone.reply(prompt.id, "/status@other_bot");
    phone.says("/status@other_bot is a command to a bot").await;
    phone.telegram.wait_confirmed(SOON).await;
    assert_eq!(stage.replay.replies().len(), 0);
    assert_eq!(phone.sent("There is no such command"), 0);

    phone.reply(prompt.id, "/etc/hosts");
    stage.answered_once("que_1", "/etc/hosts").await;
}
