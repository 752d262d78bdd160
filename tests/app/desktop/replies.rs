//! Tests of answers in the human's own words, written into the notification where the desktop has a
//! field for them: they reach the question that was read, or come back.

use crate::common::{DIRECTORY, Rehearsal, SOON, noted, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::replay::{Kind, OnReply, permission};
use serde_json::{Value, json};

/// Starts everything on a desktop that is Plasma.
async fn plasma() -> Rehearsal {
    let mut stage = Rehearsal::without_beckon();
    stage.daemon.stop();
    stage.daemon = Notifications::plasma(&stage.bus);
    stage.beckon.start();
    stage.ready().await;
    stage
}

fn has_field(shown: &Shown) -> bool {
    shown.action("Own answer…") == Some("inline-reply")
}

/// Waits for the notification that gives those words back and says why.
async fn given_back(stage: &Rehearsal, words: &str) -> Shown {
    let back = stage
        .daemon
        .wait_for(|shown| shown.body.contains(words), SOON)
        .await;
    assert_eq!(back.summary, "Your reply wasn't sent");
    assert_eq!(
        (back.timeout, back.actions.len()),
        (0, 0),
        "it stays, and answers nothing"
    );
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
    back
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_into_the_notification_is_the_answer_word_for_word() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    assert!(has_field(&shown), "{:?}", shown.actions);
    let told = |hint: &str| String::try_from(shown.hints[hint].clone()).unwrap();
    assert_eq!(told("x-kde-reply-placeholder-text"), "Your answer");
    assert_eq!(told("x-kde-reply-submit-button-text"), "Send");
    stage
        .daemon
        .reply(shown.id, "neither <b>& \"both\" 自由文本 🦀");
    stage
        .answered_once("que_1", "neither <b>& \"both\" 自由文本 🦀")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_a_field_only_where_own_words_are_an_answer_and_the_desktop_has_one() {
    let stage = plasma().await;
    let mut fixed = yes_or_no("que_1", "Only these?");
    fixed["questions"][0]["custom"] = json!(false);
    stage.replay.ask(Kind::Question, DIRECTORY, fixed).await;
    assert!(!has_field(&stage.shown("Only these?").await));
    let mut set = yes_or_no("que_2", "First?");
    let first = set["questions"][0].clone();
    set["questions"] = json!([first.clone(), first]);
    stage.replay.ask(Kind::Question, DIRECTORY, set).await;
    assert!(!has_field(&stage.shown("2 questions").await));
    let request = permission("per_1", crate::common::SESSION, "ls");
    stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
    assert!(!has_field(&stage.shown("wants to run ls").await));
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
    let stage = Rehearsal::start().await;
    assert!(!has_field(&stage.ask("que_1", "Which way?").await));
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_come_too_late_are_given_back_and_change_nothing() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    stage.daemon.linger(true);
    let answered = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1"])
        .await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    eventually("it is over", SOON, async || {
        stage.beckon.list().await.is_empty().then_some(())
    })
    .await;
    stage.daemon.reply(shown.id, "a long way round");
    let back = given_back(&stage, "“a long way round”").await;
    assert!(back.body.starts_with("Already answered"), "{}", back.body);
    assert_eq!(
        stage.replies("que_1", 1).await[0].body,
        json!({ "answers": [["Yes"]] })
    );
    assert_eq!(stage.replay.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_for_a_question_that_has_become_another_reach_neither() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Delete the copy?").await;
    stage.daemon.linger(true);
    stage.replay.withdraw("que_1");
    let other = yes_or_no("que_1", "Delete the original?");
    stage.replay.ask(Kind::Question, DIRECTORY, other).await;
    let now = stage.shown("Delete the original?").await;
    assert_ne!(
        now.id, shown.id,
        "whoever writes on a card goes on reading it"
    );
    noted(&stage.beckon, &now).await;
    stage.daemon.reply(shown.id, "yes, delete it");
    given_back(&stage, "“yes, delete it”").await;
    assert_eq!(stage.replay.replies().len(), 0);
    stage.daemon.linger(false);
    stage.daemon.reply(now.id, "no");
    assert_eq!(
        stage.replies("que_1", 1).await[0].body,
        json!({ "answers": [["no"]] })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_do_not_fit_are_given_back_and_the_question_stays_open() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    stage.daemon.reply(shown.id, "   ");
    let refused = |shown: &Shown| shown.summary == "Your reply wasn't sent";
    stage.daemon.wait_for(refused, SOON).await;
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("open"));
    assert_eq!(stage.replay.replies().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_for_another_programs_notification_are_nobodys_answer() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    stage
        .daemon
        .forged_reply(shown.id + 100, "to somebody else");
    stage.daemon.reply(shown.id, "mine");
    stage.answered_once("que_1", "mine").await;
    assert_eq!(stage.replay.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restarted_beckon_takes_the_words_written_on_its_former_card() {
    let stage = plasma().await;
    stage.ask("que_1", "Which way?").await;
    stage.beckon.kill9();
    let shown = stage.restarted("Which way?").await;
    stage.daemon.reply(shown.id, "after all");
    stage.answered_once("que_1", "after all").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_the_agent_sends_back_stand_in_the_window() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    stage.replay.on_reply(OnReply::Status(400));
    stage.daemon.reply(shown.id, "a long way round");
    eventually("the question open again", SOON, async || {
        let list = stage.beckon.list().await;
        list.iter()
            .any(|ask| ask["returned"]["reason"] == "refused")
            .then_some(())
    })
    .await;
    let drafts = told(&stage.beckon, "/windows/drafts").await;
    assert_eq!(
        drafts["que_1"]["replies"][0]["text"], "a long way round",
        "{drafts}"
    );
}

async fn told(beckon: &Beckon, path: &str) -> Value {
    let endpoint = beckon.endpoint().expect("run/endpoint.json is there");
    let url = format!("{}{path}", endpoint["url"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .get(url)
        .bearer_auth(endpoint["token"].as_str().unwrap());
    request.send().await.unwrap().json().await.unwrap()
}

/// Answers in the agent itself, while an answer from here is on its way.
async fn answered_in_the_agent(stage: &Rehearsal, id: &str, label: &str) {
    stage.replay.on_reply(OnReply::Confirm);
    let url = format!(
        "{}/question/{id}/reply?directory={DIRECTORY}",
        stage.replay.url()
    );
    let body = json!({ "answers": [[label]] });
    let told = reqwest::Client::new()
        .post(url)
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(told.status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_to_which_another_answer_was_faster_come_back_with_who_was_first() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    stage.replay.on_reply(OnReply::Hang);
    stage.daemon.reply(shown.id, "a long way round");
    stage.replay.wait_replies(1, SOON).await;
    answered_in_the_agent(&stage, "que_1", "Yes").await;
    let back = stage
        .daemon
        .wait_for(|shown| shown.body.contains("“a long way round”"), SOON)
        .await;
    assert!(back.summary.starts_with("Too late: "), "{back:?}");
    assert!(
        back.body
            .starts_with("Already answered in the agent itself."),
        "{back:?}"
    );
    assert_eq!(
        (back.timeout, back.actions.len()),
        (0, 0),
        "it stays, and answers nothing"
    );
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
    stage.beckon.kill9();
    stage.beckon.start();
    stage.ready().await;
    let history = told(&stage.beckon, "/history").await;
    let late = &history["entries"][0]["late"];
    assert_eq!(
        (&late["answer"], &late["by"]),
        (&json!([["a long way round"]]), &json!("notification"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_pressed_the_same_as_was_answered_in_the_agent_is_told_nothing() {
    let stage = plasma().await;
    let shown = stage.ask("que_1", "Which way?").await;
    stage.replay.on_reply(OnReply::Hang);
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.replay.wait_replies(1, SOON).await;
    answered_in_the_agent(&stage, "que_1", "Yes").await;
    stage.nothing_left().await;
    assert_eq!(stage.daemon.open().len(), 0);
}
