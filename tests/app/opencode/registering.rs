//! Tests of servers that register themselves, and of what happens when Beckon or they themselves
//! go.

use crate::common::{Rehearsal, SESSION, SOON, noted, yes_or_no};
use beckon_support::eventually;
use beckon_support::process::Process;
use beckon_support::replay::{Kind, Replay};
use serde_json::{Value, json};
use std::process::Command;

const ELSEWHERE: &str = "/elsewhere";

/// A server with a session, and the process that it claims to be.
struct Guest {
    replay: Replay,
    process: Process,
}

impl Guest {
    fn new() -> Self {
        let replay = Replay::start();
        replay.session(SESSION, ELSEWHERE, "Another session");
        let mut process = Command::new("sleep");
        process.arg("1000");
        Self {
            replay,
            process: Process::spawn(process),
        }
    }

    async fn registers(&self, stage: &Rehearsal, name: &str) {
        assert_eq!(self.tries(stage, name).await.0, 201);
    }

    /// Tries to register; returns the status and the body.
    async fn tries(&self, stage: &Rehearsal, name: &str) -> (u16, Value) {
        let body = json!({ "name": name, "url": self.replay.url(), "pid": self.process.pid() });
        let endpoint = stage.beckon.endpoint().unwrap();
        let (url, token) = (
            endpoint["url"].as_str().unwrap(),
            endpoint["token"].as_str().unwrap(),
        );
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .post(format!("{url}/servers"))
            .bearer_auth(token)
            .json(&body);
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    async fn ask(&self, id: &str, text: &str) {
        self.replay
            .ask(Kind::Question, ELSEWHERE, yes_or_no(id, text))
            .await;
    }
}

async fn wait_source(stage: &Rehearsal, name: &str, state: Option<&str>) {
    eventually(&format!("{name} is {state:?}"), SOON, async || {
        let sources = stage.beckon.status().await["sources"].as_array().cloned()?;
        let source = sources.iter().find(|source| source["name"] == name);
        let now = source.map(|source| source["state"].as_str().unwrap_or_default().to_owned());
        (now.as_deref() == state).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_leaves_with_its_process_and_takes_its_asks_along() {
    let stage = Rehearsal::start().await;
    let mut guest = Guest::new();
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    guest.ask("que_1", "Still there?").await;
    stage.shown("Still there?").await;
    guest.replay.down();
    wait_source(&stage, "guest", Some("unreachable")).await;
    assert_eq!(
        stage.state_of("que_1").await.as_deref(),
        Some("open"),
        "it may come back"
    );
    guest.process.kill();
    wait_source(&stage, "guest", None).await;
    stage.daemon.wait_empty(SOON).await;
    assert_eq!(stage.beckon.list().await, Vec::<Value>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn it_stays_while_it_listens_whatever_becomes_of_its_process() {
    let stage = Rehearsal::start().await;
    let mut guest = Guest::new();
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    guest.process.kill();
    guest.ask("que_1", "Still listening?").await;
    stage.press("Still listening?", "Yes").await;
    assert_eq!(guest.replay.wait_replies(1, SOON).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn its_open_ask_outlives_a_restart_of_beckon() {
    let stage = Rehearsal::start().await;
    let guest = Guest::new();
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    guest.ask("que_1", "Through a restart?").await;
    noted(&stage.beckon, &stage.shown("Through a restart?").await).await;
    stage.beckon.kill9();
    stage.beckon.start();
    stage.ready().await;
    wait_source(&stage, "guest", None).await;
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("open"));
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    stage.press("Through a restart?", "No").await;
    let replies = guest.replay.wait_replies(1, SOON).await;
    assert_eq!(replies[0].body, json!({ "answers": [["No"]] }));
    let log = stage.beckon.stderr();
    assert!(!log.contains("outcome=\"gone\""), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_before_its_server_has_registered_itself_again_arrives_once_it_has() {
    let stage = Rehearsal::start().await;
    let guest = Guest::new();
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    guest.ask("que_1", "Through a restart?").await;
    noted(&stage.beckon, &stage.shown("Through a restart?").await).await;
    stage.beckon.kill9();
    stage.beckon.start();
    stage.ready().await;
    wait_source(&stage, "guest", None).await;
    stage.press("Through a restart?", "No").await;
    stage.wait_state("que_1", "answering").await;
    guest.registers(&stage, "guest").await;
    let replies = guest.replay.wait_replies(1, SOON).await;
    assert_eq!(replies[0].body, json!({ "answers": [["No"]] }));
}

/// Asks one question after the other, as fast as they are read.
async fn floods(guest: &Guest) {
    for number in 0.. {
        let question = yes_or_no(&format!("que_{number}"), "One more?");
        guest
            .replay
            .event(ELSEWHERE, "question.asked", question)
            .await;
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_still_says_while_another_takes_its_place_brings_nothing_back() {
    let stage = Rehearsal::start().await;
    let (guest, mut next) = (Guest::new(), Guest::new());
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    next.process = guest.process;
    let guest = Guest {
        process: Guest::new().process,
        ..guest
    };
    tokio::select! {
        () = floods(&guest) => {}
        () = async {
            eventually("it asks much", SOON, async || {
                (stage.beckon.list().await.len() > 50).then_some(())
            })
            .await;
            next.registers(&stage, "next").await;
            wait_source(&stage, "guest", None).await;
        } => {}
    }
    wait_source(&stage, "next", Some("live")).await;
    let list = stage.beckon.list().await;
    assert!(
        list.is_empty(),
        "{} of {} are left",
        list.len(),
        list[0]["source"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_process_replaces_what_it_registered_before() {
    let stage = Rehearsal::start().await;
    let (guest, mut again) = (Guest::new(), Guest::new());
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    guest.ask("que_1", "The old one?").await;
    stage.shown("The old one?").await;
    again.process = guest.process;
    again.registers(&stage, "again").await;
    wait_source(&stage, "again", Some("live")).await;
    wait_source(&stage, "guest", None).await;
    stage.daemon.wait_empty(SOON).await;
    again.ask("que_2", "The new one?").await;
    stage.press("The new one?", "Yes").await;
    again.replay.wait_replies(1, SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_belongs_to_somebody_else_is_refused_and_nothing_is_lost() {
    let stage = Rehearsal::start().await;
    let (mut guest, stranger) = (Guest::new(), Guest::new());
    stage.ask("que_1", "Of the configured one?").await;
    let mut asker =
        stage
            .beckon
            .prepare(&["ask", "--question", "Of Beckon's own?", "--choice", "Yes"]);
    let asker = asker.stdout(std::process::Stdio::piped()).spawn().unwrap();
    stage.shown("Of Beckon's own?").await;
    guest.registers(&stage, "guest").await;
    wait_source(&stage, "guest", Some("live")).await;
    for name in [
        "asks",
        "self-test",
        "demo",
        "opencode-service",
        "local",
        "guest",
        " ",
    ] {
        let (status, said) = stranger.tries(&stage, name).await;
        assert_eq!(
            (status, said["code"].as_str()),
            (409, Some("name taken")),
            "{name}: {said}"
        );
        assert!(
            said["message"].as_str().unwrap().contains("is taken"),
            "{name}: {said}"
        );
    }
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("open"));
    stage.press("Of the configured one?", "Yes").await;
    assert_eq!(stage.replies("que_1", 1).await.len(), 1);
    stage.press("Of Beckon's own?", "Yes").await;
    let told = tokio::task::spawn_blocking(move || asker.wait_with_output().unwrap())
        .await
        .unwrap();
    assert_eq!(String::from_utf8(told.stdout).unwrap(), "Yes\n");
    guest.process.kill();
    stranger.registers(&stage, "guest").await;
}
