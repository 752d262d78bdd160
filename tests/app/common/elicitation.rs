//! A form of an MCP server, as Claude Code hands it to its hook, and what goes back.

use super::SOON;
use super::counter::Scene;
use serde_json::Value;
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};

/// Starts the hook with the event of a form. The schema goes to it as it is written here.
pub(crate) async fn fill_in(scene: &Scene, schema: &str) -> Child {
    let event = format!(
        r#"{{"session_id":"36d61c13-9eed-4a3c-bb72-232c4fbba385",
        "transcript_path":"/tmp/none.jsonl","cwd":"/tmp","hook_event_name":"Elicitation",
        "mcp_server_name":"lab","message":"Please","mode":"form","requested_schema":{schema}}}"#
    );
    hook(scene, &event).await
}

/// Starts the hook of Claude Code with that event.
pub(crate) async fn hook(scene: &Scene, event: &str) -> Child {
    let mut command = scene.beckon.prepare(&["hook", "claude-code"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut hook = Command::from(command).kill_on_drop(true).spawn().unwrap();

    let mut input = hook.stdin.take().unwrap();
    input.write_all(event.as_bytes()).await.unwrap();
    hook
}

/// Returns what an open ask shows.
pub(crate) async fn shown(scene: &Scene, id: &str) -> Value {
    scene.beckon.command(&["show", id, "--json"]).await.json()
}

/// Returns the titles of the fields of an open form, in their order.
pub(crate) async fn fields_of(scene: &Scene, id: &str) -> Vec<String> {
    let shown = shown(scene, id).await;
    let title = |question: &Value| question["header"].as_str().unwrap().to_owned();
    shown["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(title)
        .collect()
}

/// Answers an ask and returns what its hook says to Claude Code.
pub(crate) async fn answered(scene: &Scene, hook: Child, words: &[&str]) -> Value {
    let mut command = scene.beckon.prepare(words);
    command.stdout(Stdio::null());
    // Nobody tells it here what Claude Code made of the answer, so it goes on waiting.
    let _taken = Command::from(command).kill_on_drop(true).spawn().unwrap();

    let output = tokio::time::timeout(SOON, hook.wait_with_output()).await;
    let said: Value = serde_json::from_slice(&output.unwrap().unwrap().stdout).unwrap();
    said["hookSpecificOutput"].clone()
}
