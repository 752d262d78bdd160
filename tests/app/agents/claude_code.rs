//! Tests with the real Claude Code in a terminal and the hooks that `beckon integrate claude-code`
//! writes. Its questions are answered in Beckon or in its own dialog, and each of the two notices
//! the other's answers.

use crate::common::counter::Scene;
use beckon_support::beckon::Output;
use beckon_support::claude::{self, ClaudeCode};
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use serde_json::{Value, json};
use std::time::Duration;

/// The time limit for a start of Claude Code, which takes seconds, and more on a busy machine.
const STARTED: Duration = Duration::from_secs(40);
/// The time limit for an ask that was answered in one place to be gone everywhere else; it is much
/// shorter than a command takes. Claude Code itself has to report it first, which takes seconds on
/// a busy machine.
const WITHDRAWN: Duration = Duration::from_secs(12);
/// A command that is still running when the test looks at it.
const LONG: &str = "perl -e 'sleep 30'";

/// Starts a Beckon with its hooks in Claude Code's settings, and a model that plays `steps`.
async fn asking(steps: &[Step]) -> (Scene, Model, ClaudeCode) {
    let (scene, model) = (Scene::start().await, Model::start());
    let programs = claude::binary()
        .parent()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    scene.beckon.set_env("PATH", &format!("{programs}:{path}"));
    let integrated = scene.beckon.command(&["integrate", "claude-code"]).await;
    assert_eq!(integrated.status, Some(0), "{integrated:?}");
    let claude = ClaudeCode::start(&scene.beckon, &model, &script(steps));
    (scene, model, claude)
}

fn tool(name: &str, arguments: Value) -> Step {
    Step::Tools(vec![ToolCall::new(name, arguments)])
}

fn bash(command: &str) -> Step {
    tool(
        "Bash",
        json!({ "command": command, "description": "Runs it" }),
    )
}

fn which_database() -> Step {
    let option = |label: &str| json!({ "label": label, "description": "x" });
    let question = json!({ "question": "Which database?", "header": "Database",
                           "options": (["Postgres", "SQLite"].map(option)), "multiSelect": false });
    tool("AskUserQuestion", json!({ "questions": [question] }))
}

async fn asked(scene: &Scene) -> String {
    eventually("an ask", STARTED, async || {
        scene.beckon.list().await.first()?["id"]
            .as_str()
            .map(str::to_owned)
    })
    .await
}

async fn withdrawn(scene: &Scene) {
    eventually("the card is withdrawn", WITHDRAWN, async || {
        scene.beckon.list().await.is_empty().then_some(())
    })
    .await;
}

/// Waits until the model was told `count` results, and returns the last of them.
async fn told(model: &Model, count: usize) -> String {
    eventually("the result of a tool", STARTED, async || {
        model
            .tool_results()
            .get(count - 1)
            .map(|(_, text)| text.clone())
    })
    .await
}

fn said(output: &Output) -> (Option<i32>, &str) {
    (output.status, output.stdout.trim())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_is_allowed_here_is_carried_out() {
    let plan = [
        tool("EnterPlanMode", json!({})),
        tool("ExitPlanMode", json!({})),
    ];
    let (scene, model, claude) = asking(&plan).await;
    let id = asked(&scene).await;
    claude.shows("plan", STARTED).await;
    // This model gave no plan; the human who allows it has to say that they know.
    let list = scene.beckon.list().await;
    let seen = list[0]["fingerprint"].as_str().unwrap();
    let grant = ["grant", &id, "--seen", seen];
    let granted = scene.beckon.command(&grant).await;
    assert_eq!(said(&granted), (Some(0), "Delivered."));
    assert!(
        told(&model, 2).await.contains("approved"),
        "{:?}",
        model.tool_results()
    );
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_in_the_terminal_takes_the_card_away_while_the_command_runs() {
    let (scene, model, claude) = asking(&[bash(LONG)]).await;
    let id = asked(&scene).await;
    claude.shows("Do you want to proceed?", STARTED).await;
    claude.press("Enter");
    withdrawn(&scene).await;
    assert!(model.tool_results().is_empty(), "the command still runs");
    let denied = scene.beckon.command(&["deny", &id]).await;
    assert_eq!(denied.status, Some(1), "{denied:?}");
    assert!(denied.stderr.contains("Already answered"), "{denied:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_answered_in_the_terminal_is_withdrawn_at_once() {
    let (scene, _model, claude) = asking(&[which_database(), bash(LONG)]).await;
    asked(&scene).await;
    claude.shows("Which database?", STARTED).await;
    claude.press("Enter");
    eventually("the question is withdrawn", WITHDRAWN, async || {
        let open = scene.beckon.list().await;
        open.iter()
            .all(|ask| ask["kind"] != "question")
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_from_here_is_taken_when_the_dialog_has_gone() {
    let (scene, model, claude) = asking(&[bash(LONG)]).await;
    let id = asked(&scene).await;
    claude.shows("Do you want to proceed?", STARTED).await;
    let denied = scene
        .beckon
        .command(&["deny", &id, "--reason", "写测试 first"])
        .await;
    assert_eq!(said(&denied), (Some(0), "Delivered."));
    let read = told(&model, 1).await;
    assert!(read.starts_with("写测试 first\n"), "{read}");
    eventually("the dialog has gone", STARTED, async || {
        (!claude.screen().contains("Do you want to proceed?")).then_some(())
    })
    .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn always_spares_the_same_question_the_next_time() {
    let (first, second) = (
        bash("touch made && echo one"),
        bash("touch made && echo two"),
    );
    let (scene, model, claude) = asking(&[first, second]).await;
    let id = asked(&scene).await;
    claude.shows("Do you want to proceed?", STARTED).await;
    let granted = scene.beckon.command(&["grant", &id, "--always"]).await;
    assert_eq!(granted.status, Some(0), "{granted:?}");
    assert!(
        told(&model, 2).await.contains("two"),
        "it is not asked again"
    );
    assert!(claude.project().join("made").exists());
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_claude_takes_its_card_along() {
    let (scene, _model, claude) = asking(&[bash(LONG)]).await;
    asked(&scene).await;
    claude.shows("Do you want to proceed?", STARTED).await;
    claude.kill();
    eventually("the card is gone", Duration::from_secs(6), async || {
        scene.beckon.list().await.is_empty().then_some(())
    })
    .await;
}

fn subagent() -> Step {
    let inner = script(&[bash(LONG), Step::Text("Sub finished.".into())]);
    let subtask = json!({ "description": "a subtask", "prompt": inner,
                          "subagent_type": "general-purpose" });
    tool("Agent", subtask)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_background_agent_keeps_its_card_when_the_main_thread_has_finished() {
    let (scene, model, claude) = asking(&[subagent(), Step::Text("All said.".into())]).await;
    scene.beckon.command(&["presence", "away"]).await;
    let id = asked(&scene).await;
    claude.shows("All said.", STARTED).await;
    // The hooks of the finished turn run concurrently; those of the next prompt come after them.
    claude.press("h");
    claude.press("Enter");
    eventually("the next turn is over", STARTED, async || {
        claude.screen().contains("done").then_some(())
    })
    .await;
    assert_eq!(scene.one_open().await, id);
    let before = model.tool_results().len();
    let denied = scene
        .beckon
        .command(&["deny", &id, "--reason", "not while I am out"])
        .await;
    assert_eq!(said(&denied), (Some(0), "Delivered."));
    eventually("the subagent reads it", STARTED, async || {
        let results = model.tool_results();
        results[before..]
            .iter()
            .any(|(_, text)| text.starts_with("not while I am out"))
            .then_some(())
    })
    .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_background_agents_dialog_comes_to_the_terminal_while_its_human_is_here() {
    let (scene, _model, claude) = asking(&[subagent(), Step::Text("All said.".into())]).await;
    scene.beckon.command(&["presence", "here"]).await;
    asked(&scene).await;
    assert!(
        !claude.screen().contains("Do you want to proceed?"),
        "the hook holds it back"
    );
    claude
        .shows("Do you want to proceed?", Duration::from_secs(25))
        .await;
    withdrawn(&scene).await;
}

/// Returns a step that reads files outside of any project. Claude Code asks for several calls of
/// one message at once.
fn reads(files: &[&str]) -> Step {
    let read = |file: &&str| ToolCall::new("Read", json!({ "file_path": file }));
    Step::Tools(files.iter().map(read).collect())
}

async fn both_asked(scene: &Scene) -> [String; 2] {
    eventually("two asks", STARTED, async || {
        let list = scene.beckon.list().await;
        let [one, other] = list.as_slice() else {
            return None;
        };
        Some([one, other].map(|ask| ask["id"].as_str().unwrap().to_owned()))
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_to_one_of_two_dialogs_is_delivered_while_the_other_stands() {
    let files = ["/etc/hostname", "/etc/hosts"];
    let (scene, model, claude) = asking(&[reads(&files)]).await;
    let ids = both_asked(&scene).await;
    claude.shows("Do you want to proceed?", STARTED).await;
    for id in ids {
        let words = ["deny", &id, "--reason", "写测试 first"];
        let denied = scene.beckon.command(&words).await;
        assert_eq!(said(&denied), (Some(0), "Delivered."), "{denied:?}");
    }
    told(&model, 2).await;
    let read = model.tool_results();
    let is_reason = |(_, text): &(String, String)| text.starts_with("写测试 first");
    assert!(read.iter().all(is_reason), "{read:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_that_are_word_for_word_the_same_are_asked_and_answered_one_by_one() {
    let twice = ToolCall::new(
        "Bash",
        json!({ "command": "perl -e 'print 1'", "description": "Runs it" }),
    );
    let steps = [Step::Tools(vec![twice.clone(), twice])];
    let (scene, model, claude) = asking(&steps).await;
    let mut before = String::new();
    for count in 1..=2 {
        let id = eventually("the next ask", STARTED, async || {
            let list = scene.beckon.list().await;
            let id = list.first()?["id"].as_str()?.to_owned();
            (id != before).then_some(id)
        })
        .await;
        claude.shows("Do you want to proceed?", STARTED).await;
        let granted = scene.beckon.command(&["grant", &id]).await;
        assert_eq!(said(&granted), (Some(0), "Delivered."), "{count}");
        before = id;
    }
    told(&model, 2).await;
    scene.nothing_left().await;
}
