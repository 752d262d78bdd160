//! <https://github.com/MCPJam/inspector/pull/3228>: the limits of a form's fields were read and
//! never enforced. A wrong entry went to the server, which refused the whole form.

use crate::common::SOON;
use crate::common::counter::Scene;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_limit_comes_back_with_that_limit_and_nothing_is_sent() {
    let scene = Scene::start().await;
    let schema = json!({ "type": "object", "required": ["tag", "share"], "properties": {
        "tag": { "type": "string", "pattern": "^v[0-9]+$" },
        "share": { "type": "number", "exclusiveMinimum": 0, "maximum": 1, "multipleOf": 0.25 } } });
    let event = json!({ "session_id": "36d61c13-9eed-4a3c-bb72-232c4fbba385",
        "transcript_path": "/tmp/none.jsonl", "cwd": "/tmp", "hook_event_name": "Elicitation",
        "mcp_server_name": "lab", "message": "Release?", "mode": "form", "requested_schema": schema });
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
    let answer = |tag: &str, share: &str| {
        let words = [
            "answer",
            &id,
            "--question",
            "1",
            "--text",
            share,
            "--question",
            "2",
            "--text",
            tag,
        ];
        let mut command = scene.beckon.prepare(&words);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let command = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn();
        command.unwrap()
    };
    for (tag, share, limit) in [
        ("latest", "0.5", "^v[0-9]+$"),
        ("v3", "0", "above 0"),
        ("v3", "0.3", "multiple of 0.25"),
    ] {
        let refused = answer(tag, share).wait_with_output().await.unwrap();
        let why = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && why.contains(limit), "{why}");
    }
    // The command goes on waiting: nothing reports here whether Claude Code took the answer.
    let _taken = answer("v3", "0.75");
    let output = tokio::time::timeout(SOON, hook.wait_with_output()).await;
    let said: Value = serde_json::from_slice(&output.unwrap().unwrap().stdout).unwrap();
    let content = &said["hookSpecificOutput"]["content"];
    assert_eq!(*content, json!({ "tag": "v3", "share": 0.75 }), "{said}");
}
