//! A Beckon that watches another one as if that were an OpenCode: two real programs with homes of
//! their own, answered at either of them; and two that watch each other.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(target_os = "linux")]

mod common;
#[path = "common/counter.rs"]
mod counter;

use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Step, ToolCall};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::Version;
use beckon_support::replay::Kind;
use common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage, asked_by, named};
use counter::Scene;
use serde_json::{Value, json};
use std::time::Duration;

/// A token that both know, as between two machines.
const TOKEN: &str = "a-token-that-both-of-them-know";

/// The Beckon at which the human sits.
struct Near {
    beckon: Beckon,
    daemon: Notifications,
    _bus: Bus,
}

impl Near {
    async fn watching(far: &Beckon) -> Self {
        let endpoint = far.endpoint().unwrap();
        Self::with(&endpoint["url"], endpoint["token"].as_str().unwrap(), 0).await
    }

    /// On a port of its own, which another one may know.
    async fn with(url: &Value, token: &str, port: u16) -> Self {
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let config = format!("[[opencode]]\nname = \"far\"\nurl = {url}\n\n[api]\nport = {port}\n");
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).bus(&bus).config(&config);
        let builder = builder.env("BECKON_OPENCODE_PASSWORD_FAR", token);
        let beckon = builder.env("BECKON_API_TOKEN", TOKEN).start();
        beckon.wait_ready().await;
        Self { beckon, daemon, _bus: bus }
    }

    async fn shown(&self, title: &str) -> Shown {
        self.daemon.wait_for(|shown| shown.summary.ends_with(title), SOON).await
    }

    async fn press(&self, title: &str, label: &str) {
        let shown = self.shown(title).await;
        self.daemon.press(shown.id, shown.action(label).unwrap());
    }

    async fn nothing_left(&self) {
        nothing_open(&self.beckon).await;
        self.daemon.wait_empty(SOON).await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }
}

async fn nothing_open(beckon: &Beckon) {
    eventually("an empty list", SOON, async || beckon.list().await.is_empty().then_some(())).await;
}

async fn one_open(beckon: &Beckon) -> Value {
    eventually("one open ask", SOON, async || {
        let list = beckon.list().await;
        <[Value; 1]>::try_from(list).ok().map(|[only]| only)
    })
    .await
}

/// How an ask ended there.
async fn ending(beckon: &Beckon, id: &str) -> Value {
    beckon.command(&["answer", id, "--text", "too late", "--json"]).await.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_opencode_asks_is_answered_two_beckons_away() {
    let stage = Stage::start(Version::V1_18_33).await;
    let near = Near::watching(&stage.beckon).await;
    stage.ask(&[asked_by(json!([named("Which one?", &["Left", "Right"])]))]).await;
    near.shown("Which one?").await;
    let directory = stage.directory();
    eventually("the card knows who asks", SOON, async || {
        let session = one_open(&near.beckon).await["session"].clone();
        (session["title"] == "A session" && session["directory"] == json!(directory)).then_some(())
    })
    .await;
    near.press("Which one?", "Right").await;
    stage.model_reads("\"Which one?\"=\"Right\"").await;
    near.nothing_left().await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_given_and_a_question_dismissed_two_beckons_away() {
    let stage = Stage::start(Version::V1_18_33).await;
    let near = Near::watching(&stage.beckon).await;
    stage.ask(&[Step::Tools(vec![ToolCall::bash("echo far away")])]).await;
    let shown = near.shown("Run a command?").await;
    assert_eq!(shown.body, "echo far away");
    near.press("Run a command?", "Allow once").await;
    stage.model_reads("far away").await;
    near.nothing_left().await;
    stage.ask(&[asked_by(json!([named("Dismiss me?", &["Yes"])]))]).await;
    let id = one_open(&near.beckon).await["id"].as_str().unwrap().to_owned();
    let dismissed = near.beckon.command(&["dismiss", &id, "--json"]).await;
    assert_eq!(dismissed.json()["state"], "taken", "{dismissed:?}");
    near.nothing_left().await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_at_the_far_one_goes_at_the_near_one_and_says_so() {
    let scene = Scene::start().await;
    let near = Near::watching(&scene.beckon).await;
    let _asker = scene.ask(&["--question", "Here or there?", "--choice", "There"]);
    near.shown("Here or there?").await;
    let id = one_open(&near.beckon).await["id"].as_str().unwrap().to_owned();
    scene.press("Here or there?", "There").await;
    near.daemon.wait_empty(Duration::from_secs(2)).await;
    near.nothing_left().await;
    let late = ending(&near.beckon, &id).await;
    assert_eq!((&late["state"], &late["by"]), (&json!("already answered"), &json!("elsewhere")));
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_at_the_far_one_is_answered_at_the_near_one_exactly() {
    let scene = Scene::start().await;
    let near = Near::watching(&scene.beckon).await;
    let asker = scene.ask(&["--question", "Name?", "--choice", "A", "--choice", "B", "--multiple"]);
    let id = one_open(&near.beckon).await["id"].as_str().unwrap().to_owned();
    let words =
        ["answer", &id, "--question", "1", "--choice", "2,1", "--text", "用我的话", "--json"];
    assert_eq!(near.beckon.command(&words).await.json()["state"], "taken");
    let output = tokio::time::timeout(SOON, asker.wait_with_output()).await.unwrap().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "B\nA\n用我的话\n");
    near.nothing_left().await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_beckon_understands_is_shown_two_beckons_away() {
    let far = Rehearsal::start().await;
    let near = Near::watching(&far.beckon).await;
    let strange = json!({ "id": "per_1", "sessionID": SESSION, "permission": { "new": "form" },
        "patterns": ["rm -rf ~"] });
    far.replay.ask(Kind::Permission, DIRECTORY, strange).await;
    let shown = near.shown("A request in a form Beckon doesn't know").await;
    assert!(shown.body.contains("rm -rf"), "{shown:?}");
    assert!(shown.action("Allow once").is_none(), "{shown:?}");
    let listed = one_open(&near.beckon).await;
    assert_eq!(listed["kind"], "permission");
    assert!(listed["unknown"].as_str().unwrap().contains("rm -rf"), "{listed}");
    far.replay.withdraw("per_1");
    let ended = json!({ "sessionID": SESSION, "requestID": "per_1", "reply": "reject" });
    far.replay.event(DIRECTORY, "permission.replied", ended).await;
    near.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_far_one_that_was_killed_is_found_again_at_its_port_with_all_that_is_open() {
    let port = free_port();
    let far = serving("[]", port);
    far.wait_ready().await;
    let near = Near::with(&url(port), TOKEN, 0).await;
    let asker = asking(&far, "Still there?");
    near.shown("Still there?").await;
    far.kill9();
    far.start();
    far.wait_ready().await;
    eventually("the near one is connected again", SOON, async || {
        (near.beckon.status().await["sources"][0]["state"] == "live").then_some(())
    })
    .await;
    assert_eq!(near.beckon.list().await.len(), 1);
    near.press("Still there?", "Yes").await;
    let output = tokio::time::timeout(SOON, asker.wait_with_output()).await.unwrap().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Yes\n");
    near.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_that_watch_each_other_show_each_ask_once_and_say_so() {
    let (here, there) = (free_port(), free_port());
    let far = serving(&format!("[{{ name = \"near\", url = {} }}]", url(here)), there);
    let near = Near::with(&url(there), TOKEN, here).await;
    eventually("both are connected", SOON, async || {
        let live = async |beckon: &Beckon| beckon.status().await["sources"][0]["state"] == "live";
        (live(&near.beckon).await && live(&far).await).then_some(())
    })
    .await;
    let asker = asking(&near.beckon, "Round and round?");
    near.shown("Round and round?").await;
    let id = one_open(&far).await["id"].as_str().unwrap().to_owned();
    // Whatever goes round has gone round once this has come and gone.
    let second = asking(&far, "And back?");
    near.press("And back?", "Yes").await;
    assert_eq!(said(second).await, "Yes\n");
    assert_eq!(one_open(&near.beckon).await["id"], json!(id));
    assert_eq!(one_open(&far).await["id"], json!(id));
    let answered = far.command(&["answer", &id, "--choice", "1", "--json"]).await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    assert_eq!(said(asker).await, "Yes\n");
    near.nothing_left().await;
    nothing_open(&far).await;
    let mut errors = Vec::new();
    for beckon in [&near.beckon, &far] {
        let status = beckon.status().await;
        assert_eq!(status["sources"][0]["beckon"], json!(true));
        errors.extend(status["sources"][0]["error"].as_str().map(str::to_owned));
    }
    assert!(errors.iter().any(|error| error.contains("watches this Beckon too")), "{errors:?}");
}

/// A Beckon on that port that watches these servers.
fn serving(servers: &str, port: u16) -> Beckon {
    let config = format!("opencode = {servers}\n\n[api]\nport = {port}\n");
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    builder.env("BECKON_API_TOKEN", TOKEN).env("BECKON_OPENCODE_PASSWORD_NEAR", TOKEN).start()
}

fn asking(beckon: &Beckon, text: &str) -> tokio::process::Child {
    let mut command = beckon.prepare(&["ask", "--question", text, "--choice", "Yes"]);
    command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
    tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap()
}

async fn said(asker: tokio::process::Child) -> String {
    let output = tokio::time::timeout(SOON, asker.wait_with_output()).await.unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn url(port: u16) -> Value {
    json!(format!("http://127.0.0.1:{port}"))
}

/// Free a moment ago.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
