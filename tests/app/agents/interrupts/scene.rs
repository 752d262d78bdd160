//! The scene of these tests: the strict service, a private bus with a strict notification daemon,
//! and the real Beckon.

pub(crate) use crate::common::http::call;

use crate::common::{SOON, noted};
use beckon_support::beckon::{Beckon, Builder, Output};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::interrupts::Service;
use beckon_support::notifications::{Notifications, Shown};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) struct Scene {
    pub(crate) beckon: Beckon,
    pub(crate) daemon: Notifications,
    pub(crate) service: Service,
    pub(crate) bus: Bus,
}

impl Scene {
    /// Starts everything and waits until the stream is open.
    pub(crate) async fn start() -> Self {
        Self::start_with(Service::start()).await
    }

    pub(crate) async fn start_with(service: Service) -> Self {
        let scene = Self::without_beckon(service, "", |program| program);
        scene.beckon.start();
        scene.live().await;
        scene
    }

    /// Starts everything but Beckon, with more settings and the program as `tune` makes it.
    pub(crate) fn without_beckon(
        service: Service,
        more: &str,
        tune: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let config = format!("opencode = []\n{}{more}", service.config("research"));
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = tune(program).bus(&bus).config(&config).build();
        Self {
            beckon,
            daemon,
            service,
            bus,
        }
    }

    /// Returns the settings that watch only this service.
    pub(crate) fn config(&self, name: &str) -> String {
        "opencode = []\n".to_owned() + &self.service.config(name)
    }

    pub(crate) async fn live(&self) {
        self.wait_state("live").await;
        self.beckon.wait_ready().await;
        self.service.wait_streams(1, SOON).await;
    }

    pub(crate) async fn wait_state(&self, state: &str) {
        eventually(&format!("the service is {state}"), SOON, async || {
            let status = self
                .beckon
                .command(&["status", "--wait", "10", "--json"])
                .await
                .json();
            (status["sources"][0]["state"] == state).then_some(())
        })
        .await;
    }

    /// Waits until this many asks are open; returns them, oldest first.
    pub(crate) async fn open(&self, count: usize) -> Vec<Value> {
        eventually(&format!("{count} open asks"), SOON, async || {
            let list = self.beckon.list().await;
            (list.len() == count).then_some(list)
        })
        .await
    }

    /// Waits for the one open ask.
    pub(crate) async fn only(&self) -> Value {
        self.open(1).await.remove(0)
    }

    /// Waits for an ask that is not among `seen`.
    pub(crate) async fn next(&self, seen: &[String]) -> Value {
        eventually("another ask", SOON, async || {
            let list = self.beckon.list().await;
            list.into_iter()
                .find(|ask| !seen.contains(&id(ask).to_owned()))
        })
        .await
    }

    pub(crate) async fn answer(&self, ask: &Value, arguments: &[&str]) -> Output {
        let arguments = [&["answer", id(ask), "--json"], arguments].concat();
        self.beckon.command(&arguments).await
    }

    pub(crate) async fn answers(&self, ask: &Value, arguments: &[&str], state: &str) {
        let answered = self.answer(ask, arguments).await;
        assert_eq!(answered.json()["state"], state, "{answered:?}");
    }

    /// Answers by a command, and checks that the answer is taken.
    pub(crate) async fn takes(&self, command: &[&str]) {
        let answered = self.beckon.command(&[command, &["--json"]].concat()).await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    }

    /// Waits for the notification whose title ends with `title`.
    pub(crate) async fn shown(&self, title: &str) -> Shown {
        let shown = self
            .daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await;
        noted(&self.beckon, &shown).await;
        shown
    }

    pub(crate) async fn press(&self, title: &str, label: &str) {
        self.daemon.press_titled(title, label, SOON).await;
    }

    /// Waits until Beckon has written down that the service responded 200.
    pub(crate) async fn sent(&self) {
        let database = self.beckon.home().join("beckon.db");
        eventually("a 200 is noted", SOON, async || {
            let connection = rusqlite::Connection::open(&database).ok()?;
            let sent = "SELECT count(*) FROM receipts WHERE what = 'sent'";
            let count: i64 = connection.query_row(sent, [], |row| row.get(0)).ok()?;
            (count == 1).then_some(())
        })
        .await;
    }

    /// Waits until this many resumes of a thread have arrived, and checks their bodies.
    pub(crate) async fn resumed_with(&self, thread: &str, bodies: &[Value]) {
        let arrived = eventually(
            &format!("{} resumes of {thread}", bodies.len()),
            SOON,
            async || {
                let all = self.service.resumed();
                let of_thread = all.into_iter().filter(|resumed| resumed.thread == thread);
                let arrived: Vec<Value> = of_thread.map(|resumed| resumed.body).collect();
                (arrived.len() >= bodies.len()).then_some(arrived)
            },
        )
        .await;
        assert_eq!(arrived, bodies);
    }

    /// Sends a request to the local API, which must succeed.
    pub(crate) async fn post(&self, path: &str, body: &Value) {
        let (status, told) = call(&self.beckon, Method::POST, path, body).await;
        assert!((200..300).contains(&status), "{path}: {status} {told}");
    }

    /// Checks that no card and no open ask is left, and that both sides kept to their documents.
    pub(crate) async fn nothing_left(&self) {
        self.open(0).await;
        self.daemon.wait_empty(SOON).await;
        assert_eq!(self.daemon.violations(), Vec::<String>::new());
        assert_eq!(self.service.violations(), Vec::<String>::new());
    }
}

pub(crate) fn id(ask: &Value) -> &str {
    ask["id"].as_str().unwrap()
}

/// Makes options from their labels and values.
pub(crate) fn options(pairs: &[(&str, &str)]) -> Value {
    pairs
        .iter()
        .map(|(label, value)| json!({ "label": label, "value": value }))
        .collect()
}

pub(crate) fn confirm(info: &str) -> Value {
    json!({ "info": info })
}

/// Makes one question of each kind: values only, own words allowed, own words only.
pub(crate) fn three_questions() -> Value {
    let mut custom = options(&[("Own", "own")]);
    let own = json!({ "label": "Custom", "value": "__custom__", "allow_custom": true });
    custom.as_array_mut().unwrap().push(own);
    let colours = options(&[("Blue", "blue"), ("Red", "red")]);
    json!({ "info": "the agent asks 3 questions", "questions": [
        { "question": "Favourite colour?", "options": colours },
        { "question": "Which way?", "options": custom },
        { "question": "Anything else?", "options": [] },
    ] })
}
