//! Tests of `beckon watch`: every step with the time since the ask, and a stream that has died
//! without a word.

use crate::common::{Rehearsal, SOON};
use beckon_support::eventually;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The lines of a `beckon watch --json`, as they come.
struct Watching {
    child: std::process::Child,
    lines: Arc<Mutex<Vec<Value>>>,
}

impl Watching {
    async fn start(stage: &Rehearsal) -> Self {
        let mut command = stage.beckon.prepare(&["watch", "--json"]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let (lines, output) = (
            Arc::<Mutex<Vec<Value>>>::default(),
            child.stdout.take().unwrap(),
        );
        let written = lines.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                written
                    .lock()
                    .unwrap()
                    .push(serde_json::from_str(&line).unwrap());
            }
        });
        let watching = Self { child, lines };
        // The stream contains nothing from before it was connected.
        eventually("it is connected", SOON, async || {
            stage.beckon.command(&["presence", "here"]).await;
            stage.beckon.command(&["presence", "auto"]).await;
            (!watching.lines.lock().unwrap().is_empty()).then_some(())
        })
        .await;
        watching
    }

    async fn line(&self, what: &str) -> Value {
        eventually(what, SOON, async || {
            let lines = self.lines.lock().unwrap();
            lines.iter().find(|line| line["what"] == what).cloned()
        })
        .await
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn watch_tells_how_long_each_step_took() {
    let stage = Rehearsal::start().await;
    let watching = Watching::start(&stage).await;
    let began = Instant::now();
    stage.ask("que_1", "Go on?").await;
    let thinks = Duration::from_millis(700);
    tokio::time::sleep(thinks).await;
    stage.press("Go on?", "Yes").await;
    let mut before = 0;
    for what in ["asked", "shown", "answered", "taken"] {
        let line = watching.line(what).await;
        assert_eq!(
            (line["id"].as_str(), line["topic"].as_str()),
            (Some("que_1"), Some("Go on?"))
        );
        let since = line["since_asked"].as_i64().unwrap();
        assert!(since >= before, "{what}: {since} ms after {before} ms");
        before = since;
        let whole = i64::try_from(began.elapsed().as_millis()).unwrap();
        assert!(since <= whole, "{what}: {since} ms of {whole} ms");
    }
    let since = |line: Value| line["since_asked"].as_i64().unwrap();
    let (asked, shown) = (watching.line("asked").await, watching.line("shown").await);
    // The desk looks at the clock a moment after the source did.
    assert!(since(asked.clone()) < 100, "{asked}");
    let answered = watching.line("answered").await;
    assert!(
        since(answered.clone()) - since(shown) >= 600,
        "the human thought for 700 ms"
    );
    let between = answered["at"].as_i64().unwrap() - asked["at"].as_i64().unwrap();
    assert_eq!(between, since(answered) - since(asked));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_falls_silent_is_opened_anew_and_what_was_missed_is_made_up_for() {
    let stage = Rehearsal::with("", |program| program.env("BECKON_STREAM_SILENCE", "3"));
    stage.beckon.start();
    stage.ready().await;
    stage.settle().await;
    // The connection stays open, and nothing comes any more: neither heartbeats nor the question.
    stage.open("que_1", "Asked into the silence?");
    let began = Instant::now();
    stage.shown("Asked into the silence?").await;
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    assert!(stage.replay.count("/global/event") >= 2);
    stage.press("Asked into the silence?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}
