//! <https://github.com/anthropics/claude-code/issues/76808> and
//! <https://github.com/juanandresgs/claude-ctrl/issues/34>: a worktree was removed while its
//! session went on. Hooks that asked where they are failed, and nobody was asked any more.

use crate::common::SOON;
use crate::common::counter::Scene;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;

/// Runs the program with these words in a folder that is gone by then.
fn in_a_gone_folder(scene: &Scene, words: &[&str]) -> tokio::process::Child {
    let folder = scene.beckon.folder().join("worktree");
    std::fs::create_dir(&folder).unwrap();
    let prepared = scene.beckon.prepare(words);
    let mut command = std::process::Command::new("/bin/sh");
    command
        .args(["-c", "rmdir \"$PWD\"; exec \"$@\"", "sh"])
        .arg(prepared.get_program())
        .args(prepared.get_args());
    for (name, value) in prepared.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_from_a_folder_that_is_gone_asks() {
    let scene = Scene::start().await;
    let gone = scene.beckon.folder().join("worktree");
    let event = json!({ "session_id": "36d61c13-9eed-4a3c-bb72-232c4fbba385",
        "transcript_path": "/tmp/none.jsonl", "cwd": gone, "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": { "command": "npm ci", "description": "Install" } });
    let mut hook = in_a_gone_folder(&scene, &["hook", "claude-code"]);
    let mut input = hook.stdin.take().unwrap();
    input.write_all(event.to_string().as_bytes()).await.unwrap();
    drop(input);
    let id = scene.one_open().await;
    let deny = ["deny", &id];
    let _denied = tokio::process::Command::from(scene.beckon.prepare(&deny)).spawn();
    let output = tokio::time::timeout(SOON, hook.wait_with_output()).await;
    let said: Value = serde_json::from_slice(&output.unwrap().unwrap().stdout).unwrap();
    assert_eq!(said["hookSpecificOutput"]["decision"]["behavior"], "deny");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_from_a_folder_that_is_gone_gets_its_answer() {
    let scene = Scene::start().await;
    let asking = in_a_gone_folder(
        &scene,
        &[
            "ask",
            "--question",
            "Where am I?",
            "--choice",
            "Here",
            "--choice",
            "Nowhere",
        ],
    );
    scene.press("Where am I?", "Nowhere").await;
    let output = tokio::time::timeout(SOON, asking.wait_with_output()).await;
    let said = String::from_utf8(output.unwrap().unwrap().stdout).unwrap();
    assert_eq!(said.trim(), "Nowhere");
}
