//! Tests of what a server cannot tell yet, takes too long to tell, or tells in an odd form: no ask
//! is lost by that, and the human is told what cannot be seen.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, yes_or_no};
use beckon_support::eventually;
use beckon_support::replay::{Fault, Kind, question};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A directory that only sessions name.
const ELSEWHERE: &str = "/home/me/elsewhere";

/// Lists a question in a directory that only a session names, without an event.
fn open_elsewhere(stage: &Rehearsal, id: &str, text: &str) {
    stage
        .replay
        .stray_session("ses_2", ELSEWHERE, "Another session");
    stage.replay.open(
        Kind::Question,
        ELSEWHERE,
        question(id, "ses_2", text, &["Yes", "No"]),
    );
}

/// Waits until the status contains this warning.
async fn warned(stage: &Rehearsal, part: &str) {
    eventually(&format!("a warning: {part}"), SOON, async || {
        let status = stage.beckon.status().await;
        let warnings = status["warnings"].as_array().cloned().unwrap_or_default();
        let said = |it: &Value| it.as_str().is_some_and(|it| it.contains(part));
        warnings.iter().any(said).then_some(())
    })
    .await;
}

async fn warned_of_nothing(stage: &Rehearsal) {
    eventually("no warning", SOON, async || {
        (stage.beckon.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_that_cannot_be_read_at_first_are_read_again_and_meanwhile_the_status_says_so() {
    let stage = Rehearsal::without_beckon();
    open_elsewhere(&stage, "que_1", "Asked elsewhere?");
    stage.replay.fault("/session", Some(Fault::Status(500)));
    stage.beckon.start();
    stage.ready().await;
    warned(&stage, "sessions of 2 projects").await;
    let doctor = stage.beckon.command(&["doctor"]).await;
    assert!(
        doctor.stdout.contains("sessions of 2 projects"),
        "{doctor:?}"
    );
    stage.replay.fault("/session", None);
    stage.shown("Asked elsewhere?").await;
    warned_of_nothing(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_session_list_is_waited_for_and_holds_up_nothing() {
    let stage = Rehearsal::without_beckon();
    open_elsewhere(&stage, "que_1", "Asked elsewhere?");
    stage.open("que_2", "Asked here?");
    stage
        .replay
        .fault("/session", Some(Fault::Slow(Duration::from_secs(6))));
    stage.beckon.start();
    let began = Instant::now();
    stage.ready().await;
    stage.shown("Asked here?").await;
    warned(&stage, "still being listed").await;
    assert!(
        began.elapsed() < Duration::from_secs(6),
        "what is known waits for the sessions"
    );
    stage.press("Asked here?", "Yes").await;
    stage.replies("que_2", 1).await;
    stage.shown("Asked elsewhere?").await;
    warned_of_nothing(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_never_ends_costs_no_memory_and_hides_no_other() {
    let stage = Rehearsal::without_beckon();
    open_elsewhere(&stage, "que_1", "Asked elsewhere?");
    stage
        .replay
        .fault_in("/question", DIRECTORY, Some(Fault::Endless));
    stage.beckon.start();
    stage.shown("Asked elsewhere?").await;
    warned(&stage, "one directory").await;
    let peak = peak_memory(stage.beckon.pid().unwrap());
    assert!(peak < 300, "{peak} MiB");
    stage.open("que_2", "Asked here?");
    stage.replay.fault_in("/question", DIRECTORY, None);
    stage.shown("Asked here?").await;
    warned_of_nothing(&stage).await;
}

/// Returns the highest memory use of a process, in MiB.
fn peak_memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1_024
}

/// Returns questions that are each odd in one way, and can be answered.
fn odd_questions() -> Vec<Value> {
    let odd = |id: &str, field: &str, value: Value| {
        let mut item = yes_or_no(id, &format!("Odd {id}?"));
        match field {
            "multiple" | "options" => item["questions"][0][field] = value,
            _ => item[field] = value,
        }
        item
    };
    vec![
        odd("que_1", "tool", json!({ "messageID": "msg_1" })),
        odd("que_2", "options", json!(["Yes", "No"])),
        odd("que_3", "multiple", json!(2)),
        odd(
            "que_4",
            "options",
            json!([{ "label": 5 }, { "label": "No" }]),
        ),
        odd("que_5", "sessionID", Value::Null),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_items_of_a_list_hide_no_other_and_are_asked_themselves() {
    let stage = Rehearsal::without_beckon();
    for item in odd_questions() {
        stage.replay.open(Kind::Question, DIRECTORY, item);
    }
    stage.open("que_9", "As it should be?");
    stage.beckon.start();
    for number in 1..=5 {
        stage.shown(&format!("Odd que_{number}?")).await;
    }
    warned_of_nothing(&stage).await;
    stage.press("Odd que_2?", "No").await;
    let replies = stage.replies("que_2", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["No"]] }));
    stage.press("Odd que_4?", "5").await;
    let replies = stage.replies("que_4", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["5"]] }));
    // The sixth ask gets a notification of its own once there is a place.
    stage.shown("As it should be?").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_odd_question_on_the_stream_is_shown_at_once() {
    let stage = Rehearsal::start().await;
    for item in odd_questions() {
        stage.replay.ask(Kind::Question, DIRECTORY, item).await;
    }
    for number in 1..=5 {
        stage.shown(&format!("Odd que_{number}?")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_understands_is_shown_as_it_came_and_takes_no_answer() {
    let stage = Rehearsal::without_beckon();
    let strange = json!({ "id": "per_1", "sessionID": SESSION, "permission": { "new": "form" },
        "patterns": ["rm -rf ~"] });
    stage.replay.open(Kind::Permission, DIRECTORY, strange);
    stage.open("que_1", "As it should be?");
    stage.beckon.start();
    stage.shown("As it should be?").await;
    let shown = stage.shown("A request in a form Beckon doesn't know").await;
    assert!(shown.body.contains("rm -rf"), "{shown:?}");
    assert!(shown.action("Allow once").is_none(), "{shown:?}");
    warned(&stage, "one request has a form Beckon doesn't know").await;
    let list = stage.beckon.list().await;
    let strange = list.iter().find(|ask| ask["id"] == "per_1").unwrap();
    assert_eq!(
        (&strange["kind"], &strange["permission"]),
        (&json!("permission"), &Value::Null)
    );
    assert!(
        strange["unknown"].as_str().unwrap().contains("rm -rf"),
        "{strange}"
    );
    for answer in [
        &["grant", "per_1"][..],
        &["deny", "per_1"],
        &["dismiss", "per_1"],
    ] {
        let output = stage.beckon.command(answer).await;
        assert_ne!(output.status, Some(0), "{output:?}");
    }
    assert!(stage.replay.replies().is_empty());
    let ended = json!({ "sessionID": SESSION, "requestID": "per_1", "reply": "reject" });
    stage.replay.withdraw("per_1");
    stage
        .replay
        .event(DIRECTORY, "permission.replied", ended)
        .await;
    warned_of_nothing(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn titles_that_cannot_be_had_at_first_come_later() {
    let stage = Rehearsal::start().await;
    let session = format!("/session/{SESSION}");
    stage.replay.fault(&session, Some(Fault::Status(503)));
    stage.ask("que_1", "Go on?").await;
    eventually("it was tried", SOON, async || {
        (stage.replay.count(&session) > 0).then_some(())
    })
    .await;
    stage.replay.fault(&session, None);
    eventually("the title is known", SOON, async || {
        let list = stage.beckon.list().await;
        (list[0]["session"]["title"] == "A session").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_slow_sessions_take_few_connections_and_all_get_their_titles() {
    let stage = Rehearsal::without_beckon();
    for number in 0..150 {
        let session = format!("ses_of_{number}");
        stage
            .replay
            .session(&session, DIRECTORY, &format!("Session {number}"));
        let asked = question(&format!("que_{number}"), &session, "Go on?", &["Yes"]);
        stage.replay.open(Kind::Question, DIRECTORY, asked);
        let slow = Fault::Slow(Duration::from_millis(100));
        stage
            .replay
            .fault(&format!("/session/{session}"), Some(slow));
    }
    stage.beckon.start();
    stage.ready().await;
    let mut most = 0;
    eventually("all have titles", Duration::from_secs(60), async || {
        let files = format!("/proc/{}/fd", stage.beckon.pid().unwrap());
        most = most.max(std::fs::read_dir(files).unwrap().count());
        let list = stage.beckon.list().await;
        let titled = list
            .iter()
            .filter(|ask| ask["session"]["title"].is_string());
        (titled.count() == 150).then_some(())
    })
    .await;
    assert!(most < 90, "{most} file descriptors");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_bad_frames_leaves_few_lines_in_the_log_and_on_stderr() {
    let stage = Rehearsal::start().await;
    let bad = br#"data: {"directory":"/a","payload":{"type":"question.asked","properties":7}}"#;
    let bad = [&bad[..], b"\n\n"].concat();
    let sent = stage.replay.flood(&bad, None, Duration::from_secs(3)).await;
    assert!(sent.frames > 1_000, "{sent:?}");
    stage.ask("que_1", "Still there?").await;
    let logs = stage.beckon.home().join("logs");
    let logs = std::fs::read_dir(logs).unwrap();
    let size: u64 = logs
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    assert!(size < 64 << 10, "{size} bytes of {} frames", sent.frames);
    let lines = stage.beckon.stderr();
    let bad = lines
        .lines()
        .filter(|line| line.contains("a frame is not understood"))
        .count();
    assert_eq!(bad, 1, "{lines}");
}
