//! A stage: a real OpenCode with its scripted model, a private bus with a strict notification
//! daemon, and the real Beckon between them.
#![allow(dead_code)]

use beckon_support::beckon::{Beckon, Output};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::{OpenCode, Version};
use serde_json::Value;
use std::sync::Mutex;
use std::time::Duration;

pub const SOON: Duration = Duration::from_secs(20);

/// A step in which the model asks these questions.
pub fn asked_by(questions: Value) -> Step {
    Step::Tools(vec![ToolCall::question(questions)])
}

/// The settings for one server.
pub fn config(url: &str) -> String {
    format!("[[opencode]]\nname = \"local\"\nurl = \"{url}\"\n")
}

/// The real program on that bus.
pub fn beckon(bus: &Bus, config: &str) -> Beckon {
    Beckon::builder(env!("CARGO_BIN_EXE_beckon")).bus(bus).config(config).start()
}

pub struct Stage {
    pub beckon: Beckon,
    pub daemon: Notifications,
    pub opencode: OpenCode,
    pub model: Model,
    pub bus: Bus,
    session: Mutex<String>,
}

impl Stage {
    /// Everything started and ready.
    pub async fn start(version: Version) -> Self {
        let model = Model::start();
        let opencode = OpenCode::builder(version, &model).asker().start().await;
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let beckon = beckon(&bus, &config(&opencode.url()));
        beckon.wait_ready().await;
        Self { beckon, daemon, opencode, model, bus, session: Mutex::default() }
    }

    /// Lets the model go through these steps in a new session.
    pub async fn ask(&self, steps: &[Step]) {
        let directory = self.directory();
        let session = self.opencode.session(&directory, "A session").await;
        self.opencode.prompt(&session, &directory, &script(steps)).await;
        *self.session.lock().unwrap() = session;
    }

    /// The notification whose title ends so.
    pub async fn shown(&self, title: &str) -> Shown {
        self.daemon.wait_for(|shown| shown.summary.ends_with(title), SOON).await
    }

    /// The id of the one open ask.
    pub async fn one_open(&self) -> String {
        eventually("one open ask", SOON, async || {
            let list = self.beckon.list().await;
            let [only] = list.as_slice() else { return None };
            only["id"].as_str().map(str::to_owned)
        })
        .await
    }

    pub async fn answer(&self, id: &str, arguments: &[&str]) -> Output {
        let arguments = [&["answer", id, "--json"], arguments].concat();
        self.beckon.command(&arguments).await
    }

    pub async fn command(&self, arguments: &[&str]) -> Output {
        self.beckon.command(arguments).await
    }

    /// The model has been told that as a tool's result.
    pub async fn model_reads(&self, text: &str) {
        eventually(&format!("the model reads {text}"), SOON, async || {
            self.model.tool_results().iter().any(|(_, told)| told.contains(text)).then_some(())
        })
        .await;
    }

    pub async fn idle(&self) {
        let session = self.session();
        self.opencode.wait_idle(&session, &self.directory()).await;
    }

    pub async fn tool_parts(&self) -> Value {
        let session = self.session();
        serde_json::to_value(self.opencode.tool_parts(&session, &self.directory()).await).unwrap()
    }

    /// No card, no open ask, and the daemon found nothing wrong with what it was sent.
    pub async fn nothing_left(&self) {
        self.daemon.wait_empty(Duration::from_secs(5)).await;
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }

    pub fn session(&self) -> String {
        self.session.lock().unwrap().clone()
    }

    pub fn directory(&self) -> String {
        self.opencode.directory().to_owned()
    }
}
