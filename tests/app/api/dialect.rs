//! Tests of OpenCode's dialect in the local API, and of what the program reports about faults of
//! its home.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, config, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::notifications::Shown;
use beckon_support::replay::{Fault, Kind, OnReply, Replay, permission, question};
use futures_util::StreamExt;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// A client of the API of a stage's Beckon.
struct Api {
    url: String,
    token: String,
}

impl Api {
    fn of(beckon: &Beckon) -> Self {
        let endpoint = beckon.endpoint().expect("run/endpoint.json is there");
        let text = |key: &str| endpoint[key].as_str().unwrap().to_owned();
        Self {
            url: text("url"),
            token: text("token"),
        }
    }

    fn request(&self, method: Method, path: &str, token: &str) -> RequestBuilder {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        client
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(token)
    }

    async fn get(&self, path: &str) -> Value {
        let response = self
            .request(Method::GET, path, &self.token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 200, "GET {path}");
        response.json().await.unwrap()
    }

    async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let request = self.request(Method::POST, path, &self.token).json(&body);
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        (
            status,
            serde_json::from_str(&text).unwrap_or(Value::String(text)),
        )
    }
}

async fn stage() -> (Rehearsal, Api) {
    let stage = Rehearsal::start().await;
    let api = Api::of(&stage.beckon);
    (stage, api)
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_served_without_the_token() {
    let (stage, api) = stage().await;
    let paths = [
        "/global/health",
        "/global/event",
        "/question",
        "/status",
        "/list",
        "/nowhere",
    ];
    for path in paths {
        for token in ["", "wrong", &api.token[1..]] {
            let response = api.request(Method::GET, path, token).send().await.unwrap();
            assert_eq!(response.status(), 401, "{path} with {token:?}");
        }
        let bare = reqwest::get(format!("{}{path}", api.url)).await.unwrap();
        assert_eq!(bare.status(), 401, "{path}");
    }
    stage.ask("que_1", "Go on?").await;
    let forged = api.request(Method::POST, "/question/que_1/reply", "wrong");
    let forged = forged
        .json(&json!({ "answers": [["Yes"]] }))
        .send()
        .await
        .unwrap();
    assert_eq!(forged.status(), 401);
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("open"));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_may_read_the_endpoint_file() {
    use std::os::unix::fs::PermissionsExt;
    let (stage, api) = stage().await;
    let file = stage.beckon.home().join("run/endpoint.json");
    let mode = std::fs::metadata(file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(api.token.len() >= 32);
    assert!(!stage.beckon.stderr().contains(&api.token));
    stage.beckon.terminate();
    assert_eq!(
        stage.beckon.endpoint(),
        None,
        "the file goes with the program"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_probe_names_what_an_unknown_server_lacks_and_only_reads() {
    let (stage, _) = stage().await;
    stage.replay.version("1.99.0");
    stage.replay.fault("/permission", Some(Fault::Status(503)));
    let before = stage.replay.calls().len();
    let told = stage.beckon.command(&["doctor", "--probe", "--json"]).await;
    let part = |beginning: &str| {
        let findings = told.json();
        let found = findings.as_array().unwrap().iter().find(|finding| {
            finding["leg"] == "probe" && finding["text"].as_str().unwrap().contains(beginning)
        });
        found
            .cloned()
            .unwrap_or_else(|| panic!("nothing of {beginning}: {findings}"))
    };
    assert!(part("1.99.0")["ok"] == true);
    assert_eq!(part("open questions: as Beckon knows it")["ok"], true);
    assert_eq!(part("events: as Beckon knows it")["ok"], true);
    assert_eq!(
        part("open permissions: not as Beckon knows it (/permission: it answers 503)")["ok"],
        false
    );
    assert_eq!(
        part("answers, by its own description: not there")["ok"],
        false
    );
    assert_eq!(
        part("forms (2.x): not there")["ok"],
        true,
        "nobody needs them"
    );
    assert_eq!(told.status, Some(1));
    let calls = stage.replay.calls().split_off(before);
    assert!(
        calls.len() >= 8 && calls.iter().all(|call| call.method == "GET"),
        "{calls:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn list_and_show_name_the_call_and_the_message_where_the_source_does() {
    let (stage, _) = stage().await;
    let mut asked = question("que_1", SESSION, "Which one?", &["A", "B"]);
    asked["tool"] = json!({ "messageID": "msg_1", "callID": "call_1" });
    let tool = asked["tool"].clone();
    stage.replay.ask(Kind::Question, DIRECTORY, asked).await;
    let mut bare = question("que_2", SESSION, "And then?", &["A", "B"]);
    bare.as_object_mut().unwrap().remove("tool");
    stage.replay.ask(Kind::Question, DIRECTORY, bare).await;
    for (id, expected) in [("que_1", Some(&tool)), ("que_2", None)] {
        stage
            .shown(if expected.is_some() {
                "Which one?"
            } else {
                "And then?"
            })
            .await;
        let list = stage.beckon.list().await;
        let listed = list.iter().find(|ask| ask["id"] == id).unwrap();
        let shown = stage.beckon.command(&["show", id, "--json"]).await.json();
        for told in [listed, &shown] {
            assert_eq!(told["session"]["id"], SESSION);
            assert_eq!(told.get("tool"), expected, "{told}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_listed_and_answered_by_labels() {
    let (stage, api) = stage().await;
    let asked = question("que_1", SESSION, "Which one?", &["A", "B"]);
    stage.replay.ask(Kind::Question, DIRECTORY, asked).await;
    stage.shown("Which one?").await;
    let list = api.get("/question").await;
    assert_eq!(list[0]["id"], "que_1");
    assert_eq!(list[0]["sessionID"], SESSION);
    assert_eq!(list[0]["questions"][0]["question"], "Which one?");
    assert_eq!(list[0]["questions"][0]["options"][1]["label"], "B");
    assert_eq!(api.get("/permission").await, json!([]));

    let wrong = [
        json!({ "answers": [] }),
        json!({ "answers": [["A", "B"]] }),
        json!({ "answers": [["A"], ["B"]] }),
        json!({ "answers": "A" }),
        json!({}),
    ];
    for body in wrong {
        let (status, said) = api.post("/question/que_1/reply", body.clone()).await;
        assert!((400..500).contains(&status), "{body}: {status} {said}");
        let reason = said["message"]
            .as_str()
            .or(said.as_str())
            .unwrap_or_default();
        assert!(!reason.is_empty(), "{body} is refused in words: {said}");
    }
    assert_eq!(stage.replay.replies().len(), 0);

    let (status, said) = api
        .post("/question/que_1/reply", json!({ "answers": [["B"]] }))
        .await;
    assert_eq!((status, said), (200, json!(true)));
    stage.answered_once("que_1", "B").await;
    let (status, said) = api
        .post("/question/que_1/reply", json!({ "answers": [["A"]] }))
        .await;
    assert_eq!((status, &said["by"]), (409, &json!("api")), "{said}");
    let (status, _) = api
        .post("/question/que_none/reply", json!({ "answers": [["A"]] }))
        .await;
    assert_eq!(status, 404);
    assert_eq!(api.get("/question").await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_rejected() {
    let (stage, api) = stage().await;
    stage.ask("que_1", "Go on?").await;
    let (status, said) = api.post("/question/que_1/reject", json!({})).await;
    assert_eq!((status, said), (200, json!(true)));
    assert!(stage.replies("que_1", 1).await[0].rejected);
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_listed_and_granted_and_rejected_with_a_reason() {
    let (stage, api) = stage().await;
    for id in ["per_1", "per_2"] {
        stage
            .replay
            .ask(
                Kind::Permission,
                DIRECTORY,
                permission(id, SESSION, "rm -rf build"),
            )
            .await;
        stage.wait_state(id, "open").await;
    }
    let list = api.get("/permission").await;
    assert_eq!(list[0]["id"], "per_1");
    assert_eq!(list[0]["metadata"]["command"], "rm -rf build");
    let (status, said) = api
        .post("/permission/per_1/reply", json!({ "reply": "perhaps" }))
        .await;
    assert_eq!(status, 400);
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("once, always or reject"),
        "{said}"
    );
    let (status, _) = api
        .post("/question/per_1/reply", json!({ "answers": [["once"]] }))
        .await;
    assert!((400..500).contains(&status));
    let (status, _) = api
        .post("/permission/per_1/reply", json!({ "reply": "once" }))
        .await;
    assert_eq!(status, 200);
    let no = json!({ "reply": "reject", "message": "not on a Friday" });
    let (status, _) = api.post("/permission/per_2/reply", no.clone()).await;
    assert_eq!(status, 200);
    assert_eq!(
        stage.replies("per_1", 1).await[0].body,
        json!({ "reply": "once" })
    );
    assert_eq!(stage.replies("per_2", 1).await[0].body, no);
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_presence_may_be_said_for_a_while() {
    let (stage, api) = stage().await;
    let (status, said) = api
        .post("/presence", json!({ "presence": "away", "for": "1h" }))
        .await;
    assert_eq!((status, &said["away"]), (200, &json!(true)), "{said}");
    let until = said["until"].as_i64().unwrap();
    let (_, said) = api
        .post("/presence", json!({ "presence": "here", "until": until }))
        .await;
    assert_eq!(
        (&said["away"], &said["until"]),
        (&json!(false), &json!(until)),
        "{said}"
    );
    let wrong = [
        json!({ "presence": "away", "for": "soon" }),
        json!({ "presence": "away", "for": "1h", "until": until }),
        json!({ "presence": "auto", "for": "1h" }),
    ];
    for body in wrong {
        assert_eq!(api.post("/presence", body.clone()).await.0, 400, "{body}");
    }
    let away = stage
        .beckon
        .command(&["presence", "away", "1h", "--json"])
        .await
        .json();
    assert!(away["until"].as_i64().unwrap() > until - 60_000, "{away}");
    let twice = stage
        .beckon
        .command(&["presence", "away", "1h", "--for", "2h"])
        .await;
    assert_eq!(twice.status, Some(2), "{}", twice.stderr);
    let away = stage
        .beckon
        .command(&["presence", "away", "--for", "1s", "--json"])
        .await
        .json();
    assert_eq!(away["away"], true, "{away}");
    eventually("the second is over", SOON, async || {
        let presence = &stage.beckon.status().await["presence"];
        (presence["override"] == "auto" && presence["until"].is_null()).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn telegram_is_looked_at_and_nobody_is_paired_without_a_bot() {
    let (_stage, api) = stage().await;
    let telegram = eventually("there is no token", SOON, async || {
        let telegram = api.get("/telegram").await;
        (telegram["state"] == "off").then_some(telegram)
    })
    .await;
    assert_eq!(
        (&telegram["people"], &telegram["bot"]),
        (&json!([]), &Value::Null)
    );
    let (status, said) = api.post("/telegram/pair", json!(null)).await;
    assert_eq!(status, 409);
    assert!(
        said["message"]
            .as_str()
            .unwrap()
            .contains("beckon telegram login"),
        "{said}"
    );
    assert_eq!(
        api.post("/telegram/test", json!(null)).await,
        (200, json!({ "chats": 0, "back": null }))
    );
    assert_eq!(
        api.post("/telegram/reload", json!(null)).await,
        (200, json!(true))
    );
    for (id, expected) in [("7", 404), ("Ann", 400)] {
        let path = format!("/telegram/people/{id}");
        let response = api
            .request(Method::DELETE, &path, &api.token)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), expected, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_begins_as_opencodes_does_and_tells_of_questions() {
    let (stage, api) = stage().await;
    let response = api
        .request(Method::GET, "/global/event", &api.token)
        .send()
        .await
        .unwrap();
    assert!(
        response.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/event-stream")
    );
    let mut stream = response.bytes_stream();
    let mut text = String::new();
    let mut next = async || {
        tokio::time::timeout(SOON, async {
            loop {
                if let Some((frame, rest)) = text.clone().split_once("\n\n") {
                    text = rest.to_owned();
                    let data = frame.strip_prefix("data: ").unwrap();
                    return serde_json::from_str::<Value>(data).unwrap();
                }
                text += std::str::from_utf8(&stream.next().await.unwrap().unwrap()).unwrap();
            }
        })
        .await
        .expect("a frame in time")
    };
    assert_eq!(next().await["payload"]["type"], "server.connected");
    stage.ask("que_1", "Go on?").await;
    let asked = next().await;
    assert_eq!(asked["directory"], DIRECTORY);
    assert_eq!(asked["payload"]["type"], "question.asked");
    assert_eq!(asked["payload"]["properties"]["id"], "que_1");
    api.post("/question/que_1/reply", json!({ "answers": [["No"]] }))
        .await;
    let replied = next().await;
    assert_eq!(replied["payload"]["type"], "question.replied");
    assert_eq!(replied["payload"]["properties"]["requestID"], "que_1");
    assert_eq!(replied["payload"]["properties"]["answers"], json!([["No"]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_server_is_watched() {
    let (stage, api) = stage().await;
    let (status, said) = api
        .post("/servers", json!({ "url": "not an address" }))
        .await;
    assert_eq!(status, 400, "{said}");
    let other = Replay::start();
    other.session(SESSION, "/elsewhere", "Another session");
    other.open(
        Kind::Question,
        "/elsewhere",
        yes_or_no("que_2", "Registered?"),
    );
    let body = json!({ "name": "late", "url": other.url() });
    let (status, said) = api.post("/servers", body).await;
    assert_eq!((status, &said["name"]), (201, &json!("late")));
    stage.press("Registered?", "Yes").await;
    let replies = other.wait_replies(1, SOON).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
    let sources = api.get("/status").await["sources"].clone();
    assert!(
        sources
            .as_array()
            .unwrap()
            .iter()
            .any(|source| source["name"] == "late"),
        "{sources}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_registered_server_with_a_password_is_watched() {
    let (stage, api) = stage().await;
    let other = Replay::start();
    other.password("opensesame");
    other.session(SESSION, "/elsewhere", "Another session");
    let body = json!({ "name": "late", "url": other.url(), "password": "opensesame" });
    assert_eq!(api.post("/servers", body).await.0, 201);
    other.wait_streams(1, SOON).await;
    other
        .ask(
            Kind::Question,
            "/elsewhere",
            yes_or_no("que_2", "Registered?"),
        )
        .await;
    stage.press("Registered?", "No").await;
    other.wait_replies(1, SOON).await;
    assert!(!stage.beckon.stderr().contains("opensesame"));
}

#[tokio::test(flavor = "multi_thread")]
async fn status_says_how_everything_stands_and_presence_can_be_said() {
    let (stage, api) = stage().await;
    stage.ask("que_1", "Go on?").await;
    let status = api.get("/status?blocked=true").await;
    assert_eq!(status, stage.beckon.status().await);
    assert_eq!(status["open"], 1);
    assert_eq!(status["sources"][0]["name"], "local");
    assert_eq!(status["sources"][0]["version"], "1.18.33");
    assert_eq!(status["channels"]["desktop"]["daemon"], "strict");
    assert_eq!(status["presence"]["away"], false);
    let (code, presence) = api.post("/presence", json!({ "presence": "away" })).await;
    assert_eq!((code, &presence["away"]), (200, &json!(true)), "{presence}");
    assert_eq!(api.get("/status").await["presence"]["override"], "away");
    let (code, _) = api.post("/presence", json!({ "presence": "asleep" })).await;
    assert!((400..500).contains(&code));
    stage.beckon.terminate();
    stage.beckon.start();
    stage.ready().await;
    let said = stage.beckon.status().await["presence"]["override"].clone();
    assert_eq!(said, "away", "it outlives a restart");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_beckon_says_that_one_runs_already() {
    let (stage, _) = stage().await;
    let pid = stage.beckon.pid();
    let second = stage.beckon.command(&["--headless"]).await;
    assert_eq!(second.status, Some(0), "{second:?}");
    assert!(second.stdout.contains("already running"), "{second:?}");
    assert_eq!(
        stage.beckon.endpoint().unwrap()["pid"].as_u64(),
        pid.map(u64::from)
    );
    stage
        .daemon
        .wait_for(|shown| shown.summary.contains("Beckon"), SOON)
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_end_with_five_when_beckon_does_not_run() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let commands: [&[&str]; 7] = [
        &["status"],
        &["list", "--json"],
        &["show", "que_1"],
        &["answer", "que_1", "--choice", "1"],
        &["dismiss", "que_1"],
        &["presence", "away"],
        &["watch"],
    ];
    for arguments in commands {
        let output = beckon.command(arguments).await;
        assert_eq!(output.status, Some(5), "{arguments:?}: {output:?}");
        assert!(output.stderr.contains("isn't running"), "{output:?}");
    }
    // The address that a killed Beckon leaves behind leads nowhere.
    beckon.start();
    beckon.wait_ready().await;
    beckon.kill9();
    assert!(beckon.endpoint().is_some());
    for arguments in commands {
        let output = beckon.command(arguments).await;
        assert_eq!(output.status, Some(5), "{arguments:?}: {output:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sound_of_an_ask_is_turned_off_and_on_in_the_settings() {
    let (stage, api) = stage().await;
    let can = &api.get("/status").await["channels"]["desktop"]["can"];
    assert_eq!(
        *can,
        json!({ "buttons": true, "sound": true, "keeps": true })
    );
    let heard =
        |shown: &Shown| ["sound-name", "suppress-sound"].map(|hint| shown.hints.contains_key(hint));
    assert_eq!(heard(&stage.ask("que_1", "Loud?").await), [true, false]);
    for (id, text, sound) in [("que_2", "Silent?", false), ("que_3", "Loud again?", true)] {
        let change = json!({ "key": "notifications.sound", "value": sound });
        let request = api
            .request(Method::PATCH, "/settings", &api.token)
            .json(&change);
        assert_eq!(request.send().await.unwrap().status(), 200);
        assert_eq!(heard(&stage.ask(id, text).await), [sound, !sound], "{text}");
    }
    stage
        .beckon
        .write_config(&(config(&stage.replay.url()) + "[notifications]\nsound = false\n"));
    stage.beckon.terminate();
    assert_eq!(
        heard(&stage.restarted("Loud again?").await),
        [false, true],
        "after a restart"
    );
    assert_eq!(stage.daemon.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_value_in_the_settings_is_named_and_the_good_ones_stay() {
    let (stage, _) = stage().await;
    let url = stage.replay.url();
    let bad = format!("{}[questions]\nexpire_after = \"soonish\"\n", config(&url));
    stage.beckon.write_config(&bad);
    let warnings = eventually("a warning", SOON, async || {
        let warnings = stage.beckon.status().await["warnings"].clone();
        (warnings != json!([])).then_some(warnings.to_string())
    })
    .await;
    assert!(
        warnings.contains("expire_after") && warnings.contains("soonish"),
        "{warnings}"
    );
    stage.ask("que_1", "Still there?").await;

    stage.beckon.terminate();
    stage.beckon.start();
    let status = stage.beckon.wait_ready().await;
    let warnings = status["warnings"].to_string();
    assert!(
        warnings.contains("expire_after") && warnings.contains("soonish"),
        "{warnings}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_database_is_set_aside_and_said() {
    let (stage, _) = stage().await;
    stage.ask("que_1", "Go on?").await;
    stage.beckon.terminate();
    let database = stage.beckon.home().join("beckon.db");
    std::fs::write(&database, "this is no database, ".repeat(1_000)).unwrap();
    stage.beckon.start();
    stage.ready().await;
    let warnings = stage.beckon.status().await["warnings"].to_string();
    assert!(warnings.contains("broken"), "{warnings}");
    let files = std::fs::read_dir(stage.beckon.home()).unwrap();
    let names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let aside = names
        .iter()
        .find(|name| name.starts_with("beckon.broken-"))
        .unwrap();
    assert!(warnings.contains(aside.as_str()), "{warnings}");
    let kept = std::fs::read_to_string(stage.beckon.home().join(aside)).unwrap();
    assert!(kept.starts_with("this is no database"));
    stage.press("Go on?", "Yes").await;
    stage.replies("que_1", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_of_a_newer_beckon_is_left_alone() {
    let (stage, _) = stage().await;
    stage.beckon.terminate();
    let database = stage.beckon.home().join("beckon.db");
    let mut bytes = std::fs::read(&database).unwrap();
    // The schema's number, at its place in SQLite's header.
    bytes[60..64].copy_from_slice(&9_999_u32.to_be_bytes());
    std::fs::write(&database, &bytes).unwrap();
    let refused = stage.beckon.command(&["--headless"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("newer Beckon"), "{refused:?}");
    assert_eq!(
        std::fs::read(&database).unwrap(),
        bytes,
        "nothing was written to it"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_says_what_was_decided_and_is_found_by_the_windows_own_words() {
    let (stage, api) = stage().await;
    for (id, command) in [("per_1", "rm -rf build"), ("per_2", "npm test")] {
        stage
            .replay
            .ask(
                Kind::Permission,
                DIRECTORY,
                permission(id, SESSION, command),
            )
            .await;
    }
    eventually("two asks", SOON, async || {
        (stage.beckon.list().await.len() == 2).then_some(())
    })
    .await;
    for command in [
        &["grant", "per_2"][..],
        &["deny", "per_1", "--reason", "not, today"],
    ] {
        let done = stage.beckon.command(command).await;
        assert_eq!(done.status, Some(0), "{done:?}");
    }
    let ids = async |query: &str| {
        let page = api.get(&format!("/history?{query}")).await;
        let entries = page["entries"].as_array().unwrap().clone();
        entries
            .iter()
            .map(|entry| entry["id"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids("ending=rejected").await, ["per_1"]);
    assert_eq!(ids("by=cli&ending=once").await, ["per_2"]);
    assert_eq!(
        ids("text=allowed").await,
        ["per_2"],
        "as the window says it"
    );
    assert_eq!(ids("text=not,+today").await, ["per_1"], "by its reason");
    let rejected = &api.get("/history?text=build").await["entries"][0];
    assert_eq!(
        (&rejected["kind"], &rejected["by"]),
        (&json!("permission"), &json!("cli"))
    );
    assert_eq!(
        (&rejected["answer"], &rejected["reason"]),
        (&json!([["reject"]]), &json!("not, today"))
    );
    let today = &api.get("/history/activity").await["days"][6];
    let places = &today["by"];
    assert_eq!(
        (&today["answered"], places),
        (&json!(2), &json!([{ "place": "cli", "count": 2 }]))
    );
    assert!(today["waited_ms"].as_i64().unwrap() > 0, "{today}");
    let blocked = &stage.beckon.status().await["blocked_minutes"];
    assert!(
        blocked["week"].as_f64().unwrap() >= blocked["today"].as_f64().unwrap(),
        "{blocked}"
    );
    let csv = api.get("/history/export?format=csv").await;
    let csv = csv.as_str().unwrap();
    let head = "asked_at,settled_at,waited_s,project,session,asked,outcome,by,answer,ending,reason";
    assert!(
        csv.starts_with(head) && csv.contains(",rejected,\"not, today\","),
        "{csv}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_reported_as_sent_when_no_proof_comes_in_time() {
    let (stage, api) = stage().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.on_reply(OnReply::Hang);
    let body = json!({ "answer": { "replies": [{ "choices": [0], "text": null }] }, "by": "cli" });
    let (status, said) = api.post("/answer/que_1?wait=1", body).await;
    assert_eq!((status, &said["state"]), (200, &json!("sent")), "{said}");
}
