//! Tests of the main job, away from the desk: a question asked in a real OpenCode is answered on
//! Telegram, and the model reads exactly the human's answer.

use crate::common::phone::Phone;
use crate::common::{SOON, Stage, asked_by, named};
use beckon_support::eventually;
use beckon_support::model::{Step, ToolCall, script};
use beckon_support::opencode::Version;
use beckon_support::telegram::Action;
use serde_json::json;

struct Away {
    stage: Stage,
    phone: Phone,
}

impl Away {
    /// Starts everything; nothing tells where the human is, so both places ring.
    async fn start(version: Version) -> Self {
        let phone = Phone::new();
        let stage = Stage::with(version, &phone.config(), Phone::knows_token).await;
        stage.beckon.start();
        stage.beckon.wait_ready().await;
        phone.pair(&stage.beckon).await;
        Self { stage, phone }
    }

    async fn nothing_left(&self) {
        self.stage.nothing_left().await;
        self.phone.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_is_answered_on_telegram_and_the_model_reads_it_exactly_1_18() {
    every_shape(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_is_answered_on_telegram_and_the_model_reads_it_exactly_1_1() {
    every_shape(Version::V1_1_53).await;
}

async fn every_shape(version: Version) {
    let away = Away::start(version).await;
    single_by_button(&away).await;
    single_by_number(&away).await;
    set_with_review(&away).await;
    several_choices(&away).await;
    own_text_by_prompt(&away).await;
    equal_labels(&away).await;
    no_options(&away).await;
    away.nothing_left().await;
}

async fn single_by_button(Away { stage, phone }: &Away) {
    stage
        .ask(&[asked_by(json!([named(
            "Which <db> & why?",
            &["PostgreSQL", "SQLite"]
        )]))])
        .await;
    let card = phone.card("Which <db> & why?").await;
    phone.shows(card.id, "A session").await;
    phone.tap(card.id, "SQLite").await;
    stage.model_reads("\"Which <db> & why?\"=\"SQLite\"").await;
    phone.ended(card.id, "✅ SQLite · by you").await;
}

async fn single_by_number(Away { stage, phone }: &Away) {
    stage
        .ask(&[asked_by(json!([named(
            "By number?",
            &["PostgreSQL", "SQLite"]
        )]))])
        .await;
    let card = phone.card("By number?").await;
    phone.reply(card.id, "2");
    stage.model_reads("\"By number?\"=\"SQLite\"").await;
    phone.ended(card.id, "SQLite").await;
}

async fn set_with_review(Away { stage, phone }: &Away) {
    let mut features = named("Which features?", &["Auth", "Search", "Export"]);
    features["multiple"] = json!(true);
    let target = named("Deploy target?", &["Docker", "Metal"]);
    stage
        .ask(&[asked_by(json!([
            named("Which database?", &["PG", "SQLite"]),
            features,
            target
        ]))])
        .await;
    let card = phone.card("Which database?").await;
    phone.tap(card.id, "PG").await;
    phone.shows(card.id, "Question 2 of 3").await;
    phone.tap(card.id, "Back").await;
    phone.shows(card.id, "Question 1 of 3").await;
    phone.tap(card.id, "SQLite").await;
    phone.tap(card.id, "☐ Auth").await;
    phone.tap(card.id, "☐ Export").await;
    phone.tap(card.id, "☑ Export").await;
    phone.tap(card.id, "☐ Export").await;
    phone.shows(card.id, "Question 2 of 3").await;
    phone.tap(card.id, "Next").await;
    phone.shows(card.id, "Question 3 of 3").await;
    phone.reply(card.id, "ein eigenes Ziel");
    phone.shows(card.id, "Review").await;
    phone.tap(card.id, "Send").await;
    stage
        .model_reads(
            "\"Which database?\"=\"SQLite\", \"Which features?\"=\"Auth, Export\", \
             \"Deploy target?\"=\"ein eigenes Ziel\"",
        )
        .await;
    phone.ended(card.id, "✅").await;
}

async fn several_choices(Away { stage, phone }: &Away) {
    let mut question = named("Several?", &["Auth", "Search", "Export"]);
    question["multiple"] = json!(true);
    stage.ask(&[asked_by(json!([question]))]).await;
    let card = phone.card("Several?").await;
    phone.reply(card.id, "3, 1");
    stage.model_reads("\"Several?\"=\"Export, Auth\"").await;
    phone.ended(card.id, "✅").await;
}

async fn own_text_by_prompt(Away { stage, phone }: &Away) {
    stage
        .ask(&[asked_by(json!([named(
            "用哪个数据库？",
            &["数据库 🦀", "其他"]
        )]))])
        .await;
    let card = phone.card("用哪个数据库？").await;
    phone.tap(card.id, "✏️ Write my own").await;
    let prompt = phone.prompt().await;
    assert_eq!(prompt.reply_to, Some(card.id));
    phone.reply(prompt.id, "自由文本 🦀");
    stage
        .model_reads("\"用哪个数据库？\"=\"自由文本 🦀\"")
        .await;
    phone.ended(card.id, "自由文本 🦀").await;
    eventually("the prompt has gone", SOON, async || {
        phone
            .telegram
            .message(phone.chat, prompt.id)
            .is_none()
            .then_some(())
    })
    .await;
}

async fn equal_labels(Away { stage, phone }: &Away) {
    stage
        .ask(&[asked_by(json!([named("Twice?", &["Same", "Same"])]))])
        .await;
    let card = phone.card("Twice?").await;
    phone.tap(card.id, "2 Same").await;
    stage.model_reads("\"Twice?\"=\"Same\"").await;
    phone.ended(card.id, "Same").await;
}

async fn no_options(Away { stage, phone }: &Away) {
    stage.ask(&[asked_by(json!([named("Title?", &[])]))]).await;
    let card = phone.card("Title?").await;
    phone.reply(card.id, "A <title>");
    stage.model_reads("\"Title?\"=\"A <title>\"").await;
    phone.ended(card.id, "A <title>").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_are_granted_once_always_and_rejected_with_a_reason_on_telegram() {
    let away = Away::start(Version::V1_18_33).await;
    let (stage, phone) = (&away.stage, &away.phone);
    stage
        .ask(&[Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")])])
        .await;
    let card = phone.card_of_call("echo one-of-a-kind").await;
    phone.tap(card.id, "Allow once").await;
    stage.model_reads("one-of-a-kind").await;
    phone.ended(card.id, "Allowed once").await;

    stage
        .ask(&[Step::Tools(vec![ToolCall::bash("rm -rf build")])])
        .await;
    let card = phone.card_of_call("rm -rf build").await;
    phone.tap(card.id, "Reject and say why").await;
    let prompt = phone.prompt().await;
    phone.reply(prompt.id, "not on a Friday");
    stage.model_reads("not on a Friday").await;
    phone.ended(card.id, "Rejected").await;

    let file = std::path::Path::new(&stage.directory()).join("new.txt");
    let edit = ToolCall::new("write", json!({ "filePath": file, "content": "hello" }));
    stage.ask(&[Step::Tools(vec![edit])]).await;
    let card = phone.card("wants to").await;
    phone.tap(card.id, "Always…").await;
    phone.shows(card.id, "Always allow this?").await;
    assert!(!file.exists(), "the first tap only asks");
    phone.tap(card.id, "Yes, always allow").await;
    phone.ended(card.id, "Always allowed").await;
    stage.idle().await;
    assert_eq!(std::fs::read_to_string(file).unwrap(), "hello");
    away.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dismissal_takes_two_taps_and_ends_the_turn() {
    let away = Away::start(Version::V1_18_33).await;
    let (stage, phone) = (&away.stage, &away.phone);
    stage
        .ask(&[asked_by(json!([named("Dismiss me?", &["A", "B"])]))])
        .await;
    let card = phone.card("Dismiss me?").await;
    phone.tap(card.id, "🚫 Dismiss…").await;
    phone.tap(card.id, "Go back").await;
    phone.tap(card.id, "🚫 Dismiss…").await;
    phone.tap(card.id, "Yes, dismiss").await;
    phone.ended(card.id, "Dismissed").await;
    stage.idle().await;
    let parts = stage.tool_parts().await;
    assert!(
        parts.to_string().contains("dismissed this question"),
        "{parts}"
    );
    away.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subagents_question_is_answered_on_telegram() {
    let away = Away::start(Version::V1_1_53).await;
    let inner = script(&[asked_by(json!([named("From below?", &["Yes", "No"])]))]);
    let task = ToolCall::new(
        "task",
        json!({ "description": "ask", "prompt": inner, "subagent_type": "asker" }),
    );
    away.stage.ask(&[Step::Tools(vec![task])]).await;
    let card = away.phone.card("From below?").await;
    away.phone.tap(card.id, "No").await;
    away.stage.model_reads("\"From below?\"=\"No\"").await;
    away.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pressed_on_the_desktop_and_on_telegram_at_once_one_wins_and_the_other_says_so() {
    let away = Away::start(Version::V1_18_33).await;
    let (stage, phone) = (&away.stage, &away.phone);
    for round in 0..5 {
        let text = format!("Who wins round {round}?");
        stage
            .ask(&[asked_by(json!([named(&text, &["Desk", "Phone"])]))])
            .await;
        let (shown, card) = (stage.shown(&text).await, phone.card(&text).await);
        phone.telegram.tap(phone.user, phone.chat, card.id, "Phone");
        stage.daemon.press(shown.id, shown.action("Desk").unwrap());
        let ended = phone.ended(card.id, "✅").await;
        let desk = ended.text.contains("✅ Desk · on the desktop");
        assert!(
            desk || ended.text.contains("✅ Phone · by you"),
            "{}",
            ended.text
        );
        let winner = if desk { "Desk" } else { "Phone" };
        stage.model_reads(&format!("\"{text}\"=\"{winner}\"")).await;
    }
    away.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answered_in_opencode_itself_the_card_says_so() {
    let away = Away::start(Version::V1_18_33).await;
    let (stage, phone) = (&away.stage, &away.phone);
    stage
        .ask(&[asked_by(json!([named("Elsewhere?", &["A", "B"])]))])
        .await;
    let card = phone.card("Elsewhere?").await;
    let id = stage.one_open().await;
    let (status, _) = stage
        .opencode
        .reply(&stage.directory(), &id, json!([["B"]]))
        .await;
    assert_eq!(status, 200);
    let ended = phone.ended(card.id, "in the agent itself").await;
    assert!(
        ended.text.contains('B'),
        "it says what was answered: {}",
        ended.text
    );
    let Action::Callback(data) = &card.button("A").unwrap().action else {
        panic!("no callback")
    };
    phone
        .telegram
        .tap_data(phone.user, phone.chat, card.id, data);
    let alert = eventually("an alert", SOON, async || phone.telegram.alerts().pop()).await;
    let text = alert.text.unwrap_or_default();
    assert!(text.contains("B · in the agent itself, "), "{text}");
    away.nothing_left().await;
}
