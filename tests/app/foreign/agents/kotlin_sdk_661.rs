//! <https://github.com/modelcontextprotocol/kotlin-sdk/pull/661> and
//! <https://github.com/modelcontextprotocol/python-sdk/issues/1540>: a form named a value for who
//! has no wish of their own, and nobody was shown it. A field that had to be filled in had to be
//! typed.

use crate::common::SOON;
use crate::common::counter::Scene;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;

#[tokio::test(flavor = "multi_thread")]
async fn the_value_that_a_field_has_by_itself_is_a_choice() {
    let scene = Scene::start().await;
    let schema = json!({ "type": "object", "required": ["branch", "port"], "properties": {
        "branch": { "type": "string", "default": "main" },
        "port": { "type": "integer", "default": 8080, "minimum": 1 } } });
    let event = json!({ "session_id": "36d61c13-9eed-4a3c-bb72-232c4fbba385",
        "transcript_path": "/tmp/none.jsonl", "cwd": "/tmp", "hook_event_name": "Elicitation",
        "mcp_server_name": "lab", "message": "Where?", "mode": "form", "requested_schema": schema });
    let mut command = scene.beckon.prepare(&["hook", "claude-code"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut hook = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut input = hook.stdin.take().unwrap();
    input.write_all(event.to_string().as_bytes()).await.unwrap();
    drop(input);

    let id = scene.one_open().await;
    let words = [
        "answer",
        &id,
        "--question",
        "1",
        "--choice",
        "1",
        "--question",
        "2",
        "--choice",
        "1",
    ];
    let mut command = scene.beckon.prepare(&words);
    command.stdout(Stdio::null());
    // Nobody tells it here what Claude Code made of the answer, so it goes on waiting.
    let _taken = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let output = tokio::time::timeout(SOON, hook.wait_with_output()).await;
    let said: Value = serde_json::from_slice(&output.unwrap().unwrap().stdout).unwrap();
    let content = &said["hookSpecificOutput"]["content"];
    assert_eq!(
        *content,
        json!({ "branch": "main", "port": 8080 }),
        "{said}"
    );
}
