//! Tests of `beckon hook claude-code`, fed with the JSON of each kind of event. The files in
//! `recorded/` are what Claude Code 2.1.330 sent, except for names of folders; those in `written/`
//! follow the documentation (<https://code.claude.com/docs/en/hooks>). Tests with Claude Code
//! itself are in `../claude_code.rs`.

mod absence;
mod equals;
mod held;
mod odd;
mod processes;
mod settings;
mod terminal;
mod tools;
mod transcript;

use crate::common::counter::Scene;
use crate::common::{SOON, restarted};
use beckon_support::beckon::{Beckon, Output};
use beckon_support::eventually;
use beckon_support::notifications::{DISMISSED, Shown};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::process::Child;

const COMMAND: &str = "wants to run rm";

fn event(name: &str) -> Value {
    let folder = if name.contains('/') { "" } else { "written/" };
    let path = format!(
        "{}/tests/app/agents/hooks/{folder}{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Returns a recorded event with some fields changed.
fn with(name: &str, changes: Value) -> Value {
    let mut event = event(name);
    let changes = changes.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(changes);
    event
}

/// Starts a hook; writes and closes its stdin.
async fn start(scene: &Scene, arguments: &[&str], input: &str) -> Child {
    let mut command = scene
        .beckon
        .prepare(&[&["hook", "claude-code"], arguments].concat());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut hook = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    hook.stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .await
        .unwrap();
    hook
}

async fn ended(hook: Child) -> Output {
    let output = tokio::time::timeout(SOON, hook.wait_with_output()).await;
    output.expect("the hook ends").unwrap().into()
}

/// Waits for the hook and returns its decision.
async fn decision(hook: Child) -> Value {
    let output = ended(hook).await;
    assert_eq!(
        (output.status, output.stderr.as_str()),
        (Some(0), ""),
        "{output:?}"
    );
    output.json()["hookSpecificOutput"].clone()
}

async fn no_opinion(hook: Child) {
    let output = ended(hook).await;
    let said = (
        output.status,
        output.stdout.as_str(),
        output.stderr.as_str(),
    );
    assert_eq!(said, (Some(0), "", ""));
}

/// Writes the entry of the events' session into Claude Code's register of sessions. The dialog that
/// an answer is for is gone when the status is `busy`.
fn register(scene: &Scene, status: &str) {
    registered(
        scene,
        status,
        if status == "waiting" { 1_000 } else { 2_000 },
    );
}

/// Writes the entry with the time since when the status holds.
fn registered(scene: &Scene, status: &str, since: u64) {
    let folder = scene.beckon.folder().join("user/.claude/sessions");
    std::fs::create_dir_all(&folder).unwrap();
    let session = event("permission_request")["session_id"].clone();
    let entry = json!({
        "pid": std::process::id(), "sessionId": session, "status": status,
        "updatedAt": since, "statusUpdatedAt": since,
    });
    let fresh = folder.join("fresh");
    std::fs::write(&fresh, entry.to_string()).unwrap();
    std::fs::rename(fresh, folder.join("1.json")).unwrap();
}

/// Returns the hook's decision, and lets Claude Code go on with it.
async fn decided(scene: &Scene, hook: Child) -> Value {
    let decision = decision(hook).await;
    register(scene, "busy");
    decision
}

/// Answers by the command line, which waits for the proof, and returns the hook's decision.
async fn answered(scene: &Scene, words: &[&str], hook: Child) -> Value {
    let (output, decision) = tokio::join!(scene.beckon.command(words), decided(scene, hook));
    let said = (output.status, output.stdout.lines().next());
    assert_eq!(said, (Some(0), Some("Delivered.")), "{output:?}");
    decision
}

/// Answers where no register proves the answer, but the event `next` does; returns the decision.
async fn proven(scene: &Scene, words: &[&str], hook: Child, next: Value) -> Value {
    let (output, decision) = tokio::join!(scene.beckon.command(words), async {
        let decision = decision(hook).await;
        no_opinion(start(scene, &[], &next.to_string()).await).await;
        decision
    });
    let said = (output.status, output.stdout.trim());
    assert_eq!(said, (Some(0), "Delivered."), "{output:?}");
    decision
}

/// Returns the end of the subagent that wants to change a file.
fn subagent_stop() -> Value {
    with(
        "permission_request_edit",
        json!({ "hook_event_name": "SubagentStop" }),
    )
}

async fn asked(scene: &Scene, event: Value) -> (Child, String) {
    register(scene, "waiting");
    let hook = start(scene, &[], &event.to_string()).await;
    let id = scene.one_open().await;
    (hook, id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_allowed_from_the_notification() {
    let scene = Scene::start().await;
    let harmless = json!({ "tool_input": { "command": "npm ci", "description": "Install" } });
    let (hook, id) = asked(&scene, with("permission_request", harmless)).await;
    let shown = scene.shown("wants to run npm").await;
    assert_eq!(
        (shown.summary.as_str(), shown.body.as_str()),
        ("shop (Claude Code) wants to run npm", "npm ci")
    );
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(ask["session"]["agent"], "Claude Code");
    assert_eq!(ask["session"]["title"], "Install");
    assert!(ask.get("risks").is_none(), "{ask}");
    scene.press("wants to run npm", "Allow once").await;
    let decision = decided(&scene, hook).await;
    let expected =
        json!({ "hookEventName": "PermissionRequest", "decision": { "behavior": "allow" } });
    assert_eq!(decision, expected);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dangerous_command_says_so_and_takes_more_than_a_press() {
    let scene = Scene::start().await;
    let (hook, id) = asked(&scene, event("permission_request")).await;
    let shown = scene.shown(COMMAND).await;
    assert_eq!(
        shown.body,
        "Deletes files, and can't be undone.\nrm -rf node_modules"
    );
    assert!(shown.action("Allow once").is_none(), "{:?}", shown.actions);
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    let risk = json!({ "risk": "deletes", "words": "rm -rf", "start": 0, "end": 6 });
    assert_eq!(ask["risks"], json!([risk]));
    let listed = scene.beckon.command(&["list"]).await.stdout;
    assert!(
        listed.contains("  ⚠ Deletes files, and can't be undone."),
        "{listed}"
    );
    let given = answered(&scene, &["grant", &id], hook).await;
    assert_eq!(given["decision"], json!({ "behavior": "allow" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn always_is_all_that_claude_suggests_for_this_session_only() {
    let scene = Scene::start().await;
    let (hook, id) = asked(&scene, event("permission_request")).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    let means = [
        "file edits and common file commands, even rm -rf (the mode “accept edits”)",
        "Bash(rm -rf node_modules)",
    ];
    assert_eq!(ask["permission"]["always"], json!(means));
    let words = ["grant", &id, "--always"];
    let (output, given) = tokio::join!(scene.beckon.command(&words), decided(&scene, hook));
    assert!(output.stdout.starts_with("Delivered.\n"), "{output:?}");
    for also in means {
        assert!(output.stdout.contains(also), "{output:?}");
    }
    let mode = json!({ "type": "setMode", "mode": "acceptEdits", "destination": "session" });
    let rules = json!([{ "toolName": "Bash", "ruleContent": "rm -rf node_modules" }]);
    let rule = json!({ "type": "addRules", "rules": rules, "behavior": "allow", "destination": "session" });
    let expected = json!({ "behavior": "allow", "updatedPermissions": [mode, rule] });
    assert_eq!(given["decision"], expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejection_takes_its_reason_to_the_model() {
    let scene = Scene::start().await;
    let (hook, id) = asked(&scene, event("permission_request_edit")).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(
        ask["permission"]["patterns"],
        json!(["/home/me/shop/src/main.rs"])
    );
    let diff = "-fn main() {\n-    todo!()\n+fn main() {\n+    serve()";
    assert_eq!(ask["permission"]["diff"], json!(diff));
    assert_eq!(ask["session"]["agent"], "Claude Code · Explore");
    let words = ["deny", &id, "--reason", "写测试 first"];
    let given = proven(&scene, &words, hook, subagent_stop()).await;
    let expected = json!({ "behavior": "deny", "message": "写测试 first" });
    assert_eq!(given["decision"], expected);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_answered_in_the_input_of_the_tool() {
    let scene = Scene::start().await;
    let asking = event("questions");
    let (hook, id) = asked(&scene, asking.clone()).await;
    let words = [
        "answer",
        &id,
        "--question",
        "1",
        "--text",
        "Svelte, 真的",
        "--question",
        "2",
        "--choice",
        "3,1",
    ];
    let decision = answered(&scene, &words, hook).await["decision"].clone();
    assert_eq!(decision["behavior"], "allow");
    let mut input = asking["tool_input"].clone();
    input["answers"] =
        json!({ "Which framework?": "Svelte, 真的", "Which features?": "Tests, Router" });
    assert_eq!(decision["updatedInput"], input, "all else is as it was");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_before_its_tool_runs_is_answered_by_a_press() {
    let scene = Scene::start().await;
    let asking = event("pre_tool_use_question");
    let hook = start(&scene, &[], &asking.to_string()).await;
    scene.press("Deploy now?", "Tomorrow").await;
    let mut input = asking["tool_input"].clone();
    input["answers"] = json!({ "Deploy now?": "Tomorrow" });
    let expected = json!({
        "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
    });
    assert_eq!(decision(hook).await, expected);
    let ran = json!({ "hook_event_name": "PostToolUse", "tool_input": input });
    no_opinion(start(&scene, &[], &with("pre_tool_use_question", ran).to_string()).await).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dismissed_question_is_denied_and_says_why() {
    let scene = Scene::start().await;
    let denied = "The user dismissed this question without answering it.";
    let (hook, id) = asked(&scene, event("questions")).await;
    let given = answered(&scene, &["dismiss", &id], hook).await;
    let expected = json!({ "behavior": "deny", "message": denied });
    assert_eq!(given["decision"], expected);
    scene.nothing_left().await;
    let (hook, id) = asked(&scene, event("pre_tool_use_question")).await;
    let decision = proven(&scene, &["dismiss", &id], hook, event("stop")).await;
    assert_eq!(decision["permissionDecision"], "deny");
    assert_eq!(decision["permissionDecisionReason"], denied);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_claude_says_is_shown_once() {
    let scene = Scene::start().await;
    no_opinion(start(&scene, &[], &event("notification").to_string()).await).await;
    let idle = |shown: &beckon_support::notifications::Shown| shown.summary == "Claude Code · shop";
    let shown = scene.daemon.wait_for(idle, SOON).await;
    assert_eq!(shown.body, "Claude is waiting for your input");
    let (hook, id) = asked(&scene, event("permission_request")).await;
    scene.shown(COMMAND).await;
    let before = scene.daemon.all().len();
    let needs = json!({ "message": "Claude needs your permission", "notification_type": "permission_prompt" });
    no_opinion(
        start(
            &scene,
            &[],
            &with("notification", needs.clone()).to_string(),
        )
        .await,
    )
    .await;
    assert_eq!(scene.daemon.all().len(), before, "it is asked already");
    answered(&scene, &["grant", &id], hook).await;
    no_opinion(start(&scene, &[], &with("notification", needs).to_string()).await).await;
    scene
        .daemon
        .wait_for(|shown| shown.body == "Claude needs your permission", SOON)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_over_is_told_only_on_request_and_takes_what_it_asked_along() {
    let scene = Scene::start().await;
    let (hook, _) = asked(&scene, event("permission_request")).await;
    scene.shown(COMMAND).await;
    let other = json!({ "session_id": "another" });
    no_opinion(start(&scene, &[], &with("stop", other).to_string()).await).await;
    scene.one_open().await;
    no_opinion(start(&scene, &[], &event("stop").to_string()).await).await;
    no_opinion(hook).await;
    scene.nothing_left().await;
    for tasks in [
        json!([{ "id": "t" }]),
        json!([{ "id": "t", "status": "completed" }, { "id": "u", "status": "running" }]),
    ] {
        let busy = with("stop", json!({ "background_tasks": tasks }));
        no_opinion(start(&scene, &["--finished"], &busy.to_string()).await).await;
    }
    let said = |scene: &Scene| {
        scene
            .daemon
            .all()
            .iter()
            .any(|s| s.body == "All 312 tests pass.")
    };
    assert!(
        !said(&scene),
        "something still runs, or nobody wants to know"
    );
    // The background tasks have ended as well.
    let ended = with(
        "stop",
        json!({ "background_tasks": [
        { "id": "t", "status": "completed" }, { "id": "u", "status": "Failed" }, null] }),
    );
    no_opinion(start(&scene, &["--finished"], &ended.to_string()).await).await;
    scene
        .daemon
        .wait_for(|shown| shown.body == "All 312 tests pass.", SOON)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_without_a_list_of_background_tasks_is_over() {
    let scene = Scene::start().await;
    let ended = with("stop", json!({ "background_tasks": null }));
    no_opinion(start(&scene, &["--finished"], &ended.to_string()).await).await;
    scene
        .daemon
        .wait_for(|shown| shown.body == "All 312 tests pass.", SOON)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_in_the_terminal_takes_away_that_ask_and_no_other() {
    let scene = Scene::start().await;
    let command = event("permission_request");
    let (in_the_terminal, _) = asked(&scene, command.clone()).await;
    let open = start(&scene, &[], &event("permission_request_edit").to_string()).await;
    scene.shown("wants to edit main.rs").await;
    let ran = with(
        "permission_request",
        json!({ "hook_event_name": "PostToolUse", "tool_response": {} }),
    );
    no_opinion(start(&scene, &[], &ran.to_string()).await).await;
    no_opinion(in_the_terminal).await;
    let id = scene.one_open().await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(ask["permission"]["permission"], "edit");
    let given = proven(&scene, &["grant", &id], open, subagent_stop()).await;
    assert_eq!(given["decision"]["behavior"], "allow");
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_that_ends_takes_its_ask_with_it() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("event.json");
    std::fs::write(&file, event("permission_request").to_string()).unwrap();
    let hook = scene.beckon.prepare(&["hook", "claude-code"]);
    // A shell in Claude's place that does not replace itself with the hook.
    let script = format!("{:?} hook claude-code < {file:?}; true", hook.get_program());
    let mut claude = tokio::process::Command::new("sh");
    let environment = hook
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    claude
        .arg("-c")
        .arg(script)
        .env_clear()
        .envs(environment)
        .stdout(Stdio::null());
    let mut claude = claude.spawn().unwrap();
    let id = scene.one_open().await;
    claude.kill().await.unwrap();
    eventually("the ask is gone", SOON, async || {
        (scene.look(&id).await["state"] == "gone").then_some(())
    })
    .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beckon_killed_while_claude_waits_asks_again_and_the_hook_decides() {
    let scene = Scene::start().await;
    let (hook, _) = asked(&scene, event("permission_request")).await;
    scene.shown(COMMAND).await;
    scene.beckon.kill9();
    let again = restarted(&scene.beckon, &scene.daemon, COMMAND).await;
    scene
        .daemon
        .press(again.id, again.action("Reject").unwrap());
    assert_eq!(decided(&scene, hook).await["decision"]["behavior"], "deny");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_beckon_and_with_bad_input_there_is_no_opinion_at_once() {
    let scene = Scene::start().await;
    let whole = event("permission_request").to_string();
    let other = with(
        "permission_request",
        json!({ "hook_event_name": "PreCompact" }),
    )
    .to_string();
    let twice = json!({ "question": "Same?", "options": [] });
    let ambiguous = with(
        "questions",
        json!({ "tool_input": { "questions": [twice, twice] } }),
    );
    let numbers = with("questions", json!({ "tool_input": { "questions": 7 } }));
    let none = with("questions", json!({ "tool_input": null }));
    let bad = ["", "{", "[]", "null", &whole[..90], &other];
    let bad = bad.map(str::to_owned).into_iter();
    for input in bad.chain([ambiguous, numbers, none].map(|event| event.to_string())) {
        no_opinion(start(&scene, &[], &input).await).await;
    }
    let list = scene.beckon.list().await;
    let unreadable = |ask: &Value| ask["unknown"].is_string();
    assert!(
        list.iter().all(unreadable),
        "each is said, and none can be answered here: {list:?}"
    );
    scene.beckon.sigstop();
    let began = Instant::now();
    no_opinion(start(&scene, &[], &whole).await).await;
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "a hung one: {:?}",
        began.elapsed()
    );
    scene.beckon.sigcont();
    scene.beckon.kill9();
    let began = Instant::now();
    no_opinion(start(&scene, &[], &whole).await).await;
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "a dead one: {:?}",
        began.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_that_cannot_even_begin_has_no_opinion() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let whole = event("permission_request").to_string();
    let homeless = ["BECKON_HOME", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];
    // An older Beckon does not know what a newer one wrote into the settings.
    let cases: [(&[&str], &[&str]); 4] = [
        (&["hook", "claude-code"], &homeless),
        (&["hook", "claude-code", "--of-tomorrow"], &[]),
        (&["hook", "agent-of-tomorrow"], &[]),
        (&["hook"], &[]),
    ];
    for (arguments, without) in cases {
        let mut command = beckon.prepare(arguments);
        without.iter().for_each(|name| _ = command.env_remove(name));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut hook = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        // The hook may end without having read its input.
        let _ = hook.stdin.take().unwrap().write_all(whole.as_bytes()).await;
        no_opinion(hook).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hooks_are_put_into_claudes_settings_and_taken_out() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let file = beckon.folder().join("user/.claude/settings.json");
    let run = async |arguments: &[&str]| {
        let output = beckon
            .command(&[&["integrate", "claude-code"], arguments].concat())
            .await;
        assert_eq!(output.status, Some(0), "{output:?}");
        std::fs::read_to_string(&file).unwrap()
    };
    let installed = run(&[]).await;
    let command = format!("exec {:?} hook claude-code", env!("CARGO_BIN_EXE_beckon"));
    let settings: Value = serde_json::from_str(&installed).unwrap();
    assert_eq!(
        settings["hooks"]["PermissionRequest"][0]["hooks"][0]["command"],
        json!(command)
    );
    assert_eq!(run(&[]).await, installed);
    let older = installed.replace("exec ", "");
    std::fs::write(&file, &older).unwrap();
    let found = beckon.command(&["doctor", "--json"]).await.json();
    let hooks = found
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["leg"] == "hooks")
        .unwrap()
        .clone();
    assert_eq!(hooks["note"], true, "{hooks}");
    assert!(
        hooks["hint"]
            .as_str()
            .unwrap()
            .contains("beckon integrate claude-code"),
        "{hooks}"
    );
    assert_eq!(run(&[]).await, installed, "older ones are renewed");
    assert_eq!(run(&["--remove"]).await, "{}\n");
    std::fs::write(&file, "{ // mine\n}").unwrap();
    let refused = beckon.command(&["integrate", "claude-code"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ // mine\n}");
}

#[tokio::test(flavor = "multi_thread")]
async fn out_of_an_appimage_the_hooks_name_its_file_and_never_its_mount() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let file = beckon.folder().join("user/.claude/settings.json");
    let image = beckon.folder().join("Beckon.AppImage");
    let program = Path::new(env!("CARGO_BIN_EXE_beckon"));
    // The program that is written into the settings is run once before.
    let text = format!("#!/bin/sh\nexec '{}' \"$@\"\n", program.display());
    std::fs::write(&image, text).unwrap();
    std::fs::set_permissions(&image, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (mount, elsewhere) = (program.parent().unwrap(), beckon.folder());
    let run = async |appdir: &Path, appimage: &Path| {
        let mut command = beckon.prepare(&["integrate", "claude-code"]);
        command
            .env("APPDIR", appdir)
            .env("APPIMAGE", appimage)
            .stdin(Stdio::null());
        let output = tokio::process::Command::from(command)
            .output()
            .await
            .unwrap();
        let settings = std::fs::read_to_string(&file).unwrap_or_default();
        (Output::from(output), settings)
    };
    for unusable in ["Beckon.AppImage", "/nowhere/Beckon.AppImage", "/", ""] {
        let (refused, settings) = run(mount, Path::new(unusable)).await;
        assert_eq!(
            (refused.status, settings.as_str()),
            (Some(1), ""),
            "{unusable}: {refused:?}"
        );
        assert!(refused.stderr.contains("AppImage"), "{refused:?}");
    }
    let (done, settings) = run(mount, &image).await;
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(settings.contains(image.to_str().unwrap()), "{settings}");
    assert!(!settings.contains(program.to_str().unwrap()), "{settings}");
    // A Beckon that was started by another program's AppImage, such as a terminal's, is not in an
    // AppImage itself.
    let (done, settings) = run(elsewhere, &image).await;
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(settings.contains(program.to_str().unwrap()), "{settings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_presence_file_is_there_while_the_human_is() {
    let named = tempfile::tempdir().unwrap();
    let named = named.path().join("present");
    let program = || Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config("opencode = []\n");
    let usual = program().start();
    let told = program().env("CLAUDE_CLIENT_PRESENCE_FILE", &named).start();
    for (beckon, file) in [
        (&usual, usual.home().join("run/here")),
        (&told, named.clone()),
    ] {
        beckon.wait_ready().await;
        assert!(!file.exists(), "nobody can tell");
        let says = async |word: &str, exists: bool| {
            beckon.command(&["presence", word]).await;
            let what = format!("{word}: {}", file.display());
            eventually(&what, SOON, async || {
                (file.exists() == exists).then_some(())
            })
            .await;
        };
        says("here", true).await;
        says("away", false).await;
        says("here", true).await;
        beckon.terminate();
        assert!(!file.exists(), "nobody keeps it any more");
    }
}
