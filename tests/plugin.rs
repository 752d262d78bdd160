//! The plugin for OpenCode: an OpenCode without a port is reached through its door.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(target_os = "linux")]

mod common;
#[path = "common/phone.rs"]
mod phone;

use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::{OpenCode, Terminal, Version};
use common::{SOON, asked_by, config, named, noted};
use phone::Phone;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// OpenCode starts in up to ten seconds, and several at once take longer.
const STARTED: Duration = Duration::from_secs(90);
/// Nobody listens there.
const NOWHERE: &str = "http://127.0.0.1:1";
/// Stands in OpenCode's dialog for a question, and goes with it.
const DIALOG: &str = "Type your own answer";

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/opencode/beckon.js")
}

/// Beckon between a desk and a phone; nothing tells where the human is, so that both ring.
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
        let beckon = program.bus(&bus).config(&(config(url) + &phone.config())).build();
        Self { beckon, daemon, phone, model: Model::start(), _bus: bus }
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

    /// OpenCode in a terminal, with the plugin, going through these steps.
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
        let builder = environment.iter().fold(builder, |builder, (k, v)| builder.env(k, *v));
        builder.start(&script(steps))
    }

    async fn shown(&self, title: &str) -> Shown {
        self.daemon.wait_for(|shown| shown.summary.ends_with(title), STARTED).await
    }

    async fn press(&self, title: &str, label: &str) {
        let shown = self.shown(title).await;
        self.daemon.press(shown.id, shown.action(label).unwrap());
    }

    async fn model_reads(&self, text: &str) {
        eventually(&format!("the model reads {text}"), SOON, async || {
            self.model.tool_results().iter().any(|(_, told)| told.contains(text)).then_some(())
        })
        .await;
    }

    /// The sources that came by themselves.
    async fn registered(&self) -> Vec<Value> {
        let sources = self.beckon.status().await["sources"].as_array().cloned().unwrap();
        sources.into_iter().filter(|source| source["name"] != "local").collect()
    }

    async fn wait_registered(&self, count: usize) -> Vec<Value> {
        eventually(&format!("{count} live servers have registered"), STARTED, async || {
            let registered = self.registered().await;
            let live = registered.iter().all(|source| source["state"] == "live");
            (registered.len() == count && live).then_some(registered)
        })
        .await
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

/// It is started before Beckon, sees Beckon killed, and sees it come back.
async fn answered_from_everywhere(version: Version) {
    let scene = Scene::without_beckon(NOWHERE);
    let permission = Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")]);
    let steps = [ask("From the desk?"), permission, ask("In OpenCode?"), ask("Once more?")];
    let terminal = scene.terminal(version, &steps);
    terminal.shows("the dialog", |screen| screen.contains(DIALOG), STARTED).await;

    scene.start_beckon().await;
    scene.phone.pair(&scene.beckon).await;
    scene.press("From the desk?", "SQLite").await;
    scene.model_reads("\"From the desk?\"=\"SQLite\"").await;

    let card = scene.phone.card("echo one-of-a-kind").await;
    scene.phone.tap(card.id, "Once").await;
    scene.model_reads("one-of-a-kind").await;

    noted(&scene.beckon, &scene.shown("In OpenCode?").await).await;
    scene.beckon.kill9();
    terminal.shows("the dialog", |screen| screen.contains(DIALOG), SOON).await;
    terminal.press("Enter");
    scene.model_reads("\"In OpenCode?\"=\"PostgreSQL\"").await;

    terminal.shows("the dialog", |screen| screen.contains("Once more?"), SOON).await;
    scene.start_beckon().await;
    scene.press("Once more?", "SQLite").await;
    scene.model_reads("\"Once more?\"=\"SQLite\"").await;
    terminal.shows("no dialog", |screen| !screen.contains(DIALOG), SOON).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_given_from_the_notification_and_the_row_goes_with_its_process() {
    let scene = Scene::start().await;
    let permission = Step::Tools(vec![ToolCall::bash("echo one-of-a-kind")]);
    let terminal = scene.terminal(Version::V1_18_33, &[permission, ask("Never answered?")]);
    let row = scene.wait_registered(1).await.remove(0);
    assert!(row["name"].as_str().unwrap().starts_with("project-"), "{row}");
    let shown = scene.daemon.wait_for(|s| s.body.contains("one-of-a-kind"), STARTED).await;
    scene.daemon.press(shown.id, shown.action("Allow once").unwrap());
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
    scene.daemon.press(shown.id, shown.action("SQLite").unwrap());
    let told = "User has answered your questions: \"Thrown?\"=\"SQLite\". You can now continue \
                with the user's answers in mind.";
    scene.model_reads(told).await;

    scene.shown("Dismissed?").await;
    assert!(!terminal.screen().contains(DIALOG), "{}", terminal.screen());
    let id = scene.beckon.list().await[0]["id"].as_str().unwrap().to_owned();
    scene.beckon.command(&["dismiss", &id]).await;
    terminal.shows("the dialog", |screen| screen.contains(DIALOG), SOON).await;
    scene.press("Dismissed?", "SQLite").await;
    scene.model_reads("\"Dismissed?\"=\"SQLite\"").await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_throw_the_dialog_appears_when_beckon_goes() {
    let scene = Scene::start().await;
    let throw = [("BECKON_OPENCODE_THROW", "1")];
    let terminal = scene.terminal_with(Version::V1_1_53, &plugin(), &throw, &[ask("Gone?")]);
    scene.shown("Gone?").await;
    scene.beckon.kill9();
    terminal.shows("the dialog", |screen| screen.contains(DIALOG), SOON).await;
    terminal.press("Enter");
    scene.model_reads("\"Gone?\"=\"PostgreSQL\"").await;
}
