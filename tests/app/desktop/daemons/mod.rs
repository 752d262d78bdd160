//! Tests with real notification daemons: they show every shape of ask of a real OpenCode, asks are
//! answered by their buttons or by the command that "Answer…" names, and the model reads the
//! answers word for word.
//!
//! This file holds the shapes. What a human does with one is in `scene.rs`, "do not disturb" in
//! `disturb.rs`, and a daemon's history in `history.rs`.

mod disturb;
mod history;
mod scene;

use self::scene::{Human, Reads, Round, Scene};
use crate::common::{asked_by, named};
use beckon_support::desktop::Daemon;
use beckon_support::model::{Step, ToolCall, script};
use beckon_support::opencode::Version;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn dunst_gets_every_ask_of_opencode_1_18_answered() {
    every_shape(Daemon::Dunst, Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dunst_gets_every_ask_of_opencode_1_1_answered() {
    every_shape(Daemon::Dunst, Version::V1_1_53).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn xfce_gets_every_ask_of_opencode_1_18_answered() {
    every_shape(Daemon::Xfce4Notifyd, Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn xfce_gets_every_ask_of_opencode_1_1_answered() {
    every_shape(Daemon::Xfce4Notifyd, Version::V1_1_53).await;
}

async fn every_shape(daemon: Daemon, version: Version) {
    let scene = Scene::start(daemon, version).await;
    for round in pressed_questions().into_iter().chain(commanded_questions()) {
        scene.play(round).await;
    }
    the_second_of_equal_labels(&scene).await;
    two_at_once(&scene).await;
    answered_in_a_terminal(&scene).await;
    bash(&scene).await;
    edit(&scene).await;
}

fn pressed_questions() -> Vec<Round> {
    let below = script(&[asked_by(json!([named("From below?", &["Yes", "No"])]))]);
    let arguments = json!({ "description": "ask", "prompt": below, "subagent_type": "asker" });
    let press = |button| Human::Press { button, nth: 0 };
    vec![
        Round {
            steps: vec![asked_by(json!([database()]))],
            title: "Which database?".into(),
            human: press("SQLite"),
            reads: answers(&[("Which database?", "SQLite")]),
        },
        Round {
            steps: vec![asked_by(json!([named(
                "用哪个数据库？ <b>",
                &["数据库", "其他 & <i>"]
            )]))],
            title: "用哪个数据库？ <b>".into(),
            human: press("其他 & <i>"),
            reads: answers(&[("用哪个数据库？ <b>", "其他 & <i>")]),
        },
        Round {
            steps: vec![Step::Tools(vec![ToolCall::new("task", arguments)])],
            title: "From below?".into(),
            human: press("No"),
            reads: answers(&[("From below?", "No")]),
        },
    ]
}

fn commanded_questions() -> Vec<Round> {
    let set = [
        database(),
        features(),
        named("Deploy target?", &["Docker", "Metal"]),
    ];
    let of_set: &[_] = &[
        "--choice",
        "2",
        "--choice",
        "1,3",
        "--question",
        "3",
        "--text",
        "ein eigenes Ziel",
    ];
    let asked = |questions, title: &str, arguments, reads| Round {
        steps: vec![asked_by(questions)],
        title: title.into(),
        human: Human::Run {
            command: "answer",
            arguments,
        },
        reads,
    };
    vec![
        asked(
            json!(set),
            "3 questions",
            of_set,
            answers(&[
                ("Which database?", "SQLite"),
                ("Which features?", "Auth, Export"),
                ("Deploy target?", "ein eigenes Ziel"),
            ]),
        ),
        asked(
            json!([features()]),
            "Which features?",
            &["--choice", "3,2"],
            answers(&[("Which features?", "Export, Search")]),
        ),
        asked(
            json!([database()]),
            "Which database?",
            &["--text", "neither \"of\" both"],
            answers(&[("Which database?", "neither \"of\" both")]),
        ),
        asked(
            json!([named("Title?", &[])]),
            "Title?",
            &["--text", "自由文本 🦀"],
            answers(&[("Title?", "自由文本 🦀")]),
        ),
    ]
}

/// Picks the second of two choices with equal labels. The model cannot tell which one was meant;
/// Beckon's own record can.
async fn the_second_of_equal_labels(scene: &Scene) {
    let round = Round {
        steps: vec![asked_by(json!([named("Twice?", &["Same", "Same"])]))],
        title: "Twice?".into(),
        human: Human::Press {
            button: "2 Same",
            nth: 0,
        },
        reads: answers(&[("Twice?", "Same")]),
    };
    scene.play(round).await;
    assert_eq!(scene.kept_answer()["replies"][0]["choices"], json!([1]));
}

/// Answers two notifications on the screen, the later one first.
async fn two_at_once(scene: &Scene) {
    let first = ToolCall::question(json!([named("First?", &["A", "B"])]));
    let second = ToolCall::question(json!([named("Second?", &["C", "D", "E"])]));
    let mark = scene.ask(&[Step::Tools(vec![first, second])]).await;
    let first = scene.shown(&mark, "First?").await;
    let second = scene.shown(&mark, "Second?").await;
    scene.press(&second, "D", 0);
    scene.stands(1).await;
    scene.press(&first, "B", 0);
    let read = [answer(&[("First?", "B")]), answer(&[("Second?", "D")])];
    scene.model_reads(&mark, &read).await;
    scene.nothing_left(&mark).await;
}

/// Answers in a terminal, without touching the notification, which goes all the same.
async fn answered_in_a_terminal(scene: &Scene) {
    let mark = scene.ask(&[asked_by(json!([database()]))]).await;
    scene.shown(&mark, "Which database?").await;
    scene.stands(1).await;
    scene
        .run(&[
            "answer",
            &scene.only_open().await,
            "--choice",
            "1",
            "--json",
        ])
        .await;
    scene
        .model_reads(&mark, &[answer(&[("Which database?", "PostgreSQL")])])
        .await;
    scene.nothing_left(&mark).await;
}

async fn bash(scene: &Scene) {
    let run = |name: &str| ToolCall::bash(&format!("echo {name}"));
    let allow = Human::Press {
        button: "Allow once",
        nth: 0,
    };
    permissions(
        scene,
        |_| "wants to run echo".into(),
        allow,
        run,
        |name| format!("{name}\n"),
    )
    .await;
}

async fn edit(scene: &Scene) {
    let write = |name: &str| {
        let arguments = json!({ "filePath": scene.file(name), "content": name });
        ToolCall::new("write", arguments)
    };
    // The notification shows no more than the file's name, so nothing on it allows the change.
    let allow = Human::Run {
        command: "grant",
        arguments: &[],
    };
    let wrote = |_: &str| "Wrote file successfully.".to_owned();
    permissions(
        scene,
        |name| format!("wants to edit {name}"),
        allow,
        write,
        wrote,
    )
    .await;
    for name in ["once", "first", "then"] {
        assert_eq!(std::fs::read_to_string(scene.file(name)).unwrap(), name);
    }
    assert!(!scene.file("never").exists() && !scene.file("not so").exists());
}

/// Gives every answer to a permission for `call`; the model reads `result` where it was allowed.
async fn permissions(
    scene: &Scene,
    title: impl Fn(&str) -> String,
    allow: Human,
    call: impl Fn(&str) -> ToolCall,
    result: impl Fn(&str) -> String,
) {
    let calls = |name: &str| Step::Tools(vec![call(name)]);
    let press = |button| Human::Press { button, nth: 0 };
    let asked = |name, human, reads| Round {
        steps: vec![calls(name)],
        title: title(name),
        human,
        reads,
    };
    let results = Reads::Results;

    let once = results(vec![result("once")]);
    scene.play(asked("once", allow, once)).await;

    let refused = Reads::Error(scene.refusal("."));
    scene.play(asked("never", press("Reject"), refused)).await;

    let reason = Human::Run {
        command: "deny",
        arguments: &["--reason", "nicht \"so\""],
    };
    let refusal = scene.refusal(" with the following feedback: nicht \"so\"");
    scene
        .play(asked("not so", reason, results(vec![refusal])))
        .await;

    // The second call is not asked for: it is what "always" allowed.
    let always = Human::Run {
        command: "grant",
        arguments: &["--always"],
    };
    let both = results(vec![result("first"), result("then")]);
    let mut twice = asked("first", always, both);
    twice.steps.push(calls("then"));
    scene.play(twice).await;
}

fn database() -> Value {
    named("Which database?", &["PostgreSQL", "SQLite"])
}

fn features() -> Value {
    let mut question = named("Which features?", &["Auth", "Search", "Export"]);
    question["multiple"] = json!(true);
    question
}

/// Returns OpenCode's text of a human's answers for the model, which is the same in both versions.
fn answer(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = pairs
        .iter()
        .map(|(q, a)| format!("\"{q}\"=\"{a}\""))
        .collect();
    format!(
        "User has answered your questions: {}. You can now continue with the user's answers in mind.",
        pairs.join(", ")
    )
}

fn answers(pairs: &[(&str, &str)]) -> Reads {
    Reads::Results(vec![answer(pairs)])
}
