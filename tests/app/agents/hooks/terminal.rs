//! Tests of hooks beside Claude Code's own terminal: which answer was first, what proves an answer,
//! which asks end together, and where the terminal has to wait. Most events are what Claude Code
//! 2.1.330 sent.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_answered_in_the_terminal_withdraws_the_ask_before_its_tool_has_run() {
    let scene = Scene::start().await;
    for asking in ["recorded/permission_request", "questions"] {
        let session = event("permission_request")["session_id"].clone();
        let (hook, id) = asked(&scene, with(asking, json!({ "session_id": session }))).await;
        register(&scene, "busy");
        no_opinion(hook).await;
        scene.nothing_left().await;
        let late = scene.beckon.command(&["dismiss", &id]).await;
        assert_eq!(late.status, Some(1), "{late:?}");
        assert!(late.stderr.contains("Already answered"), "{late:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_answered_between_two_looks_withdraws_the_ask_too() {
    let scene = Scene::start().await;
    registered(&scene, "busy", 500);
    let hook = start(&scene, &[], &event("permission_request").to_string()).await;
    let id = scene.one_open().await;
    registered(&scene, "busy", 500);
    let several_looks = Duration::from_millis(700);
    tokio::time::sleep(several_looks).await;
    assert_eq!(scene.one_open().await, id, "nothing has happened yet");
    registered(&scene, "busy", 800);
    no_opinion(hook).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_follows_another_keeps_its_card() {
    let scene = Scene::start().await;
    registered(&scene, "waiting", 500);
    let hook = start(&scene, &[], &event("permission_request").to_string()).await;
    let id = scene.one_open().await;
    for since in [600, 700, 800] {
        registered(&scene, "busy", since);
        let a_look_at_most = Duration::from_millis(230);
        tokio::time::sleep(a_look_at_most).await;
        registered(&scene, "waiting", since + 50);
        let several_looks = Duration::from_millis(600);
        tokio::time::sleep(several_looks).await;
        assert_eq!(scene.one_open().await, id);
    }
    answered(&scene, &["grant", &id], hook).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_register_says_in_another_form_means_nothing() {
    let scene = Scene::start().await;
    let (hook, id) = asked(&scene, event("permission_request")).await;
    let file = scene.beckon.folder().join("user/.claude/sessions/1.json");
    for odd in ["", "{", "[]", "{\"status\": 7}"] {
        std::fs::write(&file, odd).unwrap();
        let several_looks = Duration::from_millis(700);
        tokio::time::sleep(several_looks).await;
        assert_eq!(scene.one_open().await, id, "{odd}");
    }
    register(&scene, "waiting");
    answered(&scene, &["grant", &id], hook).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_register_an_answer_is_on_its_way_until_something_proves_it() {
    let scene = Scene::start().await;
    let asking = event("recorded/permission_request");
    let ran = json!({ "hook_event_name": "PostToolUse", "tool_response": {} });
    let ran = with("recorded/permission_request", ran).to_string();
    for label in ["Allow once", "Reject"] {
        let hook = start(&scene, &[], &asking.to_string()).await;
        scene.press("wants to run touch, echo", label).await;
        decision(hook).await;
        let list = scene.beckon.list().await;
        assert_eq!(
            list[0]["state"], "answering",
            "handed over is not taken: {list:?}"
        );
        no_opinion(start(&scene, &[], &ran).await).await;
        if label == "Reject" {
            // The command has run all the same, and the human who refused it has to know.
            let is_late = |shown: &Shown| shown.summary.starts_with("Too late: ");
            let late = scene.daemon.wait_for(is_late, SOON).await;
            scene.daemon.close(late.id, DISMISSED);
        }
        scene.nothing_left().await;
    }
    let (_, history) = scene.send("GET", "/history", None).await;
    let by: Vec<&str> = history["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["by"].as_str().unwrap())
        .collect();
    assert_eq!(
        by,
        ["elsewhere", "notification"],
        "what was refused has run all the same"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_transcript_the_answers_with_which_a_question_ended_tell_whose_they_are() {
    let scene = Scene::start().await;
    let session = event("permission_request")["session_id"].clone();
    let asking = with("questions", json!({ "session_id": session }));
    let ours = json!({ "Which framework?": "React", "Which features?": "Router, Tests" });
    let of_terminal = json!({ "Which framework?": "Vue", "Which features?": "Router, Tests" });
    for (ended_with, status, said) in [
        (ours, 0, "Delivered."),
        (of_terminal, 1, "Already answered"),
    ] {
        let (hook, id) = asked(&scene, asking.clone()).await;
        let words = ["answer", &id, "--choice", "1", "--choice", "1,3"];
        let mut ran = asking.clone();
        ran["hook_event_name"] = json!("PostToolUse");
        ran["tool_input"]["answers"] = ended_with;
        let (output, _) = tokio::join!(scene.beckon.command(&words), async {
            let decision = decided(&scene, hook).await;
            no_opinion(start(&scene, &[], &ran.to_string()).await).await;
            decision
        });
        assert_eq!(output.status, Some(status), "{output:?}");
        let told = format!("{}{}", output.stdout, output.stderr);
        assert!(told.contains(said), "{output:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_allowed_together_with_an_input() {
    let scene = Scene::start().await;
    let plan = event("recorded/plan");
    let (hook, id) = asked(&scene, plan.clone()).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(ask["permission"]["permission"], "plan");
    assert_eq!(ask["permission"]["patterns"][0], plan["tool_input"]["plan"]);
    // The event after the tool contains its input without the plan.
    let ran = json!({ "hook_event_name": "PostToolUse", "tool_input": {} });
    let ran = with("recorded/plan", ran);
    let given = proven(&scene, &["grant", &id], hook, ran).await;
    assert_eq!(
        given["decision"],
        json!({ "behavior": "allow", "updatedInput": {} })
    );
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_part_of_a_tools_input_is_on_the_card() {
    let scene = Scene::start().await;
    let bash = json!({ "tool_input": {
        "command": "make", "description": "Builds", "dangerouslyDisableSandbox": true,
        "run_in_background": false, "timeout": 600_000, "of_tomorrow": { "a": [1] } } });
    let edit = json!({ "tool_name": "Edit", "tool_input": {
        "file_path": "/a", "old_string": "x", "new_string": "y", "replace_all": true } });
    let table = [
        (
            bash,
            json!([]),
            vec![
                json!({ "name": "dangerouslyDisableSandbox", "value": "true" }),
                json!({ "name": "of_tomorrow", "value": "{\"a\":[1]}" }),
                json!({ "name": "timeout", "value": "600000" }),
            ],
        ),
        (
            edit,
            json!(["/a"]),
            vec![json!({ "name": "replace_all", "value": "true" })],
        ),
    ];
    for (changes, patterns, arguments) in table {
        let (hook, id) = asked(&scene, with("permission_request", changes)).await;
        let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
        assert_eq!(ask["permission"]["patterns"], patterns);
        assert_eq!(ask["permission"]["arguments"], json!(arguments));
        answered(&scene, &["deny", &id], hook).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subagents_ask_goes_with_the_subagent_and_not_with_the_turn() {
    let scene = Scene::start().await;
    let asking = event("recorded/permission_request_subagent");
    let hook = start(&scene, &[], &asking.to_string()).await;
    let id = scene.one_open().await;
    let of = |name: &str, changes: Value| {
        let mut changes = changes;
        changes["session_id"] = asking["session_id"].clone();
        with(name, changes).to_string()
    };
    let another = json!({ "hook_event_name": "SubagentStop", "agent_id": "another" });
    for event in [
        of("stop", json!({})),
        of("stop", json!({ "hook_event_name": "StopFailure" })),
        of("stop", json!({ "hook_event_name": "UserPromptSubmit" })),
        of("stop", json!({ "hook_event_name": "SubagentStop" })),
        of("stop", another),
    ] {
        no_opinion(start(&scene, &[], &event).await).await;
        assert_eq!(scene.one_open().await, id, "{event}");
    }
    let its = json!({ "hook_event_name": "SubagentStop", "agent_id": asking["agent_id"] });
    no_opinion(start(&scene, &[], &of("stop", its)).await).await;
    no_opinion(hook).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_the_hook_holds_back_comes_to_who_is_here_and_not_to_who_is_away() {
    let scene = Scene::start().await;
    scene.beckon.command(&["presence", "away"]).await;
    let asking = event("recorded/elicitation").to_string();
    let mut hook = start(&scene, &[], &asking).await;
    scene.one_open().await;
    let longer = Duration::from_secs(20);
    assert!(
        tokio::time::timeout(longer, hook.wait()).await.is_err(),
        "nobody is at the terminal"
    );
    scene.beckon.command(&["presence", "here"]).await;
    let output = tokio::time::timeout(longer, hook.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        (output.status.code(), output.stdout.as_slice()),
        (Some(0), &[][..])
    );
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_an_mcp_server_is_filled_in() {
    let scene = Scene::start().await;
    let (hook, id) = asked(&scene, event("recorded/elicitation")).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(ask["session"]["agent"], "Claude Code · lab");
    assert_eq!(ask["questions"][0]["question"], "Which colour?\nColour");
    let words = ["answer", &id, "--choice", "2", "--choice", "1"];
    let ran = json!({ "hook_event_name": "PostToolUse", "tool_name": "mcp__lab__elicit",
                      "tool_input": {} });
    let decision = proven(&scene, &words, hook, with("recorded/elicitation", ran)).await;
    let content = json!({ "colour": "blue", "sure": true });
    let expected =
        json!({ "hookEventName": "Elicitation", "action": "accept", "content": content });
    assert_eq!(decision, expected);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_of_a_form_refuses_what_is_no_number_of_its_own_and_stays() {
    let scene = Scene::start().await;
    let port = json!({ "type": "integer", "title": "Port", "minimum": 1, "maximum": 10 });
    let schema = json!({ "type": "object", "properties": { "port": port }, "required": ["port"] });
    let asking = with(
        "recorded/elicitation",
        json!({ "requested_schema": schema }),
    );
    let (hook, id) = asked(&scene, asking).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    let said = ask["questions"][0]["question"].as_str().unwrap();
    assert!(said.ends_with("A whole number from 1 to 10"), "{said}");
    for (wrong, why) in [("4,5", "takes a whole number"), ("11", "from 1 to 10")] {
        let refused = scene
            .beckon
            .command(&["answer", &id, "--text", wrong])
            .await;
        assert!(refused.stderr.contains(why), "{refused:?}");
        assert_eq!(scene.one_open().await, id);
    }
    let words = ["answer", &id, "--text", "\u{FF15}"];
    let ran = json!({ "hook_event_name": "PostToolUse", "tool_name": "mcp__lab__elicit",
                      "tool_input": {} });
    let decision = proven(&scene, &words, hook, with("recorded/elicitation", ran)).await;
    assert_eq!(decision["content"], json!({ "port": 5 }));
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shell_that_outlives_claude_does_not_keep_its_ask() {
    let scene = Scene::start().await;
    let file = scene.beckon.folder().join("event.json");
    std::fs::write(&file, event("permission_request").to_string()).unwrap();
    let hook = scene.beckon.prepare(&["hook", "claude-code"]);
    let environment = hook
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    // Claude Code runs a hook that was written without `exec` by a shell that stays its parent.
    let inner = format!("{:?} hook claude-code < {file:?}; true", hook.get_program());
    let script = format!("sh -c '{inner}'; true");
    let mut claude = tokio::process::Command::new("sh");
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
