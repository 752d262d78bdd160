//! Tests of both cores of OpenCode 1.18 in one server, and of the forms of 2.x.

use crate::common::{self, SOON, Stage, asked_by, named};
use beckon_support::beckon::{Beckon, Output};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::forms::Forms;
use beckon_support::model::{Step, ToolCall};
use beckon_support::notifications::Notifications;
use beckon_support::process::Process;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

const AT_ONCE: Duration = Duration::from_secs(2);

async fn both_cores() -> Stage {
    let stage = Stage::with_both_cores().await;
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    stage
}

fn question(text: &str) -> Step {
    asked_by(json!([named(text, &["Here", "There"])]))
}

/// Sends a `POST` to a path below the session of the second core; returns the status.
async fn second(stage: &Stage, path: &str, body: Option<Value>) -> u16 {
    let path = format!("/api/session/{}/{path}", stage.session());
    stage.opencode.call_api(Method::POST, &path, body).await.0
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_both_cores_of_one_server_are_answered_side_by_side() {
    let stage = both_cores().await;
    stage.ask(&[question("In the first?")]).await;
    stage.second_ask(&[question("In the second?")]).await;
    let (first, second) = (
        stage.shown("In the first?").await,
        stage.shown("In the second?").await,
    );
    stage
        .daemon
        .press(second.id, second.action("There").unwrap());
    stage
        .model_reads("User has answered your questions: \"In the second?\"=\"There\". You can now")
        .await;
    stage.daemon.press(first.id, first.action("Here").unwrap());
    stage
        .model_reads("User has answered your questions: \"In the first?\"=\"Here\". You can now")
        .await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_second_core_asked_before_beckon_began_is_answered_by_that_core_after_a_crash() {
    let stage = Stage::with_both_cores().await;
    stage.second_ask(&[question("Before you?")]).await;
    let path = format!("/api/session/{}/question", stage.session());
    eventually("the question waits", SOON, async || {
        let (_, list) = stage.opencode.call_api(Method::GET, &path, None).await;
        (list["data"].as_array()?.len() == 1).then_some(())
    })
    .await;
    stage.beckon.start();
    let shown = stage.shown("Before you?").await;
    common::noted(&stage.beckon, &shown).await;
    stage.beckon.kill9();
    stage.opencode.stop();
    // No list has confirmed the ask: the way to its core is remembered.
    common::restarted(&stage.beckon, &stage.daemon, "Before you?").await;
    let id = stage.one_open().await;
    let (answered, ()) = tokio::join!(stage.answer(&id, &["--choice", "2"]), async {
        eventually("the answer is on its way", SOON, async || {
            (stage.beckon.list().await[0]["state"] == "answering").then_some(())
        })
        .await;
        stage.opencode.cont();
    });
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    stage.model_reads("\"Before you?\"=\"There\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_or_rejected_in_the_second_core_itself_goes_at_once() {
    let stage = both_cores().await;
    stage.second_ask(&[question("Here or there?")]).await;
    stage.shown("Here or there?").await;
    let id = stage.one_open().await;
    let reply = json!({ "answers": [["There"]] });
    assert_eq!(
        second(&stage, &format!("question/{id}/reply"), Some(reply)).await,
        204
    );
    stage.daemon.wait_empty(AT_ONCE).await;
    told_elsewhere(&stage, &id).await;

    stage.second_ask(&[question("Dismissed there?")]).await;
    stage.shown("Dismissed there?").await;
    let id = stage.one_open().await;
    assert_eq!(
        second(&stage, &format!("question/{id}/reject"), None).await,
        204
    );
    stage.daemon.wait_empty(AT_ONCE).await;
    told_elsewhere(&stage, &id).await;
    stage.nothing_left().await;
}

async fn told_elsewhere(stage: &Stage, id: &str) {
    let told = stage.answer(id, &["--choice", "1"]).await.json();
    assert_eq!(
        (&told["state"], &told["by"]),
        (&json!("already answered"), &json!("elsewhere"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_the_second_core_is_dismissed_from_the_command_line() {
    let stage = both_cores().await;
    stage.second_ask(&[question("Worth an answer?")]).await;
    stage.shown("Worth an answer?").await;
    let id = stage.one_open().await;
    let dismissed = stage.command(&["dismiss", &id, "--json"]).await;
    assert_eq!(dismissed.json()["state"], "taken", "{dismissed:?}");
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_interrupted_or_deleted_session_of_the_second_core_asked_goes() {
    let stage = both_cores().await;
    stage.second_ask(&[question("Interrupted?")]).await;
    stage.shown("Interrupted?").await;
    assert_eq!(second(&stage, "interrupt", None).await, 204);
    stage.daemon.wait_empty(AT_ONCE).await;
    stage.nothing_left().await;

    stage.second_ask(&[question("Deleted?")]).await;
    stage.shown("Deleted?").await;
    stage
        .opencode
        .delete(&stage.session(), &stage.directory())
        .await;
    stage.daemon.wait_empty(AT_ONCE).await;
    // The server lists the request for ever.
    stage.beckon.kill9();
    stage.beckon.start();
    stage.second_ask(&[question("Another one?")]).await;
    let shown = stage.shown("Another one?").await;
    stage.one_open().await;
    stage.daemon.press(shown.id, shown.action("Here").unwrap());
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_ends_because_its_sibling_was_rejected_goes_too() {
    let stage = both_cores().await;
    let call = |text| ToolCall::question(json!([named(text, &["Here", "There"])]));
    stage
        .second_ask(&[Step::Tools(vec![call("One?"), call("Two?")])])
        .await;
    stage.shown("Two?").await;
    stage.shown("One?").await;
    let id = stage.beckon.list().await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        second(&stage, &format!("question/{id}/reject"), None).await,
        204
    );
    stage.daemon.wait_empty(AT_ONCE).await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_second_core_asks_outlives_the_end_of_its_directory_in_the_first() {
    let stage = both_cores().await;
    stage.second_ask(&[question("Still there?")]).await;
    stage.shown("Still there?").await;
    let id = stage.one_open().await;
    stage
        .opencode
        .post("/instance/dispose", &stage.directory(), None)
        .await;
    eventually("it went and came back", SOON, async || {
        let shown = stage
            .daemon
            .all()
            .into_iter()
            .filter(|shown| shown.summary.ends_with("Still there?"));
        (shown.count() == 2).then_some(())
    })
    .await;
    assert_eq!(
        stage.answer(&id, &["--choice", "1"]).await.json()["state"],
        "taken"
    );
    stage.model_reads("\"Still there?\"=\"Here\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_of_the_second_core_are_granted_and_refused() {
    let stage = both_cores().await;
    stage
        .second_ask(&[Step::Tools(vec![ToolCall::bash("echo allowed")])])
        .await;
    let id = stage.one_open().await;
    let listed = &stage.beckon.list().await[0];
    assert_eq!(listed["permission"]["permission"], "bash");
    assert_eq!(listed["permission"]["command"], "echo allowed");
    assert_eq!(listed["permission"]["always"], json!(["echo allowed"]));
    let granted = stage.command(&["grant", &id, "--json"]).await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    stage.model_reads("allowed").await;

    stage
        .second_ask(&[Step::Tools(vec![ToolCall::bash("echo refused")])])
        .await;
    let id = stage.one_open().await;
    let denied = stage
        .command(&["deny", &id, "--reason", "Not now", "--json"])
        .await;
    assert_eq!(denied.json()["state"], "taken", "{denied:?}");
    stage
        .model_reads("Unable to execute command: echo refused")
        .await;
    stage.nothing_left().await;
}

/// A made-up server of 2.x, a notification daemon, and Beckon between them.
struct Newer {
    server: Forms,
    daemon: Notifications,
    beckon: Beckon,
    _bus: Bus,
}

impl Newer {
    async fn start() -> Self {
        let newer = Self::without_beckon();
        newer.beckon.start();
        newer.live().await;
        newer
    }

    fn without_beckon() -> Self {
        let server = Forms::start();
        server.session("ses_1", common::DIRECTORY);
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = program
            .bus(&bus)
            .config(&common::config(&server.url()))
            .build();
        Self {
            server,
            daemon,
            beckon,
            _bus: bus,
        }
    }

    async fn live(&self) {
        self.beckon.wait_ready().await;
        eventually("the source is live", SOON, async || {
            (self.beckon.status().await["sources"][0]["state"] == "live").then_some(())
        })
        .await;
    }

    async fn open(&self, id: &str) -> Value {
        eventually(&format!("{id} is open"), SOON, async || {
            self.beckon
                .list()
                .await
                .into_iter()
                .find(|ask| ask["id"] == id)
        })
        .await
    }

    async fn answer(&self, id: &str, arguments: &[&str]) -> Output {
        self.beckon
            .command(&[&["answer", id, "--json"], arguments].concat())
            .await
    }

    /// Returns the body and status of each call so far.
    fn sent(&self) -> Vec<(Value, u16)> {
        self.server
            .calls()
            .into_iter()
            .map(|call| (call.body, call.status))
            .collect()
    }

    async fn nothing_left(&self) {
        self.daemon.wait_empty(SOON).await;
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }
}

fn sure() -> Value {
    json!([{ "key": "sure", "type": "boolean", "title": "Delete it?", "required": true }])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_answered_from_its_notification_with_a_value_of_its_type() {
    let newer = Newer::start().await;
    newer.server.ask("frm_1", "ses_1", sure());
    let shown = newer
        .daemon
        .wait_for(|shown| shown.summary.ends_with("Delete it?"), SOON)
        .await;
    newer.daemon.press(shown.id, shown.action("No").unwrap());
    newer.nothing_left().await;
    assert_eq!(
        newer.sent(),
        [(json!({ "answer": { "sure": false } }), 204)]
    );
    let late = newer.answer("frm_1", &["--choice", "1"]).await.json();
    assert_eq!(late["state"], "already answered", "{late}");
    assert_eq!(late["by"], "notification", "{late}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_before_beckon_is_answered_from_a_terminal_field_by_field() {
    let newer = Newer::without_beckon();
    newer.server.open(
        "frm_1",
        "ses_1",
        json!([
            { "key": "mail", "type": "string", "format": "email", "required": true },
            { "key": "port", "type": "integer", "minimum": 1, "maximum": 65535, "required": true },
            { "key": "tags", "type": "multiselect", "minItems": 2, "required": true, "options": [
                { "value": "a", "label": "Tag A" }, { "value": "b", "label": "Tag B" },
                { "value": "c", "label": "Tag C" }] },
            { "key": "why", "type": "string", "required": true,
              "when": [{ "key": "tags", "op": "eq", "value": "c" }] },
        ]),
    );
    newer.beckon.start();
    newer.live().await;
    assert_eq!(
        newer.open("frm_1").await["questions"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    let replies = [
        "--text",
        "ada@example.org",
        "--text",
        "8080",
        "--choice",
        "1,2",
        "--choice",
        "1",
    ];
    let taken = newer.answer("frm_1", &replies).await;
    assert_eq!(taken.json()["state"], "taken", "{taken:?}");
    let answer = json!({ "mail": "ada@example.org", "port": 8080, "tags": ["a", "b"] });
    assert_eq!(newer.sent(), [(json!({ "answer": answer }), 204)]);
    newer.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_breaks_a_rule_is_not_sent_and_says_which() {
    let newer = Newer::start().await;
    newer.server.ask(
        "frm_1",
        "ses_1",
        json!([
            { "key": "mail", "type": "string", "format": "email", "required": true },
            { "key": "port", "type": "integer", "minimum": 1, "maximum": 65535, "required": true },
        ]),
    );
    newer.open("frm_1").await;
    for (mail, port, rule) in [
        ("ada", "80", "Question 1 takes an e-mail address"),
        (
            "ada@example.org",
            "0",
            "Question 2 takes a number from 1 to 65535",
        ),
        (
            "ada@example.org",
            "eighty",
            "Question 2 takes a whole number",
        ),
    ] {
        let refused = newer
            .answer("frm_1", &["--text", mail, "--text", port])
            .await;
        assert!(refused.stderr.contains(rule), "{refused:?}");
        assert_ne!(refused.status, Some(0));
    }
    assert_eq!(newer.sent(), []);
    let taken = newer
        .answer("frm_1", &["--text", "ada@example.org", "--text", "80"])
        .await;
    assert_eq!(taken.json()["state"], "taken", "{taken:?}");
    let answer = json!({ "answer": { "mail": "ada@example.org", "port": 80 } });
    assert_eq!(newer.sent(), [(answer, 204)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_the_whole_form_or_its_server_can_judge_comes_back_with_the_reason() {
    let newer = Newer::start().await;
    newer.server.ask(
        "frm_1",
        "ses_1",
        json!([
            { "key": "deploy", "type": "boolean", "required": true },
            { "key": "tag", "type": "string", "pattern": "^(?=v)", "required": true,
              "when": [{ "key": "deploy", "op": "eq", "value": true }] },
        ]),
    );
    newer.open("frm_1").await;
    let missing = newer
        .answer("frm_1", &["--choice", "1", "--choice", "1"])
        .await;
    assert!(missing.stderr.contains("“tag” is required"), "{missing:?}");
    let invalid = newer
        .answer("frm_1", &["--choice", "1", "--text", "1.0"])
        .await;
    assert!(
        invalid
            .stderr
            .contains("Form field does not match pattern: tag"),
        "{invalid:?}"
    );
    let taken = newer
        .answer("frm_1", &["--choice", "1", "--text", "v1.0"])
        .await;
    assert_eq!(taken.json()["state"], "taken", "{taken:?}");
    let statuses: Vec<u16> = newer.sent().into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, [400, 204]);
    newer.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_at_the_newer_server_itself_is_told_as_given_elsewhere() {
    let newer = Newer::start().await;
    newer.server.ask("frm_1", "ses_1", sure());
    newer.open("frm_1").await;
    newer.server.answer_there("frm_1", json!({ "sure": true }));
    newer.nothing_left().await;
    let late = newer.answer("frm_1", &["--choice", "2"]).await.json();
    assert_eq!(
        late,
        json!({ "state": "already answered", "by": "elsewhere" })
    );
    assert_eq!(newer.sent(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_dismissed_and_a_permission_decided_on_the_newer_server() {
    let newer = Newer::start().await;
    newer.server.ask("frm_1", "ses_1", sure());
    newer.open("frm_1").await;
    let dismissed = newer.beckon.command(&["dismiss", "frm_1", "--json"]).await;
    assert_eq!(dismissed.json()["state"], "taken", "{dismissed:?}");

    newer
        .server
        .ask_permission("per_1", "ses_1", "shell", "rm -rf build");
    assert_eq!(
        newer.open("per_1").await["permission"]["command"],
        "rm -rf build"
    );
    let denied = newer
        .beckon
        .command(&["deny", "per_1", "--reason", "No", "--json"])
        .await;
    assert_eq!(denied.json()["state"], "taken", "{denied:?}");
    let decision = json!({ "decision": "reject", "message": "No" });
    assert_eq!(newer.sent(), [(Value::Null, 204), (decision, 204)]);
    newer.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_2_x_is_called_experimental() {
    let newer = Newer::start().await;
    let status = newer.beckon.status().await;
    assert_eq!(status["sources"][0]["version"], "2.1.2");
    assert_eq!(status["sources"][0]["experimental"], true);
    let words = newer.beckon.command(&["status"]).await.stdout;
    assert!(words.contains("OpenCode 2.1.2 · experimental"), "{words}");
}

/// A program that passes every connection on to the port in its argument.
const RELAY: &str = r#"
import socket, sys, threading
def pump(a, b):
    try:
        while (bytes := a.recv(65536)):
            b.sendall(bytes)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    near = listener.accept()[0]
    far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    for ends in ((near, far), (far, near)):
        threading.Thread(target=pump, args=ends, daemon=True).start()
"#;

/// Starts a process that listens for a server, as the server's own process would; returns it with
/// its address.
fn relay(server: &str) -> (Process, String) {
    let mut python = std::process::Command::new("python3");
    python.args(["-c", RELAY, server.rsplit(':').next().unwrap()]);
    python.stdout(std::process::Stdio::piped());
    let mut process = Process::spawn(python);
    let port = process.first_line();
    (process, format!("http://127.0.0.1:{port}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_of_2_x_is_found_by_its_file_and_leaves_with_its_process() {
    let server = Forms::start();
    server.password("its own");
    server.session("ses_1", common::DIRECTORY);
    server.open("frm_1", "ses_1", sure());
    let (mut process, url) = relay(&server.url());
    let state = tempfile::tempdir().unwrap();
    std::fs::create_dir(state.path().join("opencode")).unwrap();
    let service = json!({ "id": "srv_1", "version": "2.1.2", "url": url,
        "pid": process.pid(), "password": "its own" });
    std::fs::write(
        state.path().join("opencode/service.json"),
        service.to_string(),
    )
    .unwrap();
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
    let beckon = program.env("XDG_STATE_HOME", state.path()).start();
    eventually("its form is listed", SOON, async || {
        let list = beckon.command(&["list", "--json"]).await;
        let list: Value = serde_json::from_str(&list.stdout).ok()?;
        (list[0]["id"] == "frm_1" && list[0]["source"] == "opencode-service").then_some(())
    })
    .await;
    assert!(!beckon.stderr().contains("its own"));
    process.kill();
    drop(server);
    eventually("it has left", SOON, async || {
        let status = beckon.status().await;
        let names: Vec<&Value> = status["sources"]
            .as_array()?
            .iter()
            .map(|s| &s["name"])
            .collect();
        (!names.contains(&&json!("opencode-service")) && beckon.list().await.is_empty())
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_of_2_x_is_known_when_it_is_tried_before_it_is_added() {
    let newer = Newer::start().await;
    let endpoint = newer.beckon.endpoint().unwrap();
    let url = format!("{}/servers/test", endpoint["url"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .post(url)
        .bearer_auth(endpoint["token"].as_str().unwrap());
    let request = request.json(&json!({ "name": "newer", "url": newer.server.url() }));
    let tested: Value = request.send().await.unwrap().json().await.unwrap();
    assert_eq!(
        (&tested["ok"], &tested["version"]),
        (&json!(true), &json!("2.1.2")),
        "{tested}"
    );
}
