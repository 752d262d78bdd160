//! Tests of whether a newer Beckon is there: the project is asked once a day if that is switched
//! on, and `status` and `doctor` report the answer. The real program has a feed and a wall clock of
//! its own.

use crate::common::{SOON, http};
use axum::Router;
use axum::http::HeaderMap;
use beckon_support::beckon::{Beckon, Output};
use beckon_support::eventually;
use beckon_support::wall_clock::WallClock;
use reqwest::Method;
use serde_json::Value;
use tokio::sync::{mpsc, watch};

const DAY: i64 = 24 * 3_600;
/// The public key of the feeds below. They are signed for the tests of the room
/// (src-tauri/src/updates/tests.rs).
const KEY: &str = "RWShztb2uqAryIHfyPg1CaQAwDD84iOwIxR7E5cybGa5BL9rEKQvbxws";
/// The feed of 99.0.0.
const NEWER: &str = include_str!("../../src-tauri/src/updates/tests/newer.json");
/// The time at which it was signed, in seconds since 1970.
const NEWER_OF: i64 = 1_790_000_000;
/// The feed of 0.0.1, by which every reader has the newest version.
const OLDER: &str = include_str!("../../src-tauri/src/updates/tests/older.json");
const OLDER_OF: i64 = 1_780_000_000;
/// A feed that somebody else has signed.
const FOREIGN: &str = include_str!("../../src-tauri/src/updates/tests/foreign.json");

const OFF: &str = "opencode = []\n";
const ON: &str = "opencode = []\n[updates]\ncheck = true\n";

/// A Beckon, and the server that it asks.
struct Stage {
    beckon: Beckon,
    clock: WallClock,
    /// The headers of each request.
    asked: mpsc::UnboundedReceiver<HeaderMap>,
    /// The response of the server; `None` means that there is none yet.
    answer: watch::Sender<Option<&'static str>>,
}

impl Stage {
    /// Starts everything on that day.
    async fn start(config: &str, day: i64) -> Self {
        let (tell, asked) = mpsc::unbounded_channel();
        let (answer, answers) = watch::channel(None);
        let address = serve(tell, answers).await;
        let clock = WallClock::new();
        clock.set_to(day);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(config);
        let feed = format!("{address} {KEY}");
        let beckon = clock
            .rule(program)
            .env("BECKON_TEST_UPDATE_FEED", feed)
            .start();
        beckon.wait_ready().await;
        Self {
            beckon,
            clock,
            asked,
            answer,
        }
    }

    fn answers(&self, body: &'static str) {
        self.answer.send_replace(Some(body));
    }

    async fn is_asked(&mut self) -> HeaderMap {
        tokio::time::timeout(SOON, self.asked.recv())
            .await
            .expect("nobody asked")
            .unwrap()
    }

    async fn restart(&self) {
        self.beckon.terminate();
        self.beckon.start();
        self.beckon.wait_ready().await;
    }

    async fn state(&self) -> String {
        self.beckon.status().await["updates"]["state"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    async fn tells(&self, state: &str) {
        eventually(state, SOON, async || {
            (self.state().await == state).then_some(())
        })
        .await;
    }

    async fn doctor(&self) -> String {
        let Output { stdout, .. } = self.beckon.command(&["doctor"]).await;
        stdout
            .lines()
            .find(|line| line.contains("Updates:"))
            .unwrap_or_default()
            .to_owned()
    }
}

/// Answers every request as the test says, as soon as it says something.
async fn serve(
    tell: mpsc::UnboundedSender<HeaderMap>,
    answers: watch::Receiver<Option<&'static str>>,
) -> String {
    let handler = move |headers: HeaderMap| async move {
        let _ = tell.send(headers);
        let mut answers = answers.clone();
        let answer = *answers.wait_for(Option::is_some).await.unwrap();
        answer.unwrap()
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/releases.json", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(handler)).await });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn who_turns_it_on_is_told_of_a_newer_version_and_asks_no_more_than_once_a_day() {
    let mut stage = Stage::start(OFF, NEWER_OF + DAY).await;
    stage.answers(NEWER);
    assert_eq!(stage.state().await, "off");
    assert_eq!(stage.doctor().await, "");
    let (_, settings) = http::call(&stage.beckon, Method::GET, "/settings", &Value::Null).await;
    assert!(
        settings.to_string().contains("updates.check"),
        "the switch is missing: {settings}"
    );

    stage.beckon.write_config(ON);
    let headers = stage.is_asked().await;
    let mut said: Vec<&str> = headers.keys().map(axum::http::HeaderName::as_str).collect();
    said.sort_unstable();
    assert_eq!(said, ["accept", "host"], "it says who asks");
    stage.tells("newer").await;
    assert!(
        stage.doctor().await.contains("Beckon 99.0.0 is out"),
        "{}",
        stage.doctor().await
    );

    // The answer is remembered; the next request comes two days later.
    stage.restart().await;
    assert_eq!(stage.state().await, "newer");
    stage.clock.set_by(2 * DAY);
    stage.restart().await;
    stage.is_asked().await;
    assert!(
        stage.asked.try_recv().is_err(),
        "it asked again on the same day"
    );

    stage.beckon.write_config(OFF);
    stage.tells("off").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_nobody_renews_does_not_count_as_the_newest_for_ever() {
    let mut stage = Stage::start(ON, OLDER_OF + DAY).await;
    stage.is_asked().await;
    stage.answers(OLDER);
    stage.tells("newest").await;
    assert!(
        stage.doctor().await.contains("is the newest version"),
        "{}",
        stage.doctor().await
    );

    // Three months later, Beckon reports nothing before it has asked.
    stage.answer.send_replace(None);
    stage.clock.set_by(90 * DAY);
    stage.restart().await;
    stage.is_asked().await;
    assert_eq!(stage.state().await, "waiting");
    assert_eq!(stage.doctor().await, "");
    stage.answers(OLDER);
    stage.tells("outdated").await;
    assert!(
        stage.doctor().await.contains("more than two months old"),
        "{}",
        stage.doctor().await
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_else_has_signed_is_not_believed() {
    let mut stage = Stage::start(ON, NEWER_OF + DAY).await;
    stage.is_asked().await;
    stage.answers(FOREIGN);
    stage.tells("unsigned").await;
    let status = stage.beckon.status().await;
    assert_eq!(status["updates"]["version"], Value::Null);
}
