//! Tests of hooks with odd input: kept open after the message, broken anywhere, or larger than the
//! local API accepts. In no case is the ask lost silently.

use super::*;

/// Starts a hook whose stdin stays open for as long as the second value lives.
async fn start_open(scene: &Scene, input: &[u8]) -> (Child, tokio::process::ChildStdin) {
    let mut command = scene.beckon.prepare(&["hook", "claude-code"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut hook = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut stdin = hook.stdin.take().unwrap();
    stdin.write_all(input).await.unwrap();
    stdin.flush().await.unwrap();
    (hook, stdin)
}

async fn start_bytes(scene: &Scene, input: &[u8]) -> Child {
    let (hook, stdin) = start_open(scene, input).await;
    drop(stdin);
    hook
}

/// Returns a request for a command, with a description that a reader could look for.
fn harmless() -> Value {
    let input = json!({ "tool_input": { "command": "npm ci", "description": "Install" } });
    with("permission_request", input)
}

/// Returns the command of the only ask.
async fn command_of(scene: &Scene, id: &str) -> String {
    let ask = scene.beckon.command(&["show", id, "--json"]).await.json();
    let command = ask["permission"]["command"].as_str();
    command
        .unwrap_or_else(|| panic!("no command: {ask}"))
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hook_whose_stdin_stays_open_asks_as_soon_as_the_message_is_whole() {
    let scene = Scene::start().await;
    register(&scene, "waiting");
    let (hook, open) = start_open(&scene, harmless().to_string().as_bytes()).await;
    let id = scene.one_open().await;
    let given = answered(&scene, &["grant", &id], hook).await;
    assert_eq!(given["decision"], json!({ "behavior": "allow" }));
    drop(open);

    let ends = event("stop").to_string();
    let (stop, open) = start_open(&scene, ends.as_bytes()).await;
    no_opinion(stop).await;
    drop(open);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_may_come_in_small_pieces() {
    let scene = Scene::start().await;
    register(&scene, "waiting");
    let text = harmless().to_string();
    let (hook, mut stdin) = start_open(&scene, b"").await;
    for piece in text.as_bytes().chunks(text.len() / 12) {
        tokio::time::sleep(Duration::from_millis(200)).await;
        stdin.write_all(piece).await.unwrap();
        stdin.flush().await.unwrap();
    }
    let id = scene.one_open().await;
    assert_eq!(command_of(&scene, &id).await, "npm ci");
    answered(&scene, &["grant", &id], hook).await;
    drop(stdin);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_stops_in_the_middle_is_given_up_and_shown_as_unreadable() {
    let scene = Scene::start().await;
    let text = harmless().to_string();
    // The command is complete in that half, but nobody knows what should have followed.
    let half = &text[..text.find("npm ci").unwrap() + 3];
    let (hook, open) = start_open(&scene, half.as_bytes()).await;
    let id = scene.one_open().await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert!(ask["unknown"].as_str().unwrap().contains("npm"), "{ask}");
    let granted = scene.beckon.command(&["grant", &id]).await;
    assert_ne!(
        granted.status,
        Some(0),
        "half a command is not allowed from here"
    );
    no_opinion(hook).await;
    drop(open);
    unreadable(&scene, 1).await;
}

/// Checks that this many messages could not be read, and that status, doctor and the log say so.
async fn unreadable(scene: &Scene, count: usize) {
    let status = scene.beckon.status().await;
    assert_eq!(status["unreadable"], count, "{status}");
    assert_eq!(status["warnings"].as_array().unwrap().len(), 1, "{status}");
    let said = scene.beckon.command(&["status"]).await.stdout;
    assert!(said.contains("couldn't be read or shown"), "{said}");
    let doctor = scene.beckon.command(&["doctor"]).await.stdout;
    assert!(doctor.contains("couldn't be read or shown"), "{doctor}");
    let logged = scene.beckon.stderr();
    assert!(
        logged.contains("WARN") && logged.contains("could not be read"),
        "{logged}"
    );
}

/// Returns the message with another command, as it is spelled in the JSON.
fn spelled(command: &[u8]) -> Vec<u8> {
    let text = harmless().to_string();
    let (before, after) = text.split_once("npm ci").unwrap();
    [before.as_bytes(), command, after.as_bytes()].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_odd_in_a_command_is_shown_and_not_allowed_by_one_press() {
    let scene = Scene::start().await;
    let table: [(&[u8], &str); 6] = [
        (br"npm \ud83d ci", "npm \u{fffd} ci"),
        (br"npm ci \ude00", "npm ci \u{fffd}"),
        (b"npm \xe9 ci", "npm \u{fffd} ci"),
        (
            b"npm \xb2\xe2\xca\xd4",
            "npm \u{fffd}\u{fffd}\u{fffd}\u{fffd}",
        ),
        (b"npm \x1b[2J ci", "npm \u{1b}[2J ci"),
        (b"npm \x01 ci", "npm \u{1} ci"),
    ];
    for (sent, read) in table {
        register(&scene, "waiting");
        let hook = start_bytes(&scene, &spelled(sent)).await;
        let id = scene.one_open().await;
        assert_eq!(command_of(&scene, &id).await, read);
        let shown = scene.shown("wants to run npm").await;
        assert!(shown.action("Allow once").is_none(), "{:?}", shown.actions);
        assert!(shown.body.contains("⟨U+"), "{shown:?}");
        let given = answered(&scene, &["grant", &id], hook).await;
        // The agent runs its own command, not the one that was read from the message.
        assert_eq!(given["decision"], json!({ "behavior": "allow" }));
        scene.nothing_left().await;
    }
    assert_eq!(scene.beckon.status().await["unreadable"], 0);
}

/// Other programs may parse such a text differently, so nobody here knows what would run.
#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_shape_is_guessed_is_shown_as_it_came_and_allowed_by_nobody_here() {
    let scene = Scene::start().await;
    let commands: [&[u8]; 6] = [
        br#"git commit -m "x" && rm -rf ~/y"#,
        br#"grep "a","b" f; rm -rf ~/y"#,
        br#"jq "{a}" f"#,
        br#"jq "[a]" f"#,
        br#"jq "}}" f; rm -rf ~/y"#,
        br#"echo "": "a" rm -rf ~/y"#,
    ];
    for (count, command) in commands.into_iter().enumerate() {
        register(&scene, "waiting");
        let hook = start_bytes(&scene, &spelled(command)).await;
        let id = scene.one_open().await;
        let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
        let shown = ask["unknown"].as_str().unwrap_or_default();
        let written = String::from_utf8_lossy(command);
        assert!(shown.contains(&*written), "{written}: {ask}");
        let granted = scene.beckon.command(&["grant", &id]).await;
        assert_ne!(granted.status, Some(0), "{granted:?}");
        assert_eq!(scene.beckon.status().await["unreadable"], count + 1);
        register(&scene, "busy");
        no_opinion(hook).await;
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_whose_event_has_an_odd_name_is_no_lost_one() {
    let scene = Scene::start().await;
    let named = |name: &str| {
        let mut event = harmless();
        event["hook_event_name"] = json!(name);
        event.to_string()
    };
    register(&scene, "waiting");
    let hook = start(&scene, &[], &named(" PermissionRequest\n")).await;
    let id = scene.one_open().await;
    assert_eq!(command_of(&scene, &id).await, "npm ci");
    answered(&scene, &["grant", &id], hook).await;

    // There is no register that says that a dialog waits; beside one the hook would stay until that
    // has gone.
    let scene = Scene::start().await;
    // The folder's last backslash escapes its closing quote, so the rest parses as other fields.
    let flipped = r#"{"session_id":"x","cwd":"C:\proj\","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"npm ci"}}"#
        .replace("\\\\", "\\");
    for (count, odd) in [named("permission_request"), flipped].iter().enumerate() {
        no_opinion(start(&scene, &[], odd).await).await;
        let status = scene.beckon.status().await;
        assert_eq!(status["unreadable"], count + 1, "{odd}");
        assert_eq!(scene.beckon.list().await.len(), count + 1, "{odd}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_odd_beside_the_command_changes_nothing() {
    let scene = Scene::start().await;
    let with_field = |name: &str, value: &[u8]| {
        let mut event = harmless();
        event[name] = json!("HERE");
        let text = event.to_string();
        let (before, after) = text.split_once("\"HERE\"").unwrap();
        [before.as_bytes(), value, after.as_bytes()].concat()
    };
    let text = harmless().to_string();
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let inputs: Vec<Vec<u8>> = vec![
        with_field("transcript_path", br#""/tmp/\ud83d.jsonl""#),
        with_field("transcript_path", b"[1]"),
        with_field("cwd", b"\"/home/caf\xe9\""),
        with_field("cwd", b"null"),
        with_field("agent_type", b"7"),
        with_field("agent_id", b"null"),
        with_field("permission_suggestions", b"null"),
        with_field("permission_suggestions", b"{\"a\":1}"),
        with_field("of_tomorrow", b"1e999"),
        with_field(
            "of_tomorrow",
            &[b'['; 400].map(|it| it)[..200]
                .iter()
                .copied()
                .chain([b']'; 200])
                .collect::<Vec<u8>>(),
        ),
        format!("\u{feff}{text}").into_bytes(),
        format!("{text}\n{text}").into_bytes(),
        text.replace("\"npm ci\"", "\"npm ci\",").into_bytes(),
        [b"\xff\xfe".to_vec(), utf16.clone()].concat(),
        utf16,
    ];
    for input in inputs {
        register(&scene, "waiting");
        let hook = start_bytes(&scene, &input).await;
        let id = scene.one_open().await;
        assert_eq!(command_of(&scene, &id).await, "npm ci");
        let given = answered(&scene, &["grant", &id], hook).await;
        assert_eq!(given["decision"], json!({ "behavior": "allow" }));
        scene.nothing_left().await;
    }
    assert_eq!(scene.beckon.status().await["unreadable"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_has_run_takes_its_card_away_however_odd_its_result_is() {
    let scene = Scene::start().await;
    let hook = start(&scene, &[], &harmless().to_string()).await;
    scene.one_open().await;
    let mut ran = harmless();
    ran["hook_event_name"] = json!("PostToolUse");
    ran["tool_response"] = json!("HERE");
    let text = ran.to_string();
    let (before, after) = text.split_once("HERE").unwrap();
    let odd = [
        before.as_bytes(),
        b"\xb2\xe2 \x1b \\ud83d",
        after.as_bytes(),
    ]
    .concat();
    no_opinion(start_bytes(&scene, &odd).await).await;
    no_opinion(hook).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_a_card_until_its_dialog_is_answered() {
    let scene = Scene::start().await;
    register(&scene, "waiting");
    let session = event("permission_request")["session_id"].clone();
    let odd = json!({ "session_id": session, "hook_event_name": "PermissionRequest", "cwd": "/home/me/shop",
                      "tool_name": [], "tool_input": { "command": "npm ci" } });
    let hook = start(&scene, &[], &odd.to_string()).await;
    let id = scene.one_open().await;
    let listed = scene.beckon.command(&["list"]).await.stdout;
    assert!(
        listed.contains("Claude Code asks something this Beckon can't read"),
        "{listed}"
    );
    let shown = scene
        .daemon
        .wait_for(|shown| shown.body.contains("can't read"), SOON)
        .await;
    assert!(shown.action("Allow once").is_none(), "{shown:?}");
    unreadable(&scene, 1).await;
    register(&scene, "busy");
    no_opinion(hook).await;
    let gone = scene.look(&id).await;
    assert_eq!(gone["state"], "gone", "{gone}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_says_nothing_at_all_is_told_too_and_does_not_hold_the_agent_up() {
    let scene = Scene::start().await;
    // An empty message is not a question.
    for nothing in ["", " \r\n", "\u{feff}"] {
        no_opinion(start(&scene, &[], nothing).await).await;
    }
    assert_eq!(scene.beckon.status().await["unreadable"], 0);
    for (count, odd) in ["no json", "\"\"", "{\"session_id\":\"x\"}", "[]", "17"]
        .iter()
        .enumerate()
    {
        no_opinion(start(&scene, &[], odd).await).await;
        let status = scene.beckon.status().await;
        assert_eq!(status["unreadable"], count + 1, "{odd:?}");
    }
    // Further messages of that kind add no news.
    assert_eq!(scene.beckon.list().await.len(), 3);
    let unknown = json!({ "session_id": "x", "hook_event_name": "OfTomorrow" });
    no_opinion(start(&scene, &[], &unknown.to_string()).await).await;
    assert_eq!(scene.beckon.status().await["unreadable"], 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_many_megabytes_is_asked_with_its_beginning_and_says_what_is_missing() {
    let scene = Scene::start().await;
    let content = "0123456789 line\n".repeat(400_000);
    let write = json!({ "tool_name": "Write", "tool_input": { "file_path": "/home/me/shop/big.txt",
                        "content": content, "note": "x".repeat(3_000_000) } });
    let (hook, id) = asked(&scene, with("permission_request", write)).await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    let diff = ask["permission"]["diff"].as_str().unwrap();
    assert!(diff.starts_with("+0123456789 line\n") && diff.len() < 200_000);
    assert!(
        diff.contains("⋯ +6.") && diff.contains(" MB #"),
        "{}",
        &diff[diff.len() - 60..]
    );
    let shown = scene.shown("wants to write big.txt").await;
    assert!(shown.action("Allow once").is_none(), "{:?}", shown.actions);
    let given = answered(&scene, &["grant", &id], hook).await;
    assert_eq!(given["decision"], json!({ "behavior": "allow" }));
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_local_api_refuses_is_a_card_and_never_nothing() {
    let scene = Scene::start().await;
    register(&scene, "waiting");
    // A label is sent back, so it must not be cut, and this one is larger than the API accepts.
    let option = json!({ "label": "x".repeat(3_000_000), "description": "" });
    let question =
        json!({ "question": "Which?", "header": "", "options": [option], "multiSelect": false });
    let asking = with(
        "questions",
        json!({ "tool_input": { "questions": [question] },
                      "session_id": event("permission_request")["session_id"] }),
    );
    let hook = start(&scene, &[], &asking.to_string()).await;
    let id = scene.one_open().await;
    let ask = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert!(ask["unknown"].is_string(), "{ask}");
    unreadable(&scene, 1).await;
    register(&scene, "busy");
    no_opinion(hook).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_on_a_pipe_that_stays_open_is_read_and_half_a_line_is_given_up() {
    let scene = Scene::start().await;
    let table: [(&[u8], Option<&str>); 3] = [
        (b"no code at all\n", Some("code")),
        (b"\xff\xfen\0o\0\n\0", Some("code")),
        (b"half a co", None),
    ];
    for (sent, says) in table {
        let mut command = scene.beckon.prepare(&["hub", "join", "-"]);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut join = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut open = join.stdin.take().unwrap();
        open.write_all(sent).await.unwrap();
        let output = ended(join).await;
        assert_eq!(output.status, Some(1), "{output:?}");
        if let Some(says) = says {
            assert!(output.stderr.contains(says), "{output:?}");
        }
        drop(open);
    }
}
