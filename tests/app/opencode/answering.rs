//! Tests of the main job, end to end: a question asked in a real OpenCode is answered from a
//! notification, and the model reads exactly the human's answer.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage, asked_by};
use beckon_support::eventually;
use beckon_support::model::{Step, ToolCall, script};
use beckon_support::opencode::Version;
use beckon_support::replay::{Kind, permission};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_the_notification_answers_a_real_opencode_1_18() {
    a_press_answers(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_the_notification_answers_a_real_opencode_1_1() {
    a_press_answers(Version::V1_1_53).await;
}

async fn a_press_answers(version: Version) {
    let stage = Stage::start(version).await;
    stage.ask(&[asked_by(json!([single()]))]).await;
    let shown = stage.shown("Which database?").await;
    stage
        .daemon
        .press(shown.id, shown.action("SQLite").unwrap());
    stage.model_reads("\"Which database?\"=\"SQLite\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_probe_finds_all_that_beckon_needs_1_18() {
    let parts = probed(Version::V1_18_33).await;
    assert!(
        parts
            .iter()
            .any(|part| part.starts_with("questions of the second core (1.18): as"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_probe_finds_all_that_beckon_needs_1_1() {
    let parts = probed(Version::V1_1_53).await;
    let absent = "questions of the second core (1.18): not there";
    assert!(
        parts.iter().any(|part| part.starts_with(absent)),
        "{parts:?}"
    );
}

/// Returns the findings of a probe. A question is open, so that a list contains something to be
/// understood.
async fn probed(version: Version) -> Vec<String> {
    let stage = Stage::start(version).await;
    stage.ask(&[asked_by(json!([single()]))]).await;
    stage.shown("Which database?").await;
    let findings = stage
        .beckon
        .command(&["doctor", "--probe", "--json"])
        .await
        .json();
    let of_probe = |finding: &&Value| finding["leg"] == "probe";
    let findings: Vec<&Value> = findings
        .as_array()
        .unwrap()
        .iter()
        .filter(of_probe)
        .collect();
    assert_eq!(findings.len(), 8, "{findings:?}");
    assert!(
        findings.iter().all(|finding| finding["ok"] == true),
        "{findings:?}"
    );
    let texts: Vec<String> = findings
        .iter()
        .map(|finding| finding["text"].as_str().unwrap().to_owned())
        .collect();
    assert!(texts[0].contains(version.number()), "{texts:?}");
    for part in [
        "events",
        "open questions",
        "open permissions",
        "which sessions",
        "answers",
    ] {
        assert!(
            texts
                .iter()
                .any(|text| text.starts_with(part) && text.contains("as Beckon"))
        );
    }
    texts
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_question_reaches_the_model_exactly_1_18() {
    every_shape(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_question_reaches_the_model_exactly_1_1() {
    every_shape(Version::V1_1_53).await;
}

async fn every_shape(version: Version) {
    let stage = Stage::start(version).await;
    let cases: [(Value, &[&str], &str); 6] = [
        (
            json!([single()]),
            &["--choice", "1"],
            "\"Which database?\"=\"PostgreSQL\"",
        ),
        (
            json!([
                single(),
                multi(),
                named("Deploy target?", &["Docker", "Metal"])
            ]),
            &[
                "--choice",
                "2",
                "--choice",
                "1,3",
                "--question",
                "3",
                "--text",
                "ein eigenes Ziel",
            ],
            "\"Which database?\"=\"SQLite\", \"Which features?\"=\"Auth, Export\", \
             \"Deploy target?\"=\"ein eigenes Ziel\"",
        ),
        (
            json!([multi()]),
            &["--choice", "3,2"],
            "\"Which features?\"=\"Export, Search\"",
        ),
        (
            json!([named("用哪个数据库？ <b>", &["数据库 🦀", "其他"])]),
            &["--choice", "1"],
            "\"用哪个数据库？ <b>\"=\"数据库 🦀\"",
        ),
        (
            json!([named("Twice?", &["Same", "Same"])]),
            &["--choice", "2"],
            "\"Twice?\"=\"Same\"",
        ),
        (
            json!([named("Title?", &[])]),
            &["--text", "自由文本"],
            "\"Title?\"=\"自由文本\"",
        ),
    ];
    for (questions, arguments, told) in cases {
        stage.ask(&[asked_by(questions)]).await;
        let id = stage.one_open().await;
        let answered = stage.answer(&id, arguments).await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
        stage.model_reads(told).await;
    }
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_questions_at_once_are_two_cards_and_two_answers() {
    let stage = Stage::start(Version::V1_18_33).await;
    let first = ToolCall::question(json!([named("First?", &["A", "B"])]));
    let second = ToolCall::question(json!([named("Second?", &["C", "D"])]));
    stage.ask(&[Step::Tools(vec![first, second])]).await;
    let (first, second) = (stage.shown("First?").await, stage.shown("Second?").await);
    stage.daemon.press(second.id, second.action("D").unwrap());
    stage.daemon.press(first.id, first.action("A").unwrap());
    stage.model_reads("\"First?\"=\"A\"").await;
    stage.model_reads("\"Second?\"=\"D\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_are_granted_once_always_and_rejected_with_a_reason_1_18() {
    permissions(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_are_granted_once_always_and_rejected_with_a_reason_1_1() {
    permissions(Version::V1_1_53).await;
}

async fn permissions(version: Version) {
    let stage = Stage::start(version).await;
    stage
        .ask(&[Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")])])
        .await;
    let shown = stage.shown("wants to run echo").await;
    assert!(shown.body.contains("echo one-of-a-kind"), "{shown:?}");
    stage
        .daemon
        .press_titled("wants to run echo", "Allow once", SOON)
        .await;
    stage.model_reads("one-of-a-kind").await;

    stage
        .ask(&[Step::Tools(vec![ToolCall::bash("rm -rf build")])])
        .await;
    let id = stage.one_open().await;
    let denied = stage
        .command(&["deny", &id, "--reason", "not on a Friday", "--json"])
        .await;
    assert_eq!(denied.json()["state"], "taken", "{denied:?}");
    stage.model_reads("not on a Friday").await;

    let file = std::path::Path::new(&stage.directory()).join("new.txt");
    let edit = ToolCall::new("write", json!({ "filePath": file, "content": "hello" }));
    stage.ask(&[Step::Tools(vec![edit])]).await;
    let id = stage.one_open().await;
    let granted = stage.command(&["grant", &id, "--always", "--json"]).await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    stage.idle().await;
    assert_eq!(std::fs::read_to_string(file).unwrap(), "hello");
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dismissed_question_ends_the_turn() {
    let stage = Stage::start(Version::V1_18_33).await;
    stage.ask(&[asked_by(json!([single()]))]).await;
    let id = stage.one_open().await;
    let dismissed = stage.command(&["dismiss", &id, "--json"]).await;
    assert_eq!(dismissed.json()["state"], "taken", "{dismissed:?}");
    stage.idle().await;
    let parts = stage.tool_parts().await;
    assert!(
        parts.to_string().contains("dismissed this question"),
        "{parts}"
    );
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subagents_question_is_answered_too() {
    let stage = Stage::start(Version::V1_1_53).await;
    let inner = script(&[asked_by(json!([named("From below?", &["Yes", "No"])]))]);
    let task = ToolCall::new(
        "task",
        json!({ "description": "ask", "prompt": inner, "subagent_type": "asker" }),
    );
    stage.ask(&[Step::Tools(vec![task])]).await;
    let shown = stage.shown("From below?").await;
    stage.daemon.press(shown.id, shown.action("No").unwrap());
    stage.model_reads("\"From below?\"=\"No\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_does_not_fit_is_refused_and_loses_nothing() {
    let stage = Stage::start(Version::V1_1_53).await;
    stage.ask(&[asked_by(json!([single()]))]).await;
    let id = stage.one_open().await;
    for wrong in [
        &["--choice", "3"][..],
        &["--choice", "1,2"],
        &["--question", "2", "--text", "x"],
        &[],
    ] {
        let refused = stage.answer(&id, wrong).await;
        assert_eq!(refused.status, Some(2), "{wrong:?}: {refused:?}");
        assert!(!refused.stderr.is_empty(), "{wrong:?} is refused in words");
    }
    assert_eq!(stage.one_open().await, id);
    assert_eq!(
        stage.answer(&id, &["--choice", "1"]).await.json()["state"],
        "taken"
    );
    let late = stage.answer(&id, &["--choice", "2"]).await;
    assert_eq!(
        (&late.json()["state"], &late.json()["by"]),
        (&json!("already answered"), &json!("cli"))
    );
    stage
        .model_reads("\"Which database?\"=\"PostgreSQL\"")
        .await;
}

fn single() -> Value {
    named("Which database?", &["PostgreSQL", "SQLite"])
}

fn multi() -> Value {
    let mut question = named("Which features?", &["Auth", "Search", "Export"]);
    question["multiple"] = json!(true);
    question
}

fn named(text: &str, labels: &[&str]) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": format!("About {label}") });
    let options: Vec<Value> = labels.iter().map(option).collect();
    json!({ "question": text, "header": "Header", "options": options })
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_rejects_in_a_terminal_or_through_the_api_is_told_what_went_with_it() {
    let stage = Rehearsal::start().await;
    let ask = async |ids: std::ops::Range<usize>| {
        let others = ids.len() - 1;
        for n in ids {
            let request = permission(&format!("per_{n}"), SESSION, &format!("make {n}"));
            stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
        }
        let told =
            |ask: &Value| ask["also_rejects"]["count"].as_u64().unwrap_or(0) == others as u64;
        eventually("so many others", SOON, async || {
            let list = stage.beckon.list().await;
            (list.len() == others + 1 && list.iter().all(told)).then_some(())
        })
        .await;
    };
    ask(0..3).await;
    let denied = stage.beckon.command(&["deny", "per_0"]).await;
    assert_eq!(denied.status, Some(0), "{denied:?}");
    let told = "2 other requests of this session were rejected with it.";
    assert!(denied.stdout.contains(told), "{denied:?}");
    stage.nothing_left().await;
    ask(3..5).await;
    let body = json!({ "answer": { "grant": { "reject": { "reason": null } } }, "by": "api" });
    let endpoint = stage.beckon.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let answer = reqwest::Client::new().post(format!("{url}/answer/per_3?wait=20"));
    let said: Value = answer
        .bearer_auth(token)
        .json(&body)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(said["state"], "taken", "{said}");
    assert_eq!(said["also_rejects"], json!({ "count": 1, "certain": true }));
    stage.nothing_left().await;
    assert_eq!(
        stage.replay.replies().len(),
        2,
        "the agent's server has rejected the others itself"
    );
    ask(5..6).await;
    let granted = stage
        .beckon
        .command(&["grant", "per_5", "--json"])
        .await
        .json();
    assert_eq!(
        (&granted["state"], granted.get("also_rejects")),
        (&json!("taken"), None)
    );
}
