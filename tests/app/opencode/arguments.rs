//! Tests of a call's arguments beyond what its permission says: they are shown field by field, and
//! one press never allows what is not shown.

mod reading;

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage};
use beckon_support::eventually;
use beckon_support::model::{MODEL, PROVIDER, Step, ToolCall, script};
use beckon_support::notifications::Shown;
use beckon_support::opencode::Version;
use beckon_support::replay::{Fault, Kind, permission};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const VERSIONS: [Version; 2] = [Version::V1_1_53, Version::V1_18_33];
/// A model's name for which OpenCode offers `apply_patch` instead of `edit` and `write`.
const PATCHING: &str = "gpt-5-scripted";
const TOOLS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/app/opencode/arguments/tools.mjs"
);

/// Makes a project of its own with these settings and files.
fn project(stage: &Stage, settings: &Value, files: &[&str]) -> String {
    let folder = PathBuf::from(stage.directory()).join("other");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("opencode.json"), settings.to_string()).unwrap();
    for file in files {
        std::fs::write(folder.join(file), format!("{file}\n")).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

async fn call(stage: &Stage, project: &str, model: &str, tool: ToolCall) {
    let steps = [Step::Tools(vec![tool]), Step::Text("Done.".into())];
    let session = stage.opencode.session(project, "A session").await;
    let prompt = script(&steps);
    stage
        .opencode
        .prompt_model(&session, project, model, &prompt)
        .await;
}

/// Waits until the arguments of the one ask are completely known.
async fn told(stage: &Stage) -> Value {
    eventually("the call is told", SOON, async || {
        let list = stage.beckon.list().await;
        let [ask] = list.as_slice() else { return None };
        let is_partial = ask["permission"]["is_partial"] == true;
        (!is_partial).then(|| ask.clone())
    })
    .await
}

fn arguments(ask: &Value) -> Vec<(&str, &str)> {
    let given = ask["permission"]["arguments"].as_array();
    given
        .into_iter()
        .flatten()
        .map(|argument| {
            (
                argument["name"].as_str().unwrap(),
                argument["value"].as_str().unwrap(),
            )
        })
        .collect()
}

/// Waits for the notification that has all of these lines and a button that allows the call.
async fn allowed_by_a_press(stage: &Stage, lines: &[&str]) -> Shown {
    let has_all = |shown: &Shown| lines.iter().all(|line| shown.body.contains(line));
    let is_it = |shown: &Shown| has_all(shown) && shown.action("Allow once").is_some();
    stage.daemon.wait_for(is_it, SOON).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_of_an_mcp_server_shows_its_arguments_before_a_press_allows_it() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        let settings = json!({
            "mcp": { "db": { "type": "local", "command": ["node", TOOLS] } },
            "permission": { "db_drop": "ask" },
        });
        let project = project(&stage, &settings, &[]);
        let tool = ToolCall::new("db_drop", json!({ "table": "users", "cascade": true }));
        call(&stage, &project, MODEL, tool).await;

        let ask = told(&stage).await;
        assert_eq!(arguments(&ask), [("cascade", "true"), ("table", "users")]);
        let shown = allowed_by_a_press(&stage, &["table: users", "cascade: true"]).await;
        let first = stage
            .daemon
            .all()
            .into_iter()
            .find(|one| one.id == shown.id);
        assert!(
            first.is_some_and(|first| first.action("Allow once").is_none()
                || first.body.contains("cascade: true")),
            "a press allows nothing beside what is not shown"
        );

        let listed = stage.command(&["list"]).await.stdout;
        assert!(listed.contains("table: users"), "{listed}");
        let granted = stage.command(&["grant", ask["id"].as_str().unwrap()]).await;
        assert_eq!(granted.status, Some(0), "{granted:?}");
        let history = eventually("it is in the history", SOON, async || {
            let history = stage.beckon.get("/history").await.to_string();
            history.contains("db_drop").then_some(history)
        })
        .await;
        assert!(history.contains("table: users"), "{history}");
        assert!(history.contains("cascade: true"), "{history}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_runs_elsewhere_says_where() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        let project = project(&stage, &json!({}), &["a.txt"]);
        let given =
            json!({ "command": "ls", "workdir": project.clone() + "/", "description": "Looks" });
        call(&stage, &project, MODEL, ToolCall::new("bash", given)).await;

        let ask = told(&stage).await;
        let workdir = project.clone() + "/";
        assert_eq!(
            arguments(&ask),
            [("description", "Looks"), ("workdir", workdir.as_str())],
            "{version:?}"
        );
        assert_eq!(ask["permission"]["command"], "ls");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_and_a_subagent_say_all_that_they_are_given() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        let settings = json!({ "permission": { "grep": "ask", "task": "ask" } });
        let project = project(&stage, &settings, &["a.txt"]);
        let search = json!({ "pattern": "secret", "path": project, "include": "*.txt" });
        call(&stage, &project, MODEL, ToolCall::new("grep", search)).await;
        let ask = told(&stage).await;
        assert_eq!(
            arguments(&ask),
            [("include", "*.txt"), ("path", project.as_str())],
            "{version:?}"
        );
        stage.command(&["grant", ask["id"].as_str().unwrap()]).await;
        stage.nothing_left().await;

        let task = json!({
            "description": "Look around", "prompt": "Delete everything", "subagent_type": "general",
        });
        call(&stage, &project, MODEL, ToolCall::new("task", task)).await;
        let ask = told(&stage).await;
        let given = arguments(&ask);
        assert!(
            given.contains(&("prompt", "Delete everything")),
            "{given:?}"
        );
        assert!(given.contains(&("description", "Look around")), "{given:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_before_beckon_began_and_what_outlives_it_is_told_as_well() {
    let stage = Stage::without_beckon(Version::V1_18_33).await;
    let project = project(&stage, &json!({}), &[]);
    let given = json!({ "command": "ls", "workdir": "/", "description": "Looks" });
    call(&stage, &project, MODEL, ToolCall::new("bash", given)).await;
    stage.opencode.wait_permissions(&project, 1).await;
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    let before = told(&stage).await;
    assert!(!arguments(&before).is_empty());

    stage.beckon.kill9();
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    let after = told(&stage).await;
    assert_eq!(arguments(&after), arguments(&before));
    assert_eq!(after["fingerprint"], before["fingerprint"]);
    assert_ne!(after["changed"], true, "nothing has changed at its source");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_patch_says_which_files_it_deletes_and_where_it_moves_them() {
    let stage = Stage::start(Version::V1_18_33).await;
    let models = json!({ PATCHING: { "name": "Patching", "tool_call": true,
        "limit": { "context": 200_000, "output": 8_000 } } });
    let settings = json!({ "provider": { PROVIDER: { "models": models } } });
    let project = project(&stage, &settings, &["a.txt", "c.txt"]);
    let patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: .git/hooks/pre-commit\n\
                 @@\n-a.txt\n+#!/bin/sh\n*** Delete File: c.txt\n*** End Patch";
    let tool = ToolCall::new("apply_patch", json!({ "patchText": patch }));
    call(&stage, &project, PATCHING, tool).await;

    let ask = told(&stage).await;
    // The paths are relative to the session's folder.
    let moved = json!({ "does": "move", "path": "a.txt", "to": ".git/hooks/pre-commit" });
    let deleted = json!({ "does": "delete", "path": "c.txt" });
    assert_eq!(ask["permission"]["files"], json!([moved, deleted]));
    let purpose = &ask["permission"]["purpose"];
    assert_eq!(purpose["verb"], "change");
    let objects = ["c.txt", "a.txt → .git/hooks/pre-commit"];
    assert_eq!(purpose["objects"], json!(objects));
    let risks: Vec<&str> = ask["risks"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|mark| mark["risk"].as_str())
        .collect();
    assert_eq!(risks, ["deletes"]);

    let listed = stage.command(&["list"]).await.stdout;
    assert!(listed.contains("delete: c.txt"), "{listed}");
    assert!(listed.contains("and a change of"), "{listed}");
    assert!(Path::new(&project).join("c.txt").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_terminal_a_call_that_is_not_told_is_allowed_by_who_says_what_they_saw() {
    let stage = Rehearsal::start().await;
    let mut wish = permission("per_1", SESSION, "*");
    wish["permission"] = json!("db_drop");
    wish["metadata"] = json!({});
    let path = format!("/session/{SESSION}/message/msg_per_1");
    stage.replay.fault(&path, Some(Fault::Status(500)));
    stage.replay.ask(Kind::Permission, DIRECTORY, wish).await;
    let ask = eventually("it is listed", SOON, async || {
        stage.beckon.list().await.first().cloned()
    })
    .await;
    assert_eq!(ask["permission"]["is_partial"], true);

    for always in [&["grant", "per_1"][..], &["grant", "per_1", "--always"]] {
        let refused = stage.beckon.command(always).await;
        assert_eq!(refused.status, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("--seen"), "{refused:?}");
    }
    assert_eq!(stage.replay.replies().len(), 0);

    let seen = ask["fingerprint"].as_str().unwrap();
    let granted = stage
        .beckon
        .command(&["grant", "per_1", "--seen", seen])
        .await;
    assert_eq!(granted.status, Some(0), "{granted:?}");
    assert_eq!(stage.replay.wait_replies(1, SOON).await.len(), 1);
}
