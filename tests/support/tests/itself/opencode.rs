//! Tests of the real OpenCode and the scripted model, in both versions. Nothing of Beckon is tested
//! here.

use beckon_support::eventually;
use std::path::Path;

use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::opencode::{OpenCode, Version};
use serde_json::json;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_question_is_asked_answered_and_told_to_the_model_by_both_versions() {
    let model = Model::start();
    let (old, new) = tokio::join!(
        OpenCode::start(Version::V1_1_53, &model),
        OpenCode::start(Version::V1_18_33, &model)
    );
    for opencode in [&old, &new] {
        answer_one_question(opencode, &model).await;
    }
}

async fn answer_one_question(opencode: &OpenCode, model: &Model) {
    let directory = opencode.directory();
    assert!(Path::new(directory).join(".git").exists());
    let session = opencode.session(directory, "Smoke").await;
    let questions = json!([{ "question": "Which database?", "header": "Database",
        "options": [{ "label": "SQLite", "description": "One file" },
                    { "label": "Postgres", "description": "A server" }] }]);
    let steps = [
        Step::Tools(vec![ToolCall::question(questions)]),
        Step::Text("thanks".into()),
    ];
    let told_before = model.tool_results().len();
    opencode.prompt(&session, directory, &script(&steps)).await;

    let pending = opencode.wait_questions(directory, 1).await;
    let id = pending[0]["id"].as_str().unwrap();
    assert_eq!(
        opencode.reply(directory, id, json!([["SQLite"]])).await.0,
        200
    );
    opencode.wait_idle(&session, directory).await;

    let told = &model.tool_results()[told_before..];
    assert_eq!(told.len(), 1);
    assert!(
        told[0].1.contains("\"Which database?\"=\"SQLite\""),
        "{told:?}"
    );
    let parts = opencode.tool_parts(&session, directory).await;
    assert_eq!(parts[0]["state"]["status"], "completed");
}

#[tokio::test]
async fn a_killed_server_starts_again_on_its_data_and_port_without_pending_questions() {
    let model = Model::start();
    let opencode = OpenCode::builder(Version::V1_1_53, &model)
        .password("päss")
        .project("second")
        .start()
        .await;
    let directory = opencode.project("second");
    let session = opencode.session(&directory, "Restart").await;
    let call = ToolCall::question(json!([{ "question": "Q", "header": "H", "options": [] }]));
    opencode
        .prompt(&session, &directory, &script(&[Step::Tools(vec![call])]))
        .await;
    opencode.wait_questions(&directory, 1).await;

    opencode.kill();
    opencode.restart().await;

    assert_eq!(opencode.questions(&directory).await, json!([]));
    assert!(!opencode.messages(&session, &directory).await.is_empty());
}

#[tokio::test]
async fn subagents_ask_permissions_are_given_and_failures_and_aborts_end_a_turn() {
    let model = Model::start();
    let start = async |version| OpenCode::builder(version, &model).asker().start().await;
    let (old, new) = tokio::join!(start(Version::V1_1_53), start(Version::V1_18_33));
    for opencode in [&old, &new] {
        fail(opencode).await;
        let session = opencode.session(opencode.directory(), "More").await;
        let turn = async |steps: &[Step]| {
            opencode
                .prompt(&session, opencode.directory(), &script(steps))
                .await;
        };
        let idle = async || opencode.wait_idle(&session, opencode.directory()).await;
        turn(&[Step::Chunks {
            count: 20,
            text: "word ".into(),
            gap_ms: 1,
        }])
        .await;
        idle().await;
        turn(&[Step::Tools(vec![ToolCall::bash("echo hello")])]).await;
        grant(opencode).await;
        idle().await;
        turn(&[Step::Tools(vec![subagent()])]).await;
        reply_to_subagent(opencode, &session).await;
        idle().await;
        turn(&[Step::Tools(vec![ToolCall::question(json!([]))])]).await;
        opencode.wait_questions(opencode.directory(), 1).await;
        // 1.1.53 stores the tool's part only after it has asked.
        eventually("the three tool parts", SOON, async || {
            let parts = opencode.tool_parts(&session, opencode.directory()).await;
            let tools: Vec<_> = parts
                .iter()
                .map(|part| part["tool"].as_str().unwrap())
                .collect();
            (tools == ["bash", "task", "question"]).then_some(())
        })
        .await;
        opencode.abort(&session, opencode.directory()).await;
        idle().await;
    }
    assert!(
        model
            .tool_results()
            .iter()
            .any(|(_, told)| told.contains("hello"))
    );
}

/// Runs a turn that fails, in a session of its own: a prompt that comes while a failed turn is
/// still being wound up may never be played.
async fn fail(opencode: &OpenCode) {
    let session = opencode.session(opencode.directory(), "Fails").await;
    opencode
        .prompt(&session, opencode.directory(), &script(&[Step::Fail(400)]))
        .await;
    opencode.wait_idle(&session, opencode.directory()).await;
}

fn subagent() -> ToolCall {
    let options = json!([{ "label": "Yes", "description": "" }]);
    let question = json!([{ "question": "Shall I?", "header": "Sub", "options": options }]);
    let prompt = script(&[Step::Tools(vec![ToolCall::question(question)])]);
    let arguments = json!({ "description": "Ask", "prompt": prompt, "subagent_type": "asker" });
    ToolCall::new("task", arguments)
}

async fn grant(opencode: &OpenCode) {
    let pending = opencode.wait_permissions(opencode.directory(), 1).await;
    let id = pending[0]["id"].as_str().unwrap();
    assert_eq!(
        opencode.permit(opencode.directory(), id, "once").await.0,
        200
    );
}

async fn reply_to_subagent(opencode: &OpenCode, parent: &str) {
    let pending = opencode.wait_questions(opencode.directory(), 1).await;
    assert_ne!(pending[0]["sessionID"], parent);
    let id = pending[0]["id"].as_str().unwrap();
    let (status, _) = opencode
        .reply(opencode.directory(), id, json!([["Yes"]]))
        .await;
    assert_eq!(status, 200);
}
