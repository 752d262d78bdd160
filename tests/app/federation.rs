//! Tests of a Beckon that watches another one as if it were an OpenCode: two real programs with
//! homes of their own, answered at either of them; and two that watch each other.

use crate::common::counter::Scene;
use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage, asked_by, named, yes_or_no};
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::interrupts::Service;
use beckon_support::model::{Step, ToolCall};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::Version;
use beckon_support::ports::free_port;
use beckon_support::replay::{Kind, Replay};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The token that both Beckons know, as between two machines.
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

    /// Starts it on a given port, which another Beckon may know.
    async fn with(url: &Value, token: &str, port: u16) -> Self {
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let config = format!("[[opencode]]\nname = \"far\"\nurl = {url}\n\n[api]\nport = {port}\n");
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(&config);
        let builder = builder.env("BECKON_OPENCODE_PASSWORD_FAR", token);
        let beckon = builder.env("BECKON_API_TOKEN", TOKEN).start();
        beckon.wait_ready().await;
        Self {
            beckon,
            daemon,
            _bus: bus,
        }
    }

    async fn shown(&self, title: &str) -> Shown {
        self.daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await
    }

    async fn press(&self, title: &str, label: &str) {
        self.daemon.press_titled(title, label, SOON).await;
    }

    async fn gone(&self, title: &str) {
        eventually(&format!("{title} is gone"), SOON, async || {
            let open = self.daemon.open();
            open.iter()
                .all(|shown| !shown.summary.ends_with(title))
                .then_some(())
        })
        .await;
    }

    async fn nothing_left(&self) {
        nothing_open(&self.beckon).await;
        self.daemon.wait_empty(SOON).await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }
}

async fn nothing_open(beckon: &Beckon) {
    eventually("an empty list", SOON, async || {
        beckon.list().await.is_empty().then_some(())
    })
    .await;
}

async fn one_open(beckon: &Beckon) -> Value {
    eventually("one open ask", SOON, async || {
        let list = beckon.list().await;
        let [only] = <[Value; 1]>::try_from(list).ok()?;
        (only["permission"]["is_partial"] != true).then_some(only)
    })
    .await
}

/// Returns how an ask ended at that Beckon.
async fn ending(beckon: &Beckon, id: &str) -> Value {
    beckon
        .command(&["answer", id, "--text", "too late", "--json"])
        .await
        .json()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_opencode_asks_is_answered_two_beckons_away() {
    let stage = Stage::start(Version::V1_18_33).await;
    let near = Near::watching(&stage.beckon).await;
    stage
        .ask(&[asked_by(json!([named("Which one?", &["Left", "Right"])]))])
        .await;
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
    stage
        .ask(&[Step::Tools(vec![ToolCall::bash("echo far away")])])
        .await;
    let whole = "echo far away\ndescription: Run a command";
    near.daemon
        .wait_for(|shown| shown.body == whole, SOON)
        .await;
    near.press("wants to run echo", "Allow once").await;
    stage.model_reads("far away").await;
    near.nothing_left().await;
    stage
        .ask(&[asked_by(json!([named("Dismiss me?", &["Yes"])]))])
        .await;
    let id = one_open(&near.beckon).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
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
    let id = one_open(&near.beckon).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    scene.press("Here or there?", "There").await;
    near.daemon.wait_empty(Duration::from_secs(2)).await;
    near.nothing_left().await;
    let late = ending(&near.beckon, &id).await;
    assert_eq!(
        (&late["state"], &late["by"]),
        (&json!("already answered"), &json!("elsewhere"))
    );
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_at_the_far_one_is_answered_at_the_near_one_exactly() {
    let scene = Scene::start().await;
    let near = Near::watching(&scene.beckon).await;
    let asker = scene.ask(&[
        "--question",
        "Name?",
        "--choice",
        "A",
        "--choice",
        "B",
        "--multiple",
    ]);
    let id = one_open(&near.beckon).await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let words = [
        "answer",
        &id,
        "--question",
        "1",
        "--choice",
        "2,1",
        "--text",
        "用我的话",
        "--json",
    ];
    assert_eq!(near.beckon.command(&words).await.json()["state"], "taken");
    let output = tokio::time::timeout(SOON, asker.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "B\nA\n用我的话\n"
    );
    near.nothing_left().await;
    scene.nothing_left().await;
}

/// Returns the responder of the ask that ended last at that Beckon.
async fn responder(beckon: &Beckon) -> Value {
    let endpoint = beckon.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let history = client
        .get(format!("{url}/history?limit=1"))
        .bearer_auth(token)
        .send()
        .await;
    let page: Value = history.unwrap().json().await.unwrap();
    page["entries"][0]["responder"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_answered_at_the_near_one_stands_at_the_far_one_as_its_word() {
    let scene = Scene::start().await;
    let near = Near::watching(&scene.beckon).await;
    let config = std::fs::read_to_string(near.beckon.home().join("config.toml")).unwrap();
    near.beckon
        .write_config(&format!("{config}\n[person]\nname = \"Ada\u{202e}\"\n"));
    eventually("the near one calls its user so", SOON, async || {
        let asker = scene.ask(&["--question", "Who are you?", "--choice", "Me"]);
        near.press("Who are you?", "Me").await;
        tokio::time::timeout(SOON, asker.wait_with_output())
            .await
            .unwrap()
            .unwrap();
        near.nothing_left().await;
        (responder(&near.beckon).await["person"] == "Ada⟨U+202E⟩").then_some(())
    })
    .await;
    let (here, there) = (
        responder(&near.beckon).await,
        responder(&scene.beckon).await,
    );
    assert_eq!(here["vouched"], "machine");
    assert_eq!(
        (&there["person"], &there["vouched"]),
        (&here["person"], &json!("peer"))
    );
    assert_eq!(
        (&there["device"], &there["peer"]),
        (&here["device"], &here["device"])
    );
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
    assert!(
        listed["unknown"].as_str().unwrap().contains("rm -rf"),
        "{listed}"
    );
    far.replay.withdraw("per_1");
    let ended = json!({ "sessionID": SESSION, "requestID": "per_1", "reply": "reject" });
    far.replay
        .event(DIRECTORY, "permission.replied", ended)
        .await;
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
    let output = tokio::time::timeout(SOON, asker.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Yes\n");
    near.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_that_watch_each_other_show_each_ask_once_and_say_so() {
    let (here, there) = (free_port(), free_port());
    let far = serving(
        &format!("[{{ name = \"near\", url = {} }}]", url(here)),
        there,
    );
    let near = Near::with(&url(there), TOKEN, here).await;
    eventually("both are connected", SOON, async || {
        let live = async |beckon: &Beckon| beckon.status().await["sources"][0]["state"] == "live";
        (live(&near.beckon).await && live(&far).await).then_some(())
    })
    .await;
    let asker = asking(&near.beckon, "Round and round?");
    near.shown("Round and round?").await;
    let id = one_open(&far).await["id"].as_str().unwrap().to_owned();
    // An ask that goes around in circles would have done so by the time this one has come and gone.
    let second = asking(&far, "And back?");
    near.press("And back?", "Yes").await;
    assert_eq!(said(second).await, "Yes\n");
    assert_eq!(one_open(&near.beckon).await["id"], json!(id));
    assert_eq!(one_open(&far).await["id"], json!(id));
    let answered = far
        .command(&["answer", &id, "--choice", "1", "--json"])
        .await;
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
    assert!(
        errors
            .iter()
            .any(|error| error.contains("watches this Beckon too")),
        "{errors:?}"
    );
}

/// Starts a Beckon that watches a service with interrupts, and one that watches that Beckon.
async fn serving_interrupts() -> (Service, Beckon, Near) {
    let service = Service::start();
    service.announce_on_connect();
    let config = format!("opencode = []\n{}", service.config("research"));
    let far = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .start();
    far.wait_ready().await;
    service.wait_streams(1, SOON).await;
    let near = Near::watching(&far).await;
    eventually("the near one is connected", SOON, async || {
        (near.beckon.status().await["sources"][0]["state"] == "live").then_some(())
    })
    .await;
    (service, far, near)
}

fn drop_it() -> Value {
    let option = |value: &str| json!({ "label": "Drop it", "value": value });
    json!({ "questions": [{ "question": "Which?", "options": [option("prod"), option("staging")] }] })
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_equal_labels_the_one_that_was_picked_is_delivered_two_beckons_away() {
    let (service, far, near) = serving_interrupts().await;
    service.interrupt("t", drop_it());
    let ask = one_open(&near.beckon).await;
    assert_eq!(
        ask["questions"][0]["choices"][1]["label"], "Drop it (2)",
        "{ask}"
    );
    let id = ask["id"].as_str().unwrap();
    let answered = near
        .beckon
        .command(&["answer", id, "--choice", "2", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    let resumed = service.wait_resumed(1, SOON).await;
    assert_eq!(
        resumed[0].body,
        json!({ "action": "answer", "answers": ["staging"] })
    );
    near.nothing_left().await;
    nothing_open(&far).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_knows_only_labels_can_pick_either_and_is_never_guessed_at() {
    let (service, far, _near) = serving_interrupts().await;
    service.interrupt("t", drop_it());
    let ask = one_open(&far).await;
    let endpoint = far.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let listed: Value = client
        .get(format!("{url}/question"))
        .bearer_auth(token)
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let labels: Vec<&Value> = listed[0]["questions"][0]["options"]
        .as_array()
        .unwrap()
        .iter()
        .map(|option| &option["label"])
        .collect();
    assert_eq!(labels, ["Drop it (1)", "Drop it (2)"]);
    let reply = async |label: &str| {
        let path = format!("{url}/question/{}/reply", ask["id"].as_str().unwrap());
        let body = json!({ "answers": [[label]] });
        client
            .post(path)
            .bearer_auth(token)
            .json(&body)
            .send()
            .await
            .unwrap()
    };
    let refused = reply("Drop it").await;
    assert_eq!(refused.status(), 400);
    let why: Value = refused.json().await.unwrap();
    assert!(
        why["message"].as_str().unwrap().contains("several choices"),
        "{why}"
    );
    assert_eq!(service.resumed(), []);
    assert_eq!(reply("Drop it (2)").await.status(), 200);
    let resumed = service.wait_resumed(1, SOON).await;
    assert_eq!(resumed[0].body["answers"], json!(["staging"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_is_passed_on_and_answered_two_beckons_away() {
    let (service, far, near) = serving_interrupts().await;
    for (n, verb, action) in [(1, "grant", "continue"), (2, "deny", "cancel")] {
        service.interrupt("t", json!({ "info": "Deploy now?" }));
        let ask = one_open(&near.beckon).await;
        assert_eq!(
            (&ask["kind"], &ask["info"]),
            (&json!("confirm"), &json!("Deploy now?"))
        );
        let command = [verb, ask["id"].as_str().unwrap(), "--json"];
        let answered = near.beckon.command(&command).await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
        let resumed = service.wait_resumed(n, SOON).await;
        assert_eq!(resumed[n - 1].body, json!({ "action": action }));
        near.nothing_left().await;
        nothing_open(&far).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_that_was_open_before_is_listed_and_goes_when_it_is_answered_there() {
    let service = Service::start();
    let config = format!("opencode = []\n{}", service.config("research"));
    let far = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .start();
    far.wait_ready().await;
    service.wait_streams(1, SOON).await;
    service.interrupt("t", json!({ "info": "Deploy now?" }));
    let there = one_open(&far).await;
    let near = Near::watching(&far).await;
    let here = one_open(&near.beckon).await;
    let id = there["id"].as_str().unwrap();
    assert_eq!(
        far.command(&["grant", id, "--json"]).await.json()["state"],
        "taken"
    );
    near.nothing_left().await;
    let late = ending(&near.beckon, here["id"].as_str().unwrap()).await;
    assert_eq!(
        (&late["state"], &late["by"]),
        (&json!("already answered"), &json!("elsewhere"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_came_back_there_comes_back_here_and_is_not_sent_again_by_itself() {
    let (service, _far, near) = serving_interrupts().await;
    service.interrupt("t", json!({ "info": "Deploy now?" }));
    let ask = one_open(&near.beckon).await;
    service.fault(beckon_support::interrupts::Fault::Status(500, "oops"));
    let refused = near
        .beckon
        .command(&["grant", ask["id"].as_str().unwrap()])
        .await;
    assert!(refused.stderr.contains("500"), "{refused:?}");
    assert_eq!(
        one_open(&near.beckon).await["returned"]["reason"],
        "refused"
    );
    // A list would have made it send the answer again by now.
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(service.resumed().len(), 1);
}

/// The answer is sent a second time only for a client that says that it is the same answer, as a
/// Beckon does that has not heard the outcome.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_came_back_is_not_sent_again_also_after_a_restart() {
    let service = Service::start();
    service.announce_on_connect();
    let config = format!("opencode = []\n{}", service.config("research"));
    let far = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .start();
    far.wait_ready().await;
    service.wait_streams(1, SOON).await;
    service.interrupt("t", json!({ "info": "Deploy now?" }));
    let id = one_open(&far).await["id"].as_str().unwrap().to_owned();
    service.fault(beckon_support::interrupts::Fault::Status(500, "oops"));
    let (status, first) = answered_again(&far, &id).await;
    assert_eq!(
        (status, &first["code"]),
        (502, &json!("returned")),
        "{first}"
    );
    for _ in 0..2 {
        far.kill9();
        far.start();
        far.wait_ready().await;
        let ask = one_open(&far).await;
        assert_eq!(
            (&ask["id"], &ask["returned"]["reason"]),
            (&json!(id), &json!("refused"))
        );
        assert_eq!(answered_again(&far, &id).await, (502, first.clone()));
        assert_eq!(service.resumed().len(), 1);
    }
    let granted = far.command(&["grant", &id, "--json"]).await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    assert_eq!(service.resumed().len(), 2);
}

/// Sends the answer to a confirm, like another Beckon that may have sent it before.
async fn answered_again(far: &Beckon, id: &str) -> (u16, Value) {
    let endpoint = far.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let body = json!({ "answer": "continue", "by": "api", "again": true });
    let path = format!("{url}/answer/{id}?wait=5");
    let answered = client
        .post(path)
        .bearer_auth(token)
        .json(&body)
        .send()
        .await
        .unwrap();
    (answered.status().as_u16(), answered.json().await.unwrap())
}

/// The far Beckon's servers choose the ids of their asks independently.
#[tokio::test(flavor = "multi_thread")]
async fn two_servers_with_equal_ids_are_seen_and_answered_apart_two_beckons_away() {
    let servers = [Replay::start(), Replay::start()];
    let mut config = String::new();
    for (server, name) in servers.iter().zip(["one", "two"]) {
        server.session(SESSION, DIRECTORY, "A session");
        config += &format!(
            "[[opencode]]\nname = \"{name}\"\nurl = \"{}\"\n\n",
            server.url()
        );
    }
    let far = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .start();
    far.wait_ready().await;
    eventually("both servers are heard", SOON, async || {
        let sources = far.status().await["sources"].as_array().unwrap().clone();
        (sources
            .iter()
            .filter(|source| source["state"] == "live")
            .count()
            >= 2)
            .then_some(())
    })
    .await;
    let near = Near::watching(&far).await;
    eventually("the near one is connected", SOON, async || {
        (near.beckon.status().await["sources"][0]["state"] == "live").then_some(())
    })
    .await;
    // The second one is answered first, and the remaining one must keep its id.
    for (server, text) in servers.iter().zip(["Of one?", "Of two?"]) {
        server
            .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", text))
            .await;
        near.shown(text).await;
    }
    for (text, label) in [("Of two?", "No"), ("Of one?", "Yes")] {
        near.press(text, label).await;
        near.gone(text).await;
    }
    near.nothing_left().await;
    nothing_open(&far).await;
    for (server, label) in servers.iter().zip(["Yes", "No"]) {
        let replies: Vec<Value> = server
            .replies()
            .into_iter()
            .map(|reply| reply.body)
            .collect();
        assert_eq!(replies, [json!({ "answers": [[label]] })]);
    }
    assert_eq!(near.daemon.all().len(), 2, "nothing was shown twice");
}

/// An earlier version of Beckon, which answers by index, as far as one that watches it can tell.
struct Old {
    url: Value,
    open: Arc<Mutex<Vec<Value>>>,
    replies: Arc<Mutex<Vec<Value>>>,
}

impl Old {
    /// Starts one with an open question that has these labels.
    async fn asking(labels: &[&str]) -> Self {
        let options: Vec<Value> = labels
            .iter()
            .map(|label| json!({ "label": label }))
            .collect();
        let question = json!({ "question": "Which?", "options": options, "custom": false });
        let item =
            json!({ "id": "que_1", "sessionID": "s", "questions": [question], "via": ["old"] });
        let open = Arc::new(Mutex::new(vec![item]));
        let replies = Arc::new(Mutex::new(Vec::new()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = json!(format!("http://{}", listener.local_addr().unwrap()));
        let router = Self::router(open.clone(), replies.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, open, replies }
    }

    fn router(open: Arc<Mutex<Vec<Value>>>, replies: Arc<Mutex<Vec<Value>>>) -> Router {
        let told = |value: Value| get(move || std::future::ready(Json(value.clone())));
        let hello = json!({ "payload": { "type": "server.connected", "properties": {} } });
        let events = move || {
            let first = stream::iter([Ok::<_, Infallible>(
                Event::default().data(hello.to_string()),
            )]);
            std::future::ready(Sse::new(first.chain(stream::pending())))
        };
        let listed = open.clone();
        let list = move || std::future::ready(Json(listed.lock().unwrap().clone()));
        let reply = move |Json(body): Json<Value>| {
            open.lock().unwrap().clear();
            replies.lock().unwrap().push(body);
            std::future::ready(Json(true))
        };
        let health = json!({ "healthy": true, "version": "0.1.0", "instance": "old" });
        Router::new()
            .route("/global/health", told(health))
            .route("/global/event", get(events))
            .route("/path", told(json!({ "directory": "/p" })))
            .route("/project", told(json!([])))
            .route("/experimental/session", told(json!([])))
            .route("/session/status", told(json!({ "s": { "type": "busy" } })))
            .route("/question", get(list))
            .route("/permission", told(json!([])))
            .route("/question/{id}/reply", post(reply))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_too_old_for_indices_gets_the_label_where_that_means_one_choice_alone() {
    let old = Old::asking(&["Left", "Right"]).await;
    let near = Near::with(&old.url, TOKEN, 0).await;
    let ask = one_open(&near.beckon).await;
    let id = ask["id"].as_str().unwrap();
    let answered = near
        .beckon
        .command(&["answer", id, "--choice", "2", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    assert_eq!(
        *old.replies.lock().unwrap(),
        [json!({ "answers": [["Right"]] })]
    );

    let old = Old::asking(&["Drop it", "Drop it"]).await;
    let near = Near::with(&old.url, TOKEN, 0).await;
    let ask = one_open(&near.beckon).await;
    let refused = near
        .beckon
        .command(&["answer", ask["id"].as_str().unwrap(), "--choice", "2"])
        .await;
    assert!(refused.stderr.contains("several choices"), "{refused:?}");
    assert_eq!(
        one_open(&near.beckon).await["returned"]["reason"],
        "refused"
    );
    assert_eq!(old.open.lock().unwrap().len(), 1);
    assert_eq!(*old.replies.lock().unwrap(), [json!({})][..0]);
}

/// Starts a Beckon on that port that watches these servers.
fn serving(servers: &str, port: u16) -> Beckon {
    let config = format!("opencode = {servers}\n\n[api]\nport = {port}\n");
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    builder
        .env("BECKON_API_TOKEN", TOKEN)
        .env("BECKON_OPENCODE_PASSWORD_NEAR", TOKEN)
        .start()
}

fn asking(beckon: &Beckon, text: &str) -> tokio::process::Child {
    let mut command = beckon.prepare(&["ask", "--question", text, "--choice", "Yes"]);
    command
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped());
    tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

async fn said(asker: tokio::process::Child) -> String {
    let output = tokio::time::timeout(SOON, asker.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn url(port: u16) -> Value {
    json!(format!("http://127.0.0.1:{port}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copied_home_shows_what_the_one_it_was_copied_from_asks() {
    let port = free_port();
    let far = serving("[]", port);
    far.wait_ready().await;
    far.terminate();
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let config = format!("[[opencode]]\nname = \"far\"\nurl = {}\n", url(port));
    let copy = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(&bus)
        .config(&config);
    let copy = copy.env("BECKON_OPENCODE_PASSWORD_FAR", TOKEN).build();
    std::fs::copy(far.home().join("beckon.db"), copy.home().join("beckon.db")).unwrap();
    far.start();
    far.wait_ready().await;
    copy.start();
    copy.wait_ready().await;
    let asker = asking(&far, "Of the original?");
    let shown = daemon
        .wait_for(|shown| shown.summary.ends_with("Of the original?"), SOON)
        .await;
    assert!(
        copy.status().await["sources"][0]["error"].is_null(),
        "it is another Beckon"
    );
    daemon.press(shown.id, shown.action("Yes").unwrap());
    assert_eq!(said(asker).await, "Yes\n");
}
