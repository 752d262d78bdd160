//! Tests of how a card shows the arguments of the tools of Claude Code and of MCP servers.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_nobody_knows_is_shown_with_all_that_it_is_given() {
    let scene = Scene::start().await;
    let changes = json!({ "tool_name": "mcp__mail__send", "tool_input": { "to": "a@b.c" } });
    let (hook, id) = asked(&scene, with("permission_request", changes)).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(ask["permission"]["permission"], "mcp__mail__send");
    assert_eq!(ask["permission"]["patterns"], json!([]));
    let to = json!([{ "name": "to", "value": "a@b.c" }]);
    assert_eq!(ask["permission"]["arguments"], to);
    let given = answered(&scene, &["deny", &id], hook).await;
    assert_eq!(given["decision"]["message"], "The user rejected this.");
}

/// Asks for a call of that tool; returns what is shown of it.
async fn shown_of(scene: &Scene, tool: &str, input: Value) -> Value {
    let call = json!({ "tool_name": tool, "tool_input": input, "permission_suggestions": [] });
    let (hook, id) = asked(scene, with("permission_request", call)).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    answered(scene, &["deny", &id], hook).await;
    ask
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_over_a_file_shows_what_goes_away() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("notes.txt");
    let write = json!({ "file_path": file, "content": "one\nnew\n" });

    let fresh = shown_of(&scene, "Write", write.clone()).await;
    assert_eq!(fresh["permission"]["diff"], "+one\n+new");
    assert_eq!(fresh["permission"]["patterns"], json!([file]));

    std::fs::write(&file, "one\ntwo\nthree\nfour\n").unwrap();
    let over = shown_of(&scene, "Write", write.clone()).await;
    assert_eq!(
        over["permission"]["diff"],
        " one\n-two\n-three\n-four\n+new"
    );
    let said = json!([file, "the file exists: 3 lines of it go away"]);
    assert_eq!(over["permission"]["patterns"], said);

    // The contents are no text; and reading a pipe would hold the agent for ever.
    std::fs::write(&file, b"\x7fELF\0\xff").unwrap();
    let hidden = shown_of(&scene, "Write", write.clone()).await;
    assert_eq!(hidden["permission"]["diff"], "+one\n+new");
    let said = &hidden["permission"]["patterns"][1];
    assert_eq!(
        said,
        "the file exists, and can't be shown here: it is overwritten"
    );
    #[cfg(unix)]
    {
        std::fs::remove_file(&file).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
        let pipe = shown_of(&scene, "Write", write).await;
        assert_eq!(pipe["permission"]["patterns"][1], *said);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_changes_line_ends_says_so() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("notes.txt");
    std::fs::write(&file, "one\r\ntwo\r\n").unwrap();
    let write = json!({ "file_path": file, "content": "one\ntwo\n" });
    let shown = shown_of(&scene, "Write", write).await;
    let said = json!([
        file,
        "the file exists: no line of it goes away",
        "the line ends change: CRLF → LF",
    ]);
    assert_eq!(shown["permission"]["patterns"], said);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_of_all_places_says_how_many_there_are() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("notes.txt");
    std::fs::write(&file, "a = 1\r\nb = a\r\na = b\r\n").unwrap();
    let mut edit = json!({
        "file_path": file, "old_string": "a =", "new_string": "c =", "replace_all": true,
    });
    let all = shown_of(&scene, "Edit", edit.clone()).await;
    let said = json!([file, "replaces it in 2 places"]);
    assert_eq!(all["permission"]["patterns"], said);

    edit["replace_all"] = json!(false);
    let one = shown_of(&scene, "Edit", edit.clone()).await;
    assert_eq!(one["permission"]["patterns"], json!([file]));

    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    edit["replace_all"] = json!(true);
    let unseen = shown_of(&scene, "Edit", edit).await;
    let said = &unseen["permission"]["patterns"][1];
    assert_eq!(
        said,
        "replaces it everywhere in a file that can't be shown here"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_of_any_tool_is_a_command_with_its_mark() {
    let scene = Scene::start().await;
    for (tool, input) in [
        (
            "Monitor",
            json!({ "command": "rm -rf build", "description": "Wait" }),
        ),
        (
            "mcp__box__run",
            json!({ "command": "rm -rf build", "host": "box" }),
        ),
        (
            "mcp__box__exec",
            json!({ "command": ["rm", "-rf", "build"] }),
        ),
    ] {
        let ask = shown_of(&scene, tool, input).await;
        assert_eq!(ask["permission"]["command"], "rm -rf build", "{tool} {ask}");
        assert_eq!(ask["risks"][0]["risk"], "deletes", "{tool} {ask}");
    }
    let quoted = json!({ "command": ["sh", "-c", "rm -rf a"], "timeout": 7 });
    let ask = shown_of(&scene, "mcp__box__exec", quoted).await;
    assert_eq!(ask["permission"]["command"], "sh -c 'rm -rf a'");
    let written = r#"["sh","-c","rm -rf a"]"#;
    let arguments = json!([
        { "name": "command", "value": written },
        { "name": "timeout", "value": "7" },
    ]);
    assert_eq!(ask["permission"]["arguments"], arguments);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_under_any_name_is_looked_at_with_the_words_behind_it() {
    let scene = Scene::start().await;
    let line = shown_of(&scene, "mcp__sh__run", json!({ "cmd": "rm -rf x" })).await;
    assert_eq!(line["risks"][0]["risk"], "deletes", "{line}");

    // MCP servers that start programs take them in this form, Desktop Commander and Claude's own
    // among them.
    let words = json!({ "command": "rm", "args": ["-rf", "/home/ada"], "env": { "A": "b" } });
    let started = shown_of(&scene, "mcp__dc__start_process", words).await;
    assert_eq!(started["permission"]["command"], "rm");
    assert_eq!(started["permission"]["patterns"], json!([]));
    let arguments = json!([
        { "name": "args", "value": r#"["-rf","/home/ada"]"# },
        { "name": "env", "value": r#"{"A":"b"}"# },
    ]);
    assert_eq!(started["permission"]["arguments"], arguments);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_tool_runs_without_a_command_is_not_called_one() {
    let scene = Scene::start().await;
    let empty = shown_of(&scene, "mcp__sh__run", json!({ "command": "" })).await;
    let arguments = json!([{ "name": "command", "value": "" }]);
    assert_eq!(empty["permission"]["arguments"], arguments);

    let watches =
        json!({ "ws": { "url": "wss://a.example" }, "timeout_ms": 7, "description": "x" });
    let monitor = shown_of(&scene, "Monitor", watches).await;
    assert_eq!(monitor["permission"]["permission"], "Monitor");
    assert_eq!(monitor["permission"]["command"], json!(null));
    let names: Vec<&Value> = monitor["permission"]["arguments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|argument| &argument["name"])
        .collect();
    assert_eq!(names, ["description", "timeout_ms", "ws"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_that_is_not_told_is_allowed_by_no_press() {
    let scene = Scene::start().await;
    for input in [
        json!({ "planFilePath": "/home/me/plan.md" }),
        json!({ "plan": ["a"] }),
    ] {
        let call = json!({ "tool_name": "ExitPlanMode", "tool_input": input });
        let (hook, id) = asked(&scene, with("permission_request", call)).await;
        let shown = scene.shown("Start with this plan?").await;
        assert!(shown.action("Allow once").is_none(), "{shown:?}");
        let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
        assert_eq!(ask["permission"]["is_partial"], true, "{ask}");
        answered(&scene, &["deny", &id], hook).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_line_of_an_argument_looks_like_another_one() {
    let scene = Scene::start().await;
    let input = json!({ "args": "staging\nregion: production" });
    let call = json!({ "tool_name": "Skill", "tool_input": { "skill": "deploy",
                       "args": input["args"] } });
    let (hook, id) = asked(&scene, with("permission_request", call)).await;
    let shown = scene.shown("wants to use the skill deploy").await;
    assert_eq!(
        shown.body, "deploy\nargs: staging\n  region: production",
        "{shown:?}"
    );
    answered(&scene, &["deny", &id], hook).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_notebook_shows_the_cell_that_goes_away() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("a.ipynb");
    let cells = json!([
        { "cell_type": "markdown", "id": "intro", "source": "# Title" },
        { "cell_type": "code", "id": "b7", "outputs": [], "source": ["a = 1\n", "b = 2"] },
    ]);
    std::fs::write(&file, json!({ "cells": cells, "nbformat": 4 }).to_string()).unwrap();
    let edit = |more: Value| {
        let mut input = json!({ "notebook_path": file, "new_source": "a = 3" });
        input
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        input
    };
    let unseen = "the cell that goes away: it can't be shown here";
    let table = [
        (json!({ "cell_id": "b7" }), "-a = 1\n-b = 2\n+a = 3", None),
        // Claude Code's name for a cell without an id.
        (json!({ "cell_id": "cell-0" }), "-# Title\n+a = 3", None),
        (
            json!({ "cell_id": "b7", "edit_mode": "delete" }),
            "-a = 1\n-b = 2",
            None,
        ),
        (
            json!({ "cell_id": "b7", "edit_mode": "insert" }),
            "+a = 3",
            None,
        ),
        (json!({ "cell_id": "gone" }), "+a = 3", Some(unseen)),
        (
            json!({ "cell_id": "gone", "edit_mode": "delete" }),
            "",
            Some(unseen),
        ),
        (json!({ "cell_id": 7 }), "+a = 3", Some(unseen)),
    ];
    for (more, diff, says) in table {
        let ask = shown_of(&scene, "NotebookEdit", edit(more.clone())).await;
        assert_eq!(ask["permission"]["permission"], "edit", "{more}");
        assert_eq!(ask["permission"]["diff"], diff, "{more}");
        let mut patterns = vec![json!(file)];
        patterns.extend(says.map(Value::from));
        assert_eq!(ask["permission"]["patterns"], json!(patterns), "{more}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_says_nothing_does_not_hold_the_agent_up() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("log.txt");
    // The system reports a regular file, but its reader waits for the kernel's next messages. A
    // user who is not root cannot open it, and learns as little.
    std::os::unix::fs::symlink("/proc/kmsg", &file).unwrap();
    let ask = shown_of(
        &scene,
        "Write",
        json!({ "file_path": file, "content": "x" }),
    )
    .await;
    assert_eq!(ask["permission"]["diff"], "+x");
}

#[tokio::test(flavor = "multi_thread")]
async fn any_asker_may_tell_what_its_call_is_given() {
    let scene = Scene::start().await;
    let given = json!([{ "name": "cmd", "value": "rm -rf x" }]);
    let asking =
        json!({ "permission": "of_mine", "arguments": given, "is_partial": true, "ticket": true });
    let (status, _) = scene.send("POST", "/permission", Some(asking)).await;
    assert_eq!(status, 201);
    let id = scene.one_open().await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(ask["permission"]["arguments"], given);
    assert_eq!(ask["permission"]["is_partial"], true);
    assert_eq!(ask["risks"][0]["risk"], "deletes", "{ask}");
}
