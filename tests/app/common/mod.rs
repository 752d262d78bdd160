//! The stages of the tests: a real OpenCode with its scripted model, or an imitation of it, a
//! private bus with a strict notification daemon, and the real Beckon between them.

pub(crate) mod counter;
pub(crate) mod elicitation;
pub(crate) mod http;
pub(crate) mod mcp;
pub(crate) mod menu;
pub(crate) mod phone;

use beckon_support::beckon::{Beckon, Builder, Output};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::{self, OpenCode, Version};
use beckon_support::replay::{Kind, Replay, Reply, frame, question};
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::Duration;

pub(crate) const SOON: Duration = Duration::from_secs(90);

/// Makes a step in which the model asks these questions.
pub(crate) fn asked_by(questions: Value) -> Step {
    Step::Tools(vec![ToolCall::question(questions)])
}

/// Returns the settings for one server.
pub(crate) fn config(url: &str) -> String {
    format!("[[opencode]]\nname = \"local\"\nurl = \"{url}\"\n")
}

/// Starts the real program on that bus.
pub(crate) fn beckon(bus: &Bus, config: &str) -> Beckon {
    Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(bus)
        .config(config)
        .start()
}

pub(crate) struct Stage {
    pub(crate) beckon: Beckon,
    pub(crate) daemon: Notifications,
    pub(crate) opencode: OpenCode,
    pub(crate) model: Model,
    _bus: Bus,
    session: Mutex<String>,
}

impl Stage {
    /// Starts everything and waits until it is ready.
    pub(crate) async fn start(version: Version) -> Self {
        let stage = Self::without_beckon(version).await;
        stage.beckon.start();
        stage.beckon.wait_ready().await;
        stage
    }

    /// Starts everything but Beckon; `stage.beckon.start()` does the rest.
    pub(crate) async fn without_beckon(version: Version) -> Self {
        Self::with(version, "", |program| program).await
    }

    /// Starts everything but Beckon, with more settings and the program as `tune` makes it.
    pub(crate) async fn with(
        version: Version,
        more: &str,
        tune: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        let model = Model::start();
        let opencode = OpenCode::builder(version, &model).asker();
        Self::around(model, opencode, more, tune).await
    }

    /// Starts 1.18 with both of its cores, and everything else but Beckon.
    pub(crate) async fn with_both_cores() -> Self {
        let model = Model::start();
        let opencode = OpenCode::builder(Version::V1_18_33, &model).second_core();
        Self::around(model, opencode, "", |program| program).await
    }

    async fn around(
        model: Model,
        opencode: opencode::Builder,
        more: &str,
        tune: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        let opencode = opencode.start().await;
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let config = config(&opencode.url()) + more;
        let beckon = tune(program).bus(&bus).config(&config).build();
        Self {
            beckon,
            daemon,
            opencode,
            model,
            _bus: bus,
            session: Mutex::default(),
        }
    }

    /// Lets the model play these steps in a new session.
    pub(crate) async fn ask(&self, steps: &[Step]) {
        let directory = self.directory();
        let session = self.opencode.session(&directory, "A session").await;
        self.opencode
            .prompt(&session, &directory, &script(steps))
            .await;
        *self.session.lock().unwrap() = session;
    }

    /// Lets the model play these steps in a new session of the second core.
    pub(crate) async fn second_ask(&self, steps: &[Step]) {
        let session = self.opencode.second_session(&self.directory()).await;
        self.opencode.second_prompt(&session, &script(steps)).await;
        *self.session.lock().unwrap() = session;
    }

    /// Waits for the notification whose title ends with `title`.
    pub(crate) async fn shown(&self, title: &str) -> Shown {
        self.daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await
    }

    /// Waits until the one open ask is complete; returns its id. An answer to an incomplete one
    /// comes back.
    pub(crate) async fn one_open(&self) -> String {
        eventually("one open ask", SOON, async || {
            let list = self.beckon.list().await;
            let [only] = list.as_slice() else { return None };
            if only["permission"]["is_partial"] == true {
                return None;
            }
            only["id"].as_str().map(str::to_owned)
        })
        .await
    }

    pub(crate) async fn answer(&self, id: &str, arguments: &[&str]) -> Output {
        let arguments = [&["answer", id, "--json"], arguments].concat();
        self.beckon.command(&arguments).await
    }

    pub(crate) async fn command(&self, arguments: &[&str]) -> Output {
        self.beckon.command(arguments).await
    }

    /// Waits until the model has been told a tool result that contains the text.
    pub(crate) async fn model_reads(&self, text: &str) {
        eventually(&format!("the model reads {text}"), SOON, async || {
            self.model
                .tool_results()
                .iter()
                .any(|(_, told)| told.contains(text))
                .then_some(())
        })
        .await;
    }

    pub(crate) async fn idle(&self) {
        let session = self.session();
        self.opencode.wait_idle(&session, &self.directory()).await;
    }

    pub(crate) async fn tool_parts(&self) -> Value {
        let session = self.session();
        serde_json::to_value(self.opencode.tool_parts(&session, &self.directory()).await).unwrap()
    }

    /// Checks that no card and no open ask is left, and that the daemon found no fault in what it
    /// was sent.
    pub(crate) async fn nothing_left(&self) {
        self.daemon.wait_empty(Duration::from_secs(5)).await;
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }

    pub(crate) fn session(&self) -> String {
        self.session.lock().unwrap().clone()
    }

    pub(crate) fn directory(&self) -> String {
        self.opencode.directory().to_owned()
    }
}

pub(crate) const SESSION: &str = "ses_1";
pub(crate) const DIRECTORY: &str = "/home/me/project";

/// A stage with an imitated OpenCode, whose every byte and fault the test decides.
pub(crate) struct Rehearsal {
    pub(crate) beckon: Beckon,
    pub(crate) daemon: Notifications,
    pub(crate) replay: Replay,
    pub(crate) bus: Bus,
}

impl Rehearsal {
    /// Starts everything and waits until it is ready and the stream is open.
    pub(crate) async fn start() -> Self {
        let rehearsal = Self::without_beckon();
        rehearsal.beckon.start();
        rehearsal.ready().await;
        rehearsal
    }

    /// Starts everything but Beckon.
    pub(crate) fn without_beckon() -> Self {
        Self::with("", |program| program)
    }

    /// Starts everything but Beckon, with more settings and the program as `tune` makes it.
    pub(crate) fn with(more: &str, tune: impl FnOnce(Builder) -> Builder) -> Self {
        let replay = Replay::start();
        replay.session(SESSION, DIRECTORY, "A session");
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = tune(program)
            .bus(&bus)
            .config(&(config(&replay.url()) + more))
            .build();
        Self {
            beckon,
            daemon,
            replay,
            bus,
        }
    }

    pub(crate) async fn ready(&self) {
        self.beckon.wait_ready().await;
        eventually("the source is live", SOON, async || {
            let status = self.beckon.status().await;
            (status["sources"][0]["state"] == "live").then_some(())
        })
        .await;
    }

    /// Waits until Beckon no longer reads the lists by itself, as it does while the stream may not
    /// report everything yet. After this, changes without an event are not noticed.
    pub(crate) async fn settle(&self) {
        let readings = || {
            let paths = ["/project", "/question", "/permission"];
            paths
                .map(|path| self.replay.count(path))
                .into_iter()
                .min()
                .unwrap()
        };
        let reach = async |count: usize| {
            let what = format!("{count} readings");
            eventually(&what, SOON, async || (readings() >= count).then_some(())).await;
        };
        // The first reading of the lists, and three more.
        reach(4).await;
        let before = readings();
        self.replay
            .send(&frame(None, "server.heartbeat", json!({})))
            .await;
        reach(before + 1).await;
    }

    /// Asks `text` (Yes or No) and waits until its card is noted.
    pub(crate) async fn ask(&self, id: &str, text: &str) -> Shown {
        self.replay
            .ask(Kind::Question, DIRECTORY, yes_or_no(id, text))
            .await;
        let shown = self.shown(text).await;
        noted(&self.beckon, &shown).await;
        shown
    }

    /// Puts the question on the list without an event.
    pub(crate) fn open(&self, id: &str, text: &str) {
        self.replay
            .open(Kind::Question, DIRECTORY, yes_or_no(id, text));
    }

    /// Waits for the notification whose title ends with `title`.
    pub(crate) async fn shown(&self, title: &str) -> Shown {
        self.daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await
    }

    pub(crate) async fn press(&self, title: &str, label: &str) {
        self.daemon.press_titled(title, label, SOON).await;
    }

    /// Restarts Beckon and waits until it has shown this notification again.
    pub(crate) async fn restarted(&self, title: &str) -> Shown {
        restarted(&self.beckon, &self.daemon, title).await
    }

    /// Waits for this many replies to one question.
    pub(crate) async fn replies(&self, id: &str, count: usize) -> Vec<Reply> {
        eventually(&format!("{count} replies to {id}"), SOON, async || {
            let replies = self.replay.replies();
            let replies: Vec<Reply> = replies.into_iter().filter(|reply| reply.id == id).collect();
            (replies.len() >= count).then_some(replies)
        })
        .await
    }

    /// Checks that the question got this answer, and only once.
    pub(crate) async fn answered_once(&self, id: &str, label: &str) {
        let replies = self.replies(id, 1).await;
        self.nothing_left().await;
        let replies = self.replies(id, replies.len()).await;
        assert_eq!(replies.len(), 1, "{replies:?}");
        assert_eq!(replies[0].body, json!({ "answers": [[label]] }));
        assert_eq!(replies[0].directory.as_deref(), Some(DIRECTORY));
    }

    pub(crate) async fn state_of(&self, id: &str) -> Option<String> {
        let list = self.beckon.list().await;
        let ask = list.iter().find(|ask| ask["id"] == id)?;
        ask["state"].as_str().map(str::to_owned)
    }

    pub(crate) async fn wait_state(&self, id: &str, state: &str) {
        eventually(&format!("{id} is {state}"), SOON, async || {
            (self.state_of(id).await.as_deref() == Some(state)).then_some(())
        })
        .await;
    }

    /// Checks that no card and no open ask is left here or at the server, and that the daemon found
    /// no fault.
    pub(crate) async fn nothing_left(&self) {
        eventually("an empty list", SOON, async || {
            self.beckon.list().await.is_empty().then_some(())
        })
        .await;
        self.daemon.wait_empty(SOON).await;
        assert_eq!(self.replay.open_ids(), Vec::<String>::new());
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
    }
}

pub(crate) fn yes_or_no(id: &str, text: &str) -> Value {
    question(id, SESSION, text, &["Yes", "No"])
}

/// Makes a question in the form that the tool takes.
pub(crate) fn named(text: &str, labels: &[&str]) -> Value {
    let option = |label: &&str| json!({ "label": label, "description": format!("About {label}") });
    let options: Vec<Value> = labels.iter().map(option).collect();
    json!({ "question": text, "header": "Header", "options": options })
}

/// Restarts Beckon and waits until it has shown this notification again over its new connection: a
/// last message of the old one may still be on its way.
pub(crate) async fn restarted(beckon: &Beckon, daemon: &Notifications, title: &str) -> Shown {
    let former: Vec<String> = daemon.all().into_iter().map(|shown| shown.sender).collect();
    beckon.start();
    let anew = |shown: &Shown| shown.summary.ends_with(title) && !former.contains(&shown.sender);
    daemon.wait_for(anew, SOON).await
}

/// Waits until Beckon has written down where that card is. A Beckon that is killed between the
/// daemon's answer and this leaves a card behind that only dunst removes by itself.
pub(crate) async fn noted(beckon: &Beckon, shown: &Shown) {
    let database = beckon.home().join("beckon.db");
    eventually("the card is noted", SOON, async || {
        let connection = rusqlite::Connection::open(&database).ok()?;
        let count = "SELECT count(*) FROM cards WHERE handle LIKE '%/' || ?1";
        let noted: i64 = connection
            .query_row(count, [shown.id], |row| row.get(0))
            .ok()?;
        (noted == 1).then_some(())
    })
    .await;
}
