//! Tests of asking through Beckon itself: `beckon ask` and `POST /question`, answered from a
//! notification or a terminal, with Beckon or the asker killed on the way.

use crate::common::counter::Scene;
use crate::common::{SOON, restarted};
use beckon_support::beckon::Output;
use beckon_support::eventually;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Child;
use tokio::task::JoinHandle;

/// Waits a while for a command to end; returns its output and status.
async fn ended(child: Child) -> Output {
    let output = tokio::time::timeout(SOON, child.wait_with_output()).await;
    output.expect("the asker ends").unwrap().into()
}

fn yes_or_no(text: &str) -> Value {
    let option = |label: &str| json!({ "label": label, "description": "" });
    json!({ "questions": [{ "question": text, "options": [option("Yes"), option("No")] }] })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_on_the_notification_answers_a_script() {
    let scene = Scene::start().await;
    let asker = scene.ask(&[
        "--question",
        "Deploy now?",
        "--choice",
        "Yes=at once",
        "--choice",
        "No",
    ]);
    let shown = scene.shown("Deploy now?").await;
    assert!(shown.body.contains("at once"), "{shown:?}");
    scene.press("Deploy now?", "Yes").await;
    let output = ended(asker).await;
    assert_eq!(
        (output.status, output.stdout.as_str()),
        (Some(0), "Yes\n"),
        "{output:?}"
    );
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_cannot_be_written_is_no_success() {
    let scene = Scene::start().await;
    let (_, gone) = std::io::pipe().unwrap();
    let mut places: Vec<(Stdio, &str)> = vec![(gone.into(), "pipe")];
    // Only Linux has `/dev/full`.
    if let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") {
        places.push((full.into(), "No space"));
    }
    for (place, why) in places {
        let mut command = scene.beckon.prepare(&["ask", "--question", "Name?"]);
        command.stdout(place).stderr(Stdio::piped());
        let asker = tokio::process::Command::from(command).spawn().unwrap();
        let id = scene.one_open().await;
        scene
            .beckon
            .command(&["answer", &id, "--text", "Ada"])
            .await;
        let output = ended(asker).await;
        assert_eq!(output.status, Some(1), "{output:?}");
        assert!(output.stderr.contains("could not be written"), "{output:?}");
        assert!(output.stderr.contains(why), "{output:?}");
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_ends_when_nobody_reads_it_any_more() {
    let scene = Scene::start().await;
    let (reader, writer) = std::io::pipe().unwrap();
    let mut command = scene.beckon.prepare(&["watch"]);
    command.stdout(writer).stderr(Stdio::piped());
    let watch = tokio::process::Command::from(command).spawn().unwrap();
    drop(reader);
    // The command has nothing to print, so no failed write tells it.
    let output = ended(watch).await;
    assert_eq!((output.status, output.stderr.as_str()), (Some(1), ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_shape_of_answer_is_printed_exactly() {
    let scene = Scene::start().await;
    let labels: Vec<String> = (1..=12)
        .map(|n| format!("{n}. 选择 🦀 {}", "a rather long label ".repeat(4)))
        .collect();
    let mut many = vec!["--question", "Welche, 哪些?", "--multiple", "--json"];
    labels
        .iter()
        .for_each(|label| many.extend(["--choice", label]));
    let asker = scene.ask(&many);
    let id = scene.one_open().await;
    let words = [
        "answer",
        &id,
        "--question",
        "1",
        "--choice",
        "12,3",
        "--text",
        "用我的 = 话",
    ];
    assert_eq!(scene.beckon.command(&words).await.status, Some(0));
    let output = ended(asker).await;
    assert_eq!(output.json()["state"], "answered");
    assert_eq!(
        output.json()["answers"],
        json!([[labels[11], labels[2], "用我的 = 话"]])
    );
    assert_eq!(
        output.json()["replies"],
        json!([{ "choices": [11, 2], "text": "用我的 = 话" }])
    );
    let asker = scene.ask(&["--question", "Name?"]);
    let id = scene.one_open().await;
    scene
        .beckon
        .command(&["answer", &id, "--text", "two\nlines"])
        .await;
    assert_eq!(ended(asker).await.stdout, "two\nlines\n");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_equal_labels_the_asker_is_told_which_one_was_chosen() {
    let scene = Scene::start().await;
    let words = [
        "--question",
        "Which?",
        "--choice",
        "Drop it=prod",
        "--choice",
        "Drop it=staging",
    ];
    let asker = scene.ask(&[&words[..], &["--json"]].concat());
    let id = scene.one_open().await;
    scene
        .beckon
        .command(&["answer", &id, "--choice", "2"])
        .await;
    let told = ended(asker).await.json();
    assert_eq!(told["answers"], json!([["Drop it"]]));
    assert_eq!(told["replies"], json!([{ "choices": [1], "text": null }]));
    scene.beckon.kill9();
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    assert_eq!(
        scene.look(&id).await["replies"],
        told["replies"],
        "also after a kill"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_no_own_text_is_wanted_none_is_taken() {
    let scene = Scene::start().await;
    let asker = scene.ask(&["--question", "Go on?", "--choice", "Yes", "--no-custom"]);
    let id = scene.one_open().await;
    let refused = scene
        .beckon
        .command(&["answer", &id, "--text", "perhaps"])
        .await;
    assert_ne!(refused.status, Some(0), "{refused:?}");
    let taken = scene
        .beckon
        .command(&["answer", &id, "--choice", "1", "--json"])
        .await;
    assert_eq!(taken.json()["state"], "taken", "{taken:?}");
    assert_eq!(ended(asker).await.stdout, "Yes\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn dismissed_timed_out_and_not_running_are_told_apart() {
    let scene = Scene::start().await;
    let asker = scene.ask(&["--question", "Go on?"]);
    let id = scene.one_open().await;
    scene.beckon.command(&["dismiss", &id]).await;
    assert_eq!(ended(asker).await.status, Some(3));
    let late = ended(scene.ask(&["--question", "Quick?", "--timeout", "1s", "--json"])).await;
    assert_eq!(
        (late.status, late.json()["state"].as_str()),
        (Some(4), Some("timed_out"))
    );
    scene.nothing_left().await;
    scene.beckon.terminate();
    let nobody = ended(scene.ask(&["--question", "Anyone?"])).await;
    assert_eq!(nobody.status, Some(5), "{nobody:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_askers_at_once_get_their_own_answers() {
    let scene = Scene::start().await;
    let first = scene.ask(&["--question", "First?", "--choice", "A", "--choice", "B"]);
    let second = scene.ask(&["--question", "Second?", "--choice", "A", "--choice", "B"]);
    scene.shown("First?").await;
    scene.press("Second?", "B").await;
    assert_eq!(ended(second).await.stdout, "B\n");
    scene.press("First?", "A").await;
    assert_eq!(ended(first).await.stdout, "A\n");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_withdraws_the_ask() {
    let scene = Scene::start().await;
    let asker = scene.ask(&["--question", "Go on?", "--choice", "Yes"]);
    let id = scene.one_open().await;
    scene.shown("Go on?").await;
    signal(&asker, "-INT");
    assert_eq!(ended(asker).await.status, Some(130));
    scene.nothing_left().await;
    assert_eq!(scene.look(&id).await["state"], "gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asker_that_was_killed_is_missed_and_its_card_goes() {
    let scene = Scene::start().await;
    let mut asker = scene.ask(&["--question", "Go on?", "--choice", "Yes"]);
    let id = scene.one_open().await;
    scene.shown("Go on?").await;
    asker.kill().await.unwrap();
    eventually("the asker is missed", Duration::from_secs(30), async || {
        (scene.look(&id).await["state"] == "gone").then_some(())
    })
    .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beckon_killed_before_the_answer_asks_again_and_the_asker_gets_it() {
    let scene = Scene::start().await;
    let asker = scene.ask(&["--question", "Go on?", "--choice", "Yes", "--choice", "No"]);
    scene.shown("Go on?").await;
    scene.beckon.kill9();
    scene.press_anew("Go on?", "No").await;
    assert_eq!(ended(asker).await.stdout, "No\n");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beckon_killed_between_answer_and_fetch_hands_it_over_once() {
    let scene = Scene::start().await;
    let asker = scene.ask(&["--question", "Go on?", "--choice", "Yes", "--choice", "No"]);
    let shown = scene.shown("Go on?").await;
    // The stopped asker leaves no room in its connection to write to.
    signal(&asker, "-STOP");
    scene.beckon.kill9();
    let again = restarted(&scene.beckon, &scene.daemon, "Go on?").await;
    assert_ne!(again.sender, shown.sender);
    scene.daemon.press(again.id, again.action("Yes").unwrap());
    let id = scene.one_open().await;
    eventually("the answer is accepted", SOON, async || {
        let list = scene.beckon.list().await;
        list.iter()
            .any(|ask| ask["state"] == "answering")
            .then_some(())
    })
    .await;
    scene.beckon.kill9();
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    signal(&asker, "-CONT");
    assert_eq!(ended(asker).await.stdout, "Yes\n");
    scene.nothing_left().await;
    let late = scene
        .beckon
        .command(&["answer", &id, "--choice", "2", "--json"])
        .await;
    assert_eq!(late.json()["state"], "already answered", "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tickets_answer_is_kept_over_a_kill_until_it_is_fetched() {
    let scene = Scene::start().await;
    let id = scene.ticket(yes_or_no("Go on?")).await;
    let seen = scene.look(&id).await;
    assert_eq!(
        (&seen["state"], &seen["questions"][0]["question"]),
        (&json!("open"), &json!("Go on?"))
    );
    scene.shown("Go on?").await;
    scene.beckon.kill9();
    scene.press_anew("Go on?", "Yes").await;
    scene.nothing_left().await;
    scene.beckon.kill9();
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    let replies = json!([{ "choices": [0], "text": null }]);
    let expected =
        json!({ "id": id, "state": "answered", "answers": [["Yes"]], "replies": replies });
    assert_eq!(scene.look(&id).await, expected);
    assert_eq!(
        scene.look(&id).await,
        expected,
        "what it reads never changes"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_that_runs_out_says_so_and_the_next_one_gets_the_answer() {
    let scene = Scene::start().await;
    let (status, open) = scene
        .send("POST", "/question?wait=0", Some(yes_or_no("Go on?")))
        .await;
    assert_eq!((status, &open["state"]), (202, &json!("open")));
    let path = format!("/question/{}?wait=20", open["id"].as_str().unwrap());
    let press = scene.press("Go on?", "No");
    let ((status, seen), ()) = tokio::join!(scene.send("GET", &path, None), press);
    assert_eq!((status, &seen["answers"]), (200, &json!([["No"]])));
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_of_questions_is_answered_in_its_order_by_whoever_speaks_opencode() {
    let scene = Scene::start().await;
    let mut body = yes_or_no("First?");
    let second = json!({ "question": "Second?", "options": [], "custom": true });
    body["questions"].as_array_mut().unwrap().push(second);
    let id = scene.ticket(body).await;
    let (_, listed) = scene.send("GET", "/question", None).await;
    assert_eq!(listed[0]["id"], json!(id));
    let reply = json!({ "answers": [["No"], ["自由"]] });
    let (status, _) = scene
        .send("POST", &format!("/question/{id}/reply"), Some(reply))
        .await;
    assert_eq!(status, 200);
    eventually("the end is kept", SOON, async || {
        (scene.look(&id).await["answers"] == json!([["No"], ["自由"]])).then_some(())
    })
    .await;
}

/// Returns what a human sees of the questions of the only ask.
async fn seen_of(scene: &Scene) -> Value {
    let list = scene.beckon.list().await;
    let [ask] = &list[..] else { panic!("{list:?}") };
    let questions = ask["questions"].as_array().unwrap().iter();
    let seen = questions.map(|asked| {
        let labels = asked["choices"].as_array().unwrap().iter();
        let labels: Vec<&Value> = labels.map(|choice| &choice["label"]).collect();
        json!([
            asked["question"],
            labels,
            asked["multiple"],
            asked["custom"]
        ])
    });
    seen.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_are_read_as_models_write_them() {
    let scene = Scene::start().await;
    let both = json!(["Yes", "No"]);
    let question =
        json!({ "question": "Go?", "options": both, "multiple": "true", "custom": "False" });
    let table = [
        json!({ "questions": [question] }),
        json!({ "questions": question }),
        json!({ "questions": json!([question]).to_string() }),
        json!({ "questions": [question.to_string()] }),
        question.clone(),
        json!({ "question": "Go?", "choices": r#"["Yes", {"label": "No"}]"#, "multiple": 1, "free_text": false }),
        json!({ "questions": [{ "text": "Go?", "header": null, "options": r#"[{"title":"Yes"},"No",]"#,
            "multi_select": true, "allow_custom": "no" }, null],
            "id": 7, "pid": "1", "timeout": "60", "title": null, "agent": 3, "ticket": "true" }),
    ];
    for body in table {
        let (status, asked) = scene.send("POST", "/question", Some(body.clone())).await;
        assert_eq!(status, 201, "{body} {asked}");
        assert_eq!(
            seen_of(&scene).await,
            json!([["Go?", both, true, false]]),
            "{body}"
        );

        let path = format!("/question/{}", asked["id"].as_str().unwrap());
        assert_eq!(scene.send("DELETE", &path, None).await.0, 200);
    }

    let (status, asked) = scene
        .send(
            "POST",
            "/question",
            Some(json!({ "questions": ["Name?", 7] })),
        )
        .await;
    assert_eq!(status, 400, "a number is no question: {asked}");
    let (_, asked) = scene
        .send("POST", "/question", Some(json!({ "questions": "Name?" })))
        .await;
    assert_eq!(
        seen_of(&scene).await,
        json!([["Name?", [], false, true]]),
        "{asked}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_stays_unclear_is_refused_with_a_right_one() {
    let scene = Scene::start().await;
    let wrong = [
        (json!({ "options": "Yes, No" }), "options"),
        (json!({ "options": [["Yes"]] }), "options"),
        (
            json!({ "options": [{ "description": "no label" }] }),
            "options",
        ),
        (
            json!({ "options": ["Yes"], "multiple": "maybe" }),
            "multiple",
        ),
        (json!({ "options": ["Yes"], "custom": 7 }), "custom"),
        (json!({ "question": ["Go?"] }), "question"),
    ];
    for (fields, name) in wrong {
        let mut question = json!({ "question": "Go?" });
        question
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());

        let body = json!({ "questions": [question] });
        let (status, problem) = scene.send("POST", "/question", Some(body.clone())).await;
        let said = problem["message"].as_str().unwrap();
        assert_eq!(status, 400, "{body} {problem}");
        assert!(said.contains(&format!("\"{name}\" has to be")), "{said}");

        let (_, example) = said.split_once("A right body: ").unwrap();
        let end = example.rfind('}').unwrap();
        let example: Value = serde_json::from_str(&example[..=end]).unwrap();
        let (status, asked) = scene.send("POST", "/question", Some(example)).await;
        assert_eq!(status, 201, "{asked}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_ask_is_refused_with_the_reason() {
    let scene = Scene::start().await;
    let closed = json!({ "questions": [{ "question": "Go on?", "options": [], "custom": false }] });
    let mut soon = yes_or_no("Go on?");
    soon["timeout"] = json!("soon");
    let mut named = yes_or_no("Go on?");
    named["id"] = json!("../x");
    for body in [
        json!({}),
        json!({ "questions": [{}] }),
        closed,
        soon,
        named,
        json!([]),
    ] {
        let (status, problem) = scene.send("POST", "/question", Some(body.clone())).await;
        assert_eq!(status, 400, "{body} {problem}");
    }
    named = yes_or_no("Go on?");
    named["id"] = json!("mine");
    assert_eq!(scene.ticket(named.clone()).await, "mine");
    assert_eq!(
        scene.ticket(named.clone()).await,
        "mine",
        "asked again it is the same"
    );
    assert_eq!(scene.beckon.list().await.len(), 1);
    named["questions"][0]["question"] = json!("Another?");
    assert_eq!(scene.send("POST", "/question", Some(named)).await.0, 409);
    assert_eq!(scene.send("GET", "/question/nobody", None).await.0, 404);
    assert_eq!(scene.send("DELETE", "/question/mine", None).await.0, 200);
    assert_eq!(scene.send("DELETE", "/question/mine", None).await.0, 404);
    let other = json!({ "id": "mine", "questions": [{ "question": "Something else?" }] });
    assert_eq!(
        scene.send("POST", "/question", Some(other)).await.0,
        409,
        "also when it is over"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_asked_like_a_question_and_decided_in_opencodes_words() {
    let scene = Scene::start().await;
    let body = json!({
        "permission": "bash", "command": "make deploy", "always": ["make *"],
        "directory": "/home/me/shop", "agent": "Bot", "title": "Release",
    });
    let wait = scene.send("POST", "/permission?wait=20", Some(body.clone()));
    let press = scene.press("shop (Bot) wants to run make", "Allow once");
    let ((status, seen), ()) = tokio::join!(wait, press);
    assert_eq!(
        (status, &seen["state"], &seen["reply"]),
        (200, &json!("answered"), &json!("once"))
    );
    let (status, asked) = scene.send("POST", "/permission", Some(body)).await;
    assert_eq!(status, 201);
    let place = format!("/permission/{}", asked["id"].as_str().unwrap());
    let (_, open) = scene.send("GET", &place, None).await;
    assert_eq!(
        (&open["state"], &open["permission"]["command"]),
        (&json!("open"), &json!("make deploy"))
    );
    let (_, listed) = scene.send("GET", "/permission", None).await;
    assert_eq!(
        (&listed[0]["id"], &listed[0]["always"]),
        (&asked["id"], &json!(["make *"]))
    );
    let reply = json!({ "reply": "reject", "message": "not on Fridays" });
    assert_eq!(
        scene
            .send("POST", &format!("{place}/reply"), Some(reply))
            .await
            .0,
        200
    );
    scene.nothing_left().await;
    scene.beckon.kill9();
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    let (_, seen) = scene.send("GET", &place, None).await;
    assert_eq!(
        (&seen["reply"], &seen["message"]),
        (&json!("reject"), &json!("not on Fridays"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_says_which_program_asks_and_where() {
    let scene = Scene::start().await;
    let shop = scene.beckon.folder().join("shop");
    std::fs::create_dir(&shop).unwrap();
    let script = shop.join("deploy.sh");
    let asks = scene.beckon.prepare(&["ask", "--question", "Deploy?"]);
    let line = format!("{:?} ask --question 'Deploy?'; true", asks.get_program());
    std::fs::write(&script, line).unwrap();
    let environment: Vec<_> = asks.get_envs().filter_map(|(k, v)| Some((k, v?))).collect();
    let begin = |arguments: &[&str]| {
        let mut shell = tokio::process::Command::new("sh");
        shell
            .args(arguments)
            .env_clear()
            .envs(environment.iter().copied())
            .current_dir(&shop);
        shell
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap()
    };
    let _running = begin(&[script.to_str().unwrap()]);
    let shown = scene.shown("Deploy?").await;
    assert_eq!(shown.summary, "shop (deploy.sh) · Deploy?");
    let id = scene.one_open().await;
    for command in [&["list"][..], &["show", &id]] {
        let told = scene.beckon.command(command).await.stdout;
        let who = format!("asked by deploy.sh in {}", shop.display());
        assert!(told.contains(&who), "{told}");
    }
    scene.beckon.command(&["dismiss", &id]).await;
    scene.nothing_left().await;

    // A shell that only runs a command for another program is not the asker.
    let inner = format!("sh {} ; true", script.display());
    let _running = begin(&["-c", &format!("sh -c '{inner}'; true")]);
    assert_eq!(
        scene.shown("Deploy?").await.summary,
        "shop (deploy.sh) · Deploy?"
    );
    scene
        .beckon
        .command(&["dismiss", &scene.one_open().await])
        .await;
    scene.nothing_left().await;

    let named = [
        "--question",
        "Now?",
        "--agent",
        "Nightly",
        "--title",
        "Release 2",
    ];
    let _asker = scene.ask(&named);
    scene.shown("Now?").await;
    let session = scene.beckon.list().await[0]["session"].clone();
    assert_eq!(
        (&session["agent"], &session["title"]),
        (&json!("Nightly"), &json!("Release 2"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_says_in_words_what_is_wanted_and_json_keeps_the_agents_name() {
    let scene = Scene::start().await;
    let table = [
        (
            "external_directory",
            "beckon ask wants to access files outside the project",
        ),
        (
            "mcp__mail__send_all",
            "beckon ask wants to use mail: send all",
        ),
        (
            "frob\u{202e}nicate",
            "beckon ask wants to use frob⟨U+202E⟩nicate",
        ),
    ];
    for (name, words) in table {
        let body = json!({ "permission": name, "patterns": ["/etc/*"] });
        let (status, asked) = scene.send("POST", "/permission", Some(body)).await;
        assert_eq!(status, 201, "{asked}");
        let id = asked["id"].as_str().unwrap();
        for command in [&["list"][..], &["show", id]] {
            let told = scene.beckon.command(command).await.stdout;
            assert!(told.contains(words) && !told.contains(name), "{told}");
        }
        assert_eq!(
            scene.beckon.list().await[0]["permission"]["permission"],
            name
        );
        scene.beckon.command(&["deny", id]).await;
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_answers_a_permission_by_choice_reads_what_is_wanted_and_how_it_is_answered() {
    let scene = Scene::start().await;
    let body = json!({ "permission": "external_directory", "patterns": ["/etc/*"] });
    let (_, asked) = scene.send("POST", "/permission", Some(body)).await;
    let id = asked["id"].as_str().unwrap();
    for more in [
        &["--question", "1", "--choice", "1"][..],
        &["--text", "yes"],
        &[],
    ] {
        let refused = scene
            .beckon
            .command(&[&["answer", id], more].concat())
            .await;
        assert_eq!(refused.status, Some(2), "{refused:?}");
        for part in ["wants to access files", "beckon grant ", "beckon deny ", id] {
            assert!(refused.stderr.contains(part), "{part}: {refused:?}");
        }
        // The message does not offer a choice that is not available here.
        assert!(!refused.stderr.contains("--always"), "{refused:?}");
    }
    assert_eq!(scene.beckon.list().await[0]["state"], "open");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_says_which_program_asked_and_where() {
    let scene = Scene::start().await;
    let named = [
        "--question",
        "Now?",
        "--agent",
        "Nightly",
        "--title",
        "Release 2",
    ];
    let _asker = scene.ask(&named);
    scene.shown("Now?").await;
    let directory = scene.beckon.list().await[0]["session"]["directory"].clone();
    assert!(
        directory
            .as_str()
            .is_some_and(|directory| !directory.is_empty())
    );
    scene
        .beckon
        .command(&["dismiss", &scene.one_open().await])
        .await;
    scene.nothing_left().await;
    let (_, page) = scene.send("GET", "/history?text=nightly", None).await;
    let entry = &page["entries"][0];
    assert_eq!(
        (&entry["agent"], &entry["session"]),
        (&json!("Nightly"), &json!("Release 2"))
    );
    assert_eq!(entry["directory"], directory);
    let (_, csv) = scene.send("GET", "/history/export?format=csv", None).await;
    let csv = csv.as_str().unwrap();
    assert!(
        csv.contains("reason,agent,directory,person,device,vouched,late_answer\r\n")
            && csv.contains(",\"Nightly\","),
        "{csv}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn show_prints_a_change_in_full_and_list_does_not() {
    let scene = Scene::start().await;
    let lines: Vec<String> = (1..=400).map(|n| format!("+\tline {n}")).collect();
    let body = json!({
        "permission": "edit", "patterns": ["/home/me/shop/src/main.rs"], "diff": lines.join("\n"),
    });
    let (status, asked) = scene.send("POST", "/permission", Some(body)).await;
    assert_eq!(status, 201, "{asked}");
    let shown = scene
        .beckon
        .command(&["show", asked["id"].as_str().unwrap()])
        .await
        .stdout;
    for n in 1..=400 {
        assert!(
            shown.contains(&format!("      +    line {n}\n")),
            "line {n}: {shown}"
        );
    }
    assert!(shown.contains("/home/me/shop/src/main.rs"), "{shown}");
    let listed = scene.beckon.command(&["list"]).await.stdout;
    assert!(!listed.contains("line 1"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_that_nobody_decides_in_time_is_not_given() {
    let scene = Scene::start().await;
    let body = json!({ "permission": "bash", "command": "make", "timeout": "1s" });
    let (status, seen) = scene.send("POST", "/permission?wait=20", Some(body)).await;
    assert_eq!(
        (status, &seen["state"], &seen["reply"]),
        (200, &json!("timed_out"), &Value::Null)
    );
    scene.nothing_left().await;
    let nothing = json!({ "permission": " " });
    assert_eq!(
        scene.send("POST", "/permission", Some(nothing)).await.0,
        400
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_that_wait_at_once_each_get_their_own_answer_once() {
    const ASKERS: usize = 1_000;
    // Each ask is synced to the disk, which other programs may keep busy; an error of an asker is
    // noticed at once.
    const ALL: Duration = Duration::from_secs(240);
    let scene = Scene::start().await;
    // This test program holds the other end of each connection. Beckon has raised its own limit by
    // now.
    beckon::platform::limits::raise_open_files();
    let endpoint = scene.beckon.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let http = reqwest::Client::new();
    let post = |path: String, body: Value| {
        http.post(format!("{url}{path}"))
            .bearer_auth(token)
            .json(&body)
            .send()
    };
    let ask = |n: usize| {
        let body = json!({ "id": format!("ask_{n}"), "questions": [{ "question": "Name?" }] });
        tokio::spawn(post("/question?wait=300".into(), body))
    };
    let mut askers: Vec<_> = (0..ASKERS).map(ask).collect();
    eventually("all are asked", ALL, async || {
        if let Some(n) = askers.iter().position(JoinHandle::is_finished) {
            panic!("the asker {n} did not wait: {:?}", (&mut askers[n]).await);
        }
        (scene.send("GET", "/status", None).await.1["open"] == ASKERS).then_some(())
    })
    .await;
    for n in 0..ASKERS {
        let body = json!({ "answers": [[format!("answer {n}")]] });
        let path = format!("/question/ask_{n}/reply");
        assert_eq!(post(path, body).await.unwrap().status(), 200);
    }
    for (n, asker) in askers.into_iter().enumerate() {
        let seen: Value = asker.await.unwrap().unwrap().json().await.unwrap();
        assert_eq!(seen["answers"], json!([[format!("answer {n}")]]));
    }
    eventually("nobody waits", SOON, async || {
        scene.beckon.list().await.is_empty().then_some(())
    })
    .await;
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().unwrap().to_string();
    assert!(
        std::process::Command::new("kill")
            .args([name, &pid])
            .status()
            .unwrap()
            .success()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_is_said_to_the_only_question_is_its_answer_and_no_text_gets_lost() {
    let scene = Scene::start().await;
    let mut several = yes_or_no("Which?");
    several["questions"][0]["multiple"] = json!(true);
    let id = scene.ticket(several).await;

    for twice in [
        &["--question", "1", "--text", "a", "--text", "b"][..],
        &["--text", "a", "--choice", "1", "--text", "b"],
    ] {
        let words = [&["answer", &id], twice].concat();
        let refused = scene.beckon.command(&words).await;
        assert_eq!(refused.status, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("has two texts"), "{refused:?}");
    }
    assert_eq!(scene.beckon.list().await[0]["state"], "open");

    let words = ["answer", &id, "--choice", "2,1", "--text", "Maybe"];
    let answered = scene.beckon.command(&words).await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    let answers = scene.look(&id).await["answers"].clone();
    assert_eq!(answers, json!([["No", "Yes", "Maybe"]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_nobody_and_times_without_end_are_said_in_words() {
    let scene = Scene::start().await;
    for name in ["", " ", ".", ".."] {
        for command in ["show", "grant", "open", "dismiss", "snooze"] {
            let refused = scene.beckon.command(&[command, name]).await;
            assert_eq!(refused.status, Some(1), "{command} {name:?} {refused:?}");
            assert!(
                refused.stderr.contains("beckon list"),
                "{command} {name:?} {refused:?}"
            );
        }
    }

    let ready = scene
        .beckon
        .command(&["status", "--wait", "18446744073709551615"])
        .await;
    assert_eq!(ready.status, Some(0), "{ready:?}");
    for away in ["106751991167d", "9223372036854775s", "36601d"] {
        let refused = scene.beckon.command(&["presence", "away", away]).await;
        assert_eq!(refused.status, Some(2), "{away} {refused:?}");
    }
    let (status, problem) = scene
        .send(
            "POST",
            "/presence",
            Some(json!({ "presence": "away", "until": i64::MAX })),
        )
        .await;
    assert_eq!(status, 400, "{problem}");
    let presence = scene.beckon.command(&["presence"]).await.stdout;
    assert!(!presence.contains("1970"), "{presence}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_whose_run_folder_was_cleared_is_found_again_and_stays_the_only_one() {
    let scene = Scene::start().await;
    let before = scene.beckon.endpoint().unwrap();
    let run = scene.beckon.home().join("run");
    std::fs::remove_dir_all(&run).unwrap();

    let mut second = scene.beckon.prepare(&["--headless"]);
    second.stdout(Stdio::piped()).stderr(Stdio::piped());
    let second = tokio::process::Command::from(second)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let second = ended(second).await;
    assert_eq!(second.status, Some(0), "{second:?}");
    eventually("it is found again", SOON, async || {
        (scene.beckon.endpoint()? == before).then_some(())
    })
    .await;
    assert_eq!(scene.beckon.status().await["ready"], true);
    scene.ticket(yes_or_no("Go on?")).await;
    scene.one_open().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_whose_lock_was_removed_stays_the_only_one() {
    let scene = Scene::start().await;
    let before = scene.beckon.endpoint().unwrap();
    std::fs::remove_file(scene.beckon.home().join("lock")).unwrap();

    let mut second = scene.beckon.prepare(&["--headless"]);
    second.stdout(Stdio::piped()).stderr(Stdio::piped());
    let second = tokio::process::Command::from(second)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let second = ended(second).await;
    assert_eq!(second.status, Some(0), "{second:?}");
    assert_eq!(scene.beckon.endpoint().unwrap(), before);
    assert_eq!(scene.beckon.status().await["ready"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_beckons_of_one_place_only_the_one_whose_folder_is_there_stays() {
    let scene = Scene::start().await;
    let home = scene.beckon.home();
    let moved = home.with_file_name("moved");
    std::fs::rename(&home, &moved).unwrap();
    std::fs::create_dir(&home).unwrap();
    std::fs::copy(moved.join("config.toml"), home.join("config.toml")).unwrap();
    let former = std::fs::read_to_string(moved.join("run/endpoint.json")).unwrap();

    let mut second = scene.beckon.prepare(&["--headless"]);
    second.stdout(Stdio::piped()).stderr(Stdio::piped());
    let second = tokio::process::Command::from(second)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let own = second.id().unwrap();
    let pid = |endpoint: &str| serde_json::from_str::<Value>(endpoint).unwrap()["pid"].clone();
    let former = pid(&former);
    eventually("the former Beckon has ended", SOON, async || {
        let stat = std::fs::read_to_string(format!("/proc/{former}/stat"));
        stat.map_or(Some(()), |stat| stat.contains(") Z ").then_some(()))
    })
    .await;

    eventually("the other one is found", SOON, async || {
        let endpoint = std::fs::read_to_string(home.join("run/endpoint.json")).ok()?;
        (pid(&endpoint) == own).then_some(())
    })
    .await;
    assert_eq!(scene.beckon.status().await["ready"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_whose_folder_was_removed_keeps_what_it_is_told_in_a_new_one() {
    let scene = Scene::start().await;
    let home = scene.beckon.home();
    std::fs::rename(&home, home.with_file_name("moved")).unwrap();

    let database = home.join("beckon.db");
    eventually("there is a database", SOON, async || {
        database.exists().then_some(())
    })
    .await;
    scene.beckon.wait_ready().await;
    scene.ticket(yes_or_no("Go on?")).await;
    scene.one_open().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_with_a_blank_label_has_its_number_on_the_button() {
    let scene = Scene::start().await;
    let options =
        json!([{ "label": " ", "description": "" }, { "label": "No", "description": "" }]);
    let question = json!({ "question": "Go on?", "options": options });
    let id = scene.ticket(json!({ "questions": [question] })).await;
    let shown = scene.shown("Go on?").await;
    assert!(shown.action("1").is_some(), "{:?}", shown.actions);
    scene.press("Go on?", "1").await;
    eventually("it is answered", SOON, async || {
        (scene.look(&id).await["replies"][0]["choices"] == json!([0])).then_some(())
    })
    .await;
}
