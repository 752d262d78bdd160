//! The worst cases that a peer, an agent and a year of use bring: a hub with thousands of asks,
//! changes of twenty megabytes, a history of more than half a gigabyte.

use super::scale::Api;
use super::{DIRECTORY, question, resident_kib};
use beckon_support::beckon::Beckon;
use beckon_support::replay::{Kind, Replay};
use rusqlite::Connection;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The interval between two requests that test whether the loop answers.
const LOOK: Duration = Duration::from_millis(2);
/// The wait after which all memory that is ever given back has been given back.
const CALM: Duration = Duration::from_secs(5);
const EDITS: usize = 20_000;

/// Measures the worst cases.
pub(super) async fn measure() {
    for asks in [2_000, 5_000] {
        hub(asks).await;
    }
    large_changes().await;
    long_history().await;
}

fn open_at(replay: &Replay, asks: usize) {
    for n in 0..asks {
        let session = format!("ses_{n}");
        replay.session(&session, DIRECTORY, "A session");
        replay.busy(&session, true);
        let text = format!("Question {n}?");
        replay.open(
            Kind::Question,
            DIRECTORY,
            question(&format!("que_{n}"), &session, &text, &["Yes"]),
        );
    }
}

fn watching(replay: &Replay) -> Beckon {
    let config = format!(
        "[[opencode]]\nname = \"local\"\nurl = \"{}\"\n",
        replay.url()
    );
    Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .args(&["--headless"])
        .config(&config)
        .start()
}

/// Measures another Beckon that connects to one with this many asks.
async fn hub(asks: usize) {
    let replay = Replay::start();
    open_at(&replay, asks);
    let far = watching(&replay);
    let hub = Arc::new(Api::of(&far).await);
    hub.until(|status| status["open"] == asks).await;
    let before = mebibytes(&far);
    let endpoint = far.endpoint().unwrap();
    let config = format!("[[opencode]]\nname = \"far\"\nurl = {}\n", endpoint["url"]);
    let near = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .args(&["--headless"])
        .config(&config);
    let away = Away::of(hub.clone());
    let began = Instant::now();
    let near = near
        .env(
            "BECKON_OPENCODE_PASSWORD_FAR",
            endpoint["token"].as_str().unwrap(),
        )
        .start();
    Api::of(&near)
        .await
        .until(|status| status["open"] == asks)
        .await;
    let took = began.elapsed().as_secs_f64();
    // The descriptions of the sessions come after the asks.
    tokio::time::sleep(CALM).await;
    let away = away.longest();
    let (after, watcher) = (mebibytes(&far), mebibytes(&near));
    println!(
        "a hub with {asks}: watched after {took:.2} s; its loop away for {away:.1} ms at most; \
         RSS {before:.0} → {after:.0} MiB, the watcher {watcher:.0} MiB"
    );
}

/// Measures three edits of twenty megabytes, redrawn and rejected.
async fn large_changes() {
    let replay = Replay::start();
    replay.session("ses_1", DIRECTORY, "A session");
    replay.busy("ses_1", true);
    let beckon = watching(&replay);
    let api = Arc::new(Api::of(&beckon).await);
    api.until(|status| status["sources"][0]["state"] == "live")
        .await;
    let before = mebibytes(&beckon);
    let away = Away::of(api.clone());
    for n in 0..3 {
        let line = format!("+ line of change {n}, which says nothing\n");
        let diff = line.repeat(20_000_000 / line.len());
        let edit = json!({ "id": format!("per_{n}"), "sessionID": "ses_1", "permission": "edit",
            "patterns": ["a.rs"], "metadata": { "filepath": "a.rs", "diff": diff }, "always": [] });
        replay.ask(Kind::Permission, DIRECTORY, edit).await;
    }
    api.until(|status| status["open"] == 3).await;
    let open = mebibytes(&beckon);
    for n in 0..3 {
        beckon.command(&["deny", &format!("per_{n}")]).await;
    }
    api.until(|status| status["open"] == 0).await;
    tokio::time::sleep(CALM).await;
    let (away, after) = (away.longest(), mebibytes(&beckon));
    println!(
        "three edits of 20 MB: the loop away for {away:.1} ms at most; RSS {before:.0} → {open:.0} → \
         {after:.0} MiB"
    );
}

/// Measures a start with this many edits in the history.
async fn long_history() {
    let replay = Replay::start();
    replay.session("ses_1", DIRECTORY, "A session");
    replay.busy("ses_1", true);
    let beckon = watching(&replay);
    let diff = "+ a line of thirty-one bytes, so\n".repeat(1_000);
    let edit = json!({ "id": "per_1", "sessionID": "ses_1", "permission": "edit",
        "patterns": ["a.rs"], "metadata": { "filepath": "a.rs", "diff": diff }, "always": [] });
    Api::of(&beckon)
        .await
        .until(|status| status["sources"][0]["state"] == "live")
        .await;
    replay.ask(Kind::Permission, DIRECTORY, edit).await;
    Api::of(&beckon)
        .await
        .until(|status| status["open"] == 1)
        .await;
    beckon.command(&["deny", "per_1"]).await;
    Api::of(&beckon)
        .await
        .until(|status| status["open"] == 0)
        .await;
    beckon.terminate();
    let path = beckon.home().join("beckon.db");
    multiply(&path);
    let size = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    let mut took = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        beckon.start();
        Api::of(&beckon)
            .await
            .until(|status| status["sources"][0]["state"] == "live")
            .await;
        took.push(began.elapsed());
        beckon.terminate();
    }
    super::row(
        &format!("start → live with a history of {size:.0} MB"),
        &took,
        "100 ms",
    );
}

/// Copies the one settled row of the history `EDITS` times.
fn multiply(path: &std::path::Path) {
    let connection = Connection::open(path).unwrap();
    let mut columns = connection
        .prepare("SELECT name FROM pragma_table_info('asks')")
        .unwrap();
    let columns: Vec<String> = columns
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let values = columns.iter().map(|name| match name.as_str() {
        "serial" => "serial + n".to_owned(),
        "own" => "own || '_' || n".to_owned(),
        other => other.to_owned(),
    });
    let (values, columns) = (values.collect::<Vec<_>>().join(", "), columns.join(", "));
    let numbers = format!(
        "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {EDITS})"
    );
    let insert =
        format!("INSERT INTO asks ({columns}) {numbers} SELECT {values} FROM asks, numbers");
    connection.execute(&insert, []).unwrap();
}

fn mebibytes(beckon: &Beckon) -> f64 {
    resident_kib(beckon.pid().unwrap()) as f64 / 1024.0
}

/// A measurement of how long the loop is busy with something else: the longest time that it took to
/// answer a request, in microseconds.
struct Away(tokio::task::JoinHandle<()>, Arc<AtomicU64>);

impl Away {
    fn of(api: Arc<Api>) -> Self {
        let longest = Arc::new(AtomicU64::new(0));
        let seen = longest.clone();
        let looking = async move {
            loop {
                let began = Instant::now();
                api.get("/status").await;
                seen.fetch_max(began.elapsed().as_micros() as u64, Ordering::Relaxed);
                tokio::time::sleep(LOOK).await;
            }
        };
        Self(tokio::spawn(looking), longest)
    }

    /// Returns the longest time in milliseconds.
    fn longest(self) -> f64 {
        self.0.abort();
        self.1.load(Ordering::Relaxed) as f64 / 1e3
    }
}
