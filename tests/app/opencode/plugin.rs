//! Tests of the plugin for OpenCode: an OpenCode without a port is reached through the plugin's
//! door.

use crate::common::phone::Phone;
use crate::common::{DIRECTORY, SESSION, SOON, asked_by, config, named, noted, yes_or_no};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::{OpenCode, Terminal, Version};
use beckon_support::process::Process;
use beckon_support::replay::{Kind, Replay};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time limit for a start of OpenCode, which takes up to ten seconds, and longer when several
/// start at once.
const STARTED: Duration = Duration::from_secs(90);
/// An address at which no program listens.
const NOWHERE: &str = "http://127.0.0.1:1";
/// A text in OpenCode's dialog for a question, which goes with it.
const DIALOG: &str = "Type your own answer";

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/opencode/beckon.js")
}

/// A Beckon with a desk and a phone; nothing tells where the human is, so both ring.
struct Scene {
    beckon: Beckon,
    daemon: Notifications,
    phone: Phone,
    model: Model,
    _bus: Bus,
}

impl Scene {
    fn without_beckon(url: &str) -> Self {
        let (bus, phone) = (Bus::start(), Phone::new());
        let daemon = Notifications::start(&bus);
        let program = Phone::knows_token(Beckon::builder(env!("CARGO_BIN_EXE_beckon")));
        let beckon = program
            .bus(&bus)
            .config(&(config(url) + &phone.config()))
            .build();
        Self {
            beckon,
            daemon,
            phone,
            model: Model::start(),
            _bus: bus,
        }
    }

    async fn start() -> Self {
        let scene = Self::without_beckon(NOWHERE);
        scene.start_beckon().await;
        scene
    }

    async fn start_beckon(&self) {
        self.beckon.start();
        self.beckon.wait_ready().await;
    }

    /// Starts OpenCode in a terminal, with the plugin, and a model that plays these steps.
    fn terminal(&self, version: Version, steps: &[Step]) -> Terminal {
        self.terminal_with(version, &plugin(), &[], steps)
    }

    fn terminal_with(
        &self,
        version: Version,
        plugin: &Path,
        environment: &[(&str, &str)],
        steps: &[Step],
    ) -> Terminal {
        let builder = Terminal::builder(version, &self.model).plugin(plugin);
        let builder = builder.env("BECKON_HOME", self.beckon.home());
        let builder = environment
            .iter()
            .fold(builder, |builder, (k, v)| builder.env(k, *v));
        builder.start(&script(steps))
    }

    async fn shown(&self, title: &str) -> Shown {
        self.daemon
            .wait_for(|shown| shown.summary.ends_with(title), STARTED)
            .await
    }

    async fn press(&self, title: &str, label: &str) {
        self.daemon.press_titled(title, label, SOON).await;
    }

    async fn model_reads(&self, text: &str) {
        eventually(&format!("the model reads {text}"), SOON, async || {
            self.model
                .tool_results()
                .iter()
                .any(|(_, told)| told.contains(text))
                .then_some(())
        })
        .await;
    }

    /// Returns the sources that registered themselves.
    async fn registered(&self) -> Vec<Value> {
        let sources = self.beckon.status().await["sources"]
            .as_array()
            .cloned()
            .unwrap();
        sources
            .into_iter()
            .filter(|source| source["name"] != "local")
            .collect()
    }

    async fn wait_registered(&self, count: usize) -> Vec<Value> {
        eventually(
            &format!("{count} live servers have registered"),
            STARTED,
            async || {
                let registered = self.registered().await;
                let live = registered.iter().all(|source| source["state"] == "live");
                (registered.len() == count && live).then_some(registered)
            },
        )
        .await
    }

    /// Sets the stand-in for the keychain's password of the server `local`, from the next start on.
    fn knows_password(&self, password: &str) {
        self.beckon
            .set_env("BECKON_OPENCODE_PASSWORD_LOCAL", password);
    }

    async fn api(&self, path: &str) -> Value {
        self.call(reqwest::Method::GET, path, None).await
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        self.call(reqwest::Method::POST, path, Some(body)).await
    }

    async fn call(&self, method: reqwest::Method, path: &str, body: Option<&Value>) -> Value {
        let endpoint = self.beckon.endpoint().unwrap();
        let (url, token) = (
            endpoint["url"].as_str().unwrap(),
            endpoint["token"].as_str().unwrap(),
        );
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .request(method, format!("{url}{path}"))
            .bearer_auth(token);
        let request = body
            .into_iter()
            .fold(request, |request, body| request.json(body));
        request.send().await.unwrap().json().await.unwrap()
    }

    /// Returns the doctor's finding about that OpenCode.
    async fn coverage_of(&self, pid: i32) -> Value {
        let findings = self.beckon.command(&["doctor", "--json"]).await.json();
        let of_process = |finding: &&Value| {
            let text = finding["text"].as_str().unwrap();
            finding["leg"] == "coverage" && text.contains(&format!("(process {pid})"))
        };
        let found = findings
            .as_array()
            .unwrap()
            .iter()
            .find(of_process)
            .cloned();
        found.unwrap_or_else(|| panic!("nothing of process {pid}: {findings}"))
    }

    async fn nothing_left(&self) {
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        self.daemon.wait_empty(SOON).await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }
}

fn ask(text: &str) -> Step {
    asked_by(json!([named(text, &["PostgreSQL", "SQLite"])]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_without_a_port_is_answered_from_everywhere_1_18() {
    answered_from_everywhere(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_without_a_port_is_answered_from_everywhere_1_1() {
    answered_from_everywhere(Version::V1_1_53).await;
}

/// Answers asks of an OpenCode that is started before Beckon, sees Beckon killed, and sees it come
/// back.
async fn answered_from_everywhere(version: Version) {
    let scene = Scene::without_beckon(NOWHERE);
    let permission = Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")]);
    let steps = [
        ask("From the desk?"),
        permission,
        ask("In OpenCode?"),
        ask("Once more?"),
    ];
    let terminal = scene.terminal(version, &steps);
    terminal
        .shows("the dialog", |screen| screen.contains(DIALOG), STARTED)
        .await;

    scene.start_beckon().await;
    scene.phone.pair(&scene.beckon).await;
    scene.press("From the desk?", "SQLite").await;
    scene.model_reads("\"From the desk?\"=\"SQLite\"").await;

    let card = scene.phone.card("echo one-of-a-kind").await;
    scene.phone.tap(card.id, "Allow once").await;
    scene.model_reads("one-of-a-kind").await;

    noted(&scene.beckon, &scene.shown("In OpenCode?").await).await;
    scene.beckon.kill9();
    terminal
        .shows("the dialog", |screen| screen.contains(DIALOG), SOON)
        .await;
    terminal.press("Enter");
    scene.model_reads("\"In OpenCode?\"=\"PostgreSQL\"").await;

    terminal
        .shows("the dialog", |screen| screen.contains("Once more?"), SOON)
        .await;
    scene.start_beckon().await;
    scene.press("Once more?", "SQLite").await;
    scene.model_reads("\"Once more?\"=\"SQLite\"").await;
    terminal
        .shows("no dialog", |screen| !screen.contains(DIALOG), SOON)
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_given_from_the_notification_and_the_row_goes_with_its_process() {
    let scene = Scene::start().await;
    let permission = Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")]);
    let terminal = scene.terminal(Version::V1_18_33, &[permission, ask("Never answered?")]);
    let row = scene.wait_registered(1).await.remove(0);
    assert!(
        row["name"].as_str().unwrap().starts_with("project-"),
        "{row}"
    );
    let shown = scene
        .daemon
        .wait_for(
            |s| s.body.contains("one-of-a-kind") && s.action("Allow once").is_some(),
            STARTED,
        )
        .await;
    scene
        .daemon
        .press(shown.id, shown.action("Allow once").unwrap());
    scene.model_reads("one-of-a-kind").await;
    scene.shown("Never answered?").await;
    terminal.kill();
    scene.wait_registered(0).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_throw_the_model_reads_the_answer_and_there_is_no_dialog_1_18() {
    thrown(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_throw_the_model_reads_the_answer_and_there_is_no_dialog_1_1() {
    thrown(Version::V1_1_53).await;
}

async fn thrown(version: Version) {
    let scene = Scene::start().await;
    let throw = [("BECKON_OPENCODE_THROW", "1")];
    let steps = [ask("Thrown?"), ask("Dismissed?")];
    let terminal = scene.terminal_with(version, &plugin(), &throw, &steps);
    let shown = scene.shown("Thrown?").await;
    assert!(!terminal.screen().contains(DIALOG), "{}", terminal.screen());
    scene
        .daemon
        .press(shown.id, shown.action("SQLite").unwrap());
    let told = "User has answered your questions: \"Thrown?\"=\"SQLite\". You can now continue \
                with the user's answers in mind.";
    scene.model_reads(told).await;

    scene.shown("Dismissed?").await;
    assert!(!terminal.screen().contains(DIALOG), "{}", terminal.screen());
    let id = scene.beckon.list().await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    scene.beckon.command(&["dismiss", &id]).await;
    terminal
        .shows("the dialog", |screen| screen.contains(DIALOG), SOON)
        .await;
    scene.press("Dismissed?", "SQLite").await;
    scene.model_reads("\"Dismissed?\"=\"SQLite\"").await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_setting_a_question_is_thrown_and_after_its_time_the_dialog_appears_1_18() {
    thrown_by_setting(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_setting_a_question_is_thrown_and_after_its_time_the_dialog_appears_1_1() {
    thrown_by_setting(Version::V1_1_53).await;
}

/// Changes the setting, which holds from the next question on, while OpenCode keeps running.
async fn thrown_by_setting(version: Version) {
    let scene = Scene::start().await;
    let steps = [ask("At once?"), ask("Before?"), ask("Too late?")];
    let builder = OpenCode::builder(version, &scene.model).plugin(&plugin());
    let opencode = builder
        .env("BECKON_HOME", scene.beckon.home())
        .start()
        .await;
    let directory = opencode.directory();
    let session = opencode.session(directory, "Pick an engine").await;
    opencode.prompt(&session, directory, &script(&steps)).await;
    scene.shown("At once?").await;
    assert_eq!(
        opencode
            .questions(directory)
            .await
            .as_array()
            .unwrap()
            .len(),
        1,
        "not thrown"
    );
    let held = json!({ "key": "questions.before_dialog", "value": "5m" });
    scene
        .call(reqwest::Method::PATCH, "/settings", Some(&held))
        .await;
    scene.press("At once?", "SQLite").await;

    scene.shown("Before?").await;
    assert_eq!(
        opencode.questions(directory).await,
        json!([]),
        "OpenCode asks nobody yet"
    );
    let card = scene.beckon.list().await[0].clone();
    assert_eq!(card["source"], "asks", "{card}");
    let session_of_card = (&card["session"]["agent"], &card["session"]["title"]);
    assert_eq!(
        session_of_card,
        (&json!("OpenCode"), &json!("Pick an engine"))
    );
    assert_eq!(card["session"]["directory"], json!(directory));
    let soon = json!({ "key": "questions.before_dialog", "value": "2s" });
    scene
        .call(reqwest::Method::PATCH, "/settings", Some(&soon))
        .await;
    scene.press("Before?", "SQLite").await;
    scene.model_reads("\"Before?\"=\"SQLite\"").await;

    eventually("OpenCode asks by itself", STARTED, async || {
        (opencode.questions(directory).await[0]["questions"][0]["question"] == "Too late?")
            .then_some(())
    })
    .await;
    eventually("the card is OpenCode's own", SOON, async || {
        let list = scene.beckon.list().await;
        let [only] = list.as_slice() else { return None };
        (only["source"] != "asks").then_some(())
    })
    .await;
    scene.press("Too late?", "SQLite").await;
    scene.model_reads("\"Too late?\"=\"SQLite\"").await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_stopped_while_its_question_waits_here_opens_no_dialog_1_18() {
    stopped_before_the_dialog(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_stopped_while_its_question_waits_here_opens_no_dialog_1_1() {
    stopped_before_the_dialog(Version::V1_1_53).await;
}

async fn stopped_before_the_dialog(version: Version) {
    let scene = Scene::start().await;
    let builder = OpenCode::builder(version, &scene.model).plugin(&plugin());
    let opencode = builder
        .env("BECKON_HOME", scene.beckon.home())
        .env("BECKON_OPENCODE_THROW", "1")
        .start()
        .await;
    let directory = opencode.directory();
    let session = opencode.session(directory, "Pick an engine").await;
    let steps = [ask("Stopped?")];
    opencode.prompt(&session, directory, &script(&steps)).await;
    scene.shown("Stopped?").await;

    let (status, _) = opencode.abort(&session, directory).await;
    assert_eq!(status, 200);
    scene.nothing_left().await;

    // The tool of the first session would have opened its dialog by the time the other session
    // asks.
    let other = opencode.session(directory, "Another one").await;
    let steps = [ask("And now?")];
    opencode.prompt(&other, directory, &script(&steps)).await;
    scene.shown("And now?").await;
    assert_eq!(opencode.questions(directory).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn with_throw_the_dialog_appears_when_beckon_goes() {
    let scene = Scene::start().await;
    let throw = [("BECKON_OPENCODE_THROW", "1")];
    let terminal = scene.terminal_with(Version::V1_1_53, &plugin(), &throw, &[ask("Gone?")]);
    scene.shown("Gone?").await;
    scene.beckon.kill9();
    terminal
        .shows("the dialog", |screen| screen.contains(DIALOG), SOON)
        .await;
    terminal.press("Enter");
    scene.model_reads("\"Gone?\"=\"PostgreSQL\"").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_reached_at_its_port_or_through_its_door_but_not_twice_1_18() {
    reached_once(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_reached_at_its_port_or_through_its_door_but_not_twice_1_1() {
    reached_once(Version::V1_1_53).await;
}

/// Reaches an OpenCode whose password lets Beckon in only at the door, until Beckon knows it.
async fn reached_once(version: Version) {
    let port = beckon_support::ports::free_port();
    let scene = Scene::without_beckon(&format!("http://127.0.0.1:{port}"));
    scene.start_beckon().await;
    let builder = OpenCode::builder(version, &scene.model)
        .port(port)
        .password("opensesame");
    let builder = builder
        .plugin(&plugin())
        .env("BECKON_HOME", scene.beckon.home());
    let opencode = builder.start().await;
    let directory = opencode.directory();
    let session = opencode.session(directory, "A session").await;
    scene.wait_registered(1).await;
    opencode
        .prompt(&session, directory, &script(&[ask("Through the door?")]))
        .await;
    scene.press("Through the door?", "SQLite").await;
    scene.model_reads("\"Through the door?\"=\"SQLite\"").await;
    opencode.wait_idle(&session, directory).await;

    scene.knows_password("opensesame");
    scene.start_beckon().await;
    eventually(
        "the port is watched, the door is not",
        STARTED,
        async || {
            let status = scene.beckon.status().await;
            let live = status["sources"][0]["state"] == "live";
            let doors = scene.api("/servers").await;
            (live && doors[0]["watched"] == false && status["sources"][1].is_null()).then_some(())
        },
    )
    .await;
    opencode
        .prompt(&session, directory, &script(&[ask("At the port?")]))
        .await;
    scene.shown("At the port?").await;
    assert_eq!(scene.beckon.list().await.len(), 1);
    assert_eq!(scene.daemon.open().len(), 1);
    scene.press("At the port?", "SQLite").await;
    scene.model_reads("\"At the port?\"=\"SQLite\"").await;
    scene.nothing_left().await;
    assert!(!scene.beckon.stderr().contains("opensesame"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_door_is_shut_to_whoever_does_not_know_its_secret() {
    let scene = Scene::start().await;
    let _terminal = scene.terminal(Version::V1_1_53, &[ask("Who asks?")]);
    scene.wait_registered(1).await;
    let door = scene.api("/servers").await[0].clone();
    assert_eq!(
        (&door["kind"], &door["watched"]),
        (&json!("door"), &json!(true))
    );
    assert_eq!(door.get("password"), None);
    let health = format!("{}/global/health", door["url"].as_str().unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let without = client.get(&health).send().await.unwrap();
    assert_eq!(
        (without.status().as_u16(), without.text().await.unwrap()),
        (401, String::new())
    );
    let wrong = client
        .get(&health)
        .basic_auth("opencode", Some("guess"))
        .send()
        .await
        .unwrap();
    assert_eq!(wrong.status(), 401);
}

/// The plugin with a client that shows no way to the server.
const HIDDEN: &str = r#"
import { Beckon } from "PLUGIN";
const bound = (value, target) => (typeof value === "function" ? value.bind(target) : value);
const get = (target, name) => (/^_?client$/.test(name) ? undefined : bound(target[name], target));
export const Hidden = (input) => Beckon({ ...input, client: new Proxy(input.client, { get }) });
"#;

#[tokio::test(flavor = "multi_thread")]
async fn without_a_way_to_the_server_its_events_are_enough_1_18() {
    by_events(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_way_to_the_server_its_events_are_enough_1_1() {
    by_events(Version::V1_1_53).await;
}

async fn by_events(version: Version) {
    let scene = Scene::start().await;
    let hidden = scene.beckon.folder().join("hidden.js");
    std::fs::write(
        &hidden,
        HIDDEN.replace("PLUGIN", plugin().to_str().unwrap()),
    )
    .unwrap();
    let permission = Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")]);
    let terminal = scene.terminal_with(version, &hidden, &[], &[permission, ask("By events?")]);
    scene.wait_registered(1).await;
    assert_eq!(scene.api("/servers").await[0]["kind"], "events");
    let shown = scene
        .daemon
        .wait_for(
            |s| s.body.contains("one-of-a-kind") && s.action("Allow once").is_some(),
            STARTED,
        )
        .await;
    scene
        .daemon
        .press(shown.id, shown.action("Allow once").unwrap());
    scene.model_reads("one-of-a-kind").await;
    scene.shown("By events?").await;
    terminal
        .shows("the dialog", |screen| screen.contains(DIALOG), SOON)
        .await;
    terminal.press("Enter");
    scene.model_reads("\"By events?\"=\"PostgreSQL\"").await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_installs_the_plugin_and_removes_only_what_is_beckons() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build();
    let file = beckon
        .folder()
        .join("user/.config/opencode/plugin/beckon.js");
    for (arguments, said) in [
        (&["integrate", "opencode", "--remove"][..], "Not installed"),
        (&["integrate", "opencode"], "Installed"),
        (&["integrate", "opencode"], "Already"),
        (&["integrate", "opencode", "--remove"], "Removed"),
    ] {
        let done = beckon.command(arguments).await;
        assert!(
            done.status == Some(0) && done.stdout.contains(said),
            "{arguments:?}: {done:?}"
        );
        assert_eq!(file.exists(), matches!(said, "Installed" | "Already"));
    }
    std::fs::write(&file, "export const Mine = async () => ({})\n").unwrap();
    for arguments in [
        &["integrate", "opencode"][..],
        &["integrate", "opencode", "--remove"],
    ] {
        let refused = beckon.command(arguments).await;
        assert_eq!(refused.status, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("isn't Beckon's"), "{refused:?}");
    }
    assert!(std::fs::read_to_string(&file).unwrap().contains("Mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_settings_install_the_plugin_and_the_doctor_says_who_is_seen() {
    let scene = Scene::start().await;
    assert_eq!(scene.api("/settings").await["plugin"]["installed"], "no");
    let _seen = scene.terminal(Version::V1_1_53, &[ask("Seen?")]);
    scene.wait_registered(1).await;
    let unseen = Terminal::builder(Version::V1_1_53, &scene.model).start(&script(&[ask("Who?")]));
    unseen
        .shows("the dialog", |screen| screen.contains(DIALOG), STARTED)
        .await;
    let pid = unseen.pid().unwrap();
    let finding = scene.coverage_of(pid).await;
    assert!(
        finding["text"].as_str().unwrap().contains("not connected"),
        "{finding}"
    );
    assert!(
        finding["hint"]
            .as_str()
            .unwrap()
            .contains("beckon integrate opencode"),
        "{finding}"
    );

    let settings = scene
        .post("/integrations/opencode", &json!({ "install": true }))
        .await;
    assert_eq!(settings["plugin"]["installed"], "yes", "{settings}");
    let finding = scene.coverage_of(pid).await;
    assert!(
        finding["text"].as_str().unwrap().contains("started before"),
        "{finding}"
    );
    let door = scene.api("/servers").await[0]["pid"].clone();
    let finding = scene
        .coverage_of(i32::try_from(door.as_i64().unwrap()).unwrap())
        .await;
    assert!(
        finding["text"]
            .as_str()
            .unwrap()
            .contains("connected through the plugin"),
        "{finding}"
    );
    let settings = scene
        .post("/integrations/opencode", &json!({ "install": false }))
        .await;
    assert_eq!(settings["plugin"]["installed"], "no", "{settings}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_throw_an_aborted_turn_takes_its_question_along() {
    let scene = Scene::start().await;
    let builder = OpenCode::builder(Version::V1_18_33, &scene.model).plugin(&plugin());
    let builder = builder.env("BECKON_HOME", scene.beckon.home());
    let opencode = builder.env("BECKON_OPENCODE_THROW", "1").start().await;
    let directory = opencode.directory();
    let session = opencode.session(directory, "A session").await;
    opencode
        .prompt(&session, directory, &script(&[ask("Aborted?")]))
        .await;
    scene.shown("Aborted?").await;
    assert_eq!(
        opencode.questions(directory).await,
        json!([]),
        "nobody else sees it"
    );
    opencode.abort(&session, directory).await;
    // The limit is shorter than the time after which an asker is missed that only loses its
    // connection.
    scene.daemon.wait_empty(Duration::from_secs(10)).await;
    scene.nothing_left().await;
}

/// A script for Node, in which the desktop app may run OpenCode, with a client that leads to the
/// imitated server.
const IN_NODE: &str = r#"
const { Beckon } = await import("data:text/javascript;base64,PLUGIN");
const config = { baseUrl: "SERVER", fetch: (request) => fetch(request) };
await Beckon({ client: { _client: { getConfig: () => config } }, directory: "/home/me/project" });
setInterval(() => {}, 1_000);
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_door_in_node_leads_to_the_server_too() {
    let scene = Scene::start().await;
    let server = Replay::start();
    server.session(SESSION, DIRECTORY, "A session");
    let text = BASE64_STANDARD.encode(std::fs::read(plugin()).unwrap());
    let program = IN_NODE
        .replace("PLUGIN", &text)
        .replace("SERVER", &server.url());
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", &program])
        .env("BECKON_HOME", scene.beckon.home());
    let _node = Process::spawn(node);
    scene.wait_registered(1).await;
    server
        .ask(
            Kind::Question,
            DIRECTORY,
            yes_or_no("que_1", "Through Node?"),
        )
        .await;
    scene.press("Through Node?", "Yes").await;
    let replies = server.wait_replies(1, SOON).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
    scene.nothing_left().await;
}
