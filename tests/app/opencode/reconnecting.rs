//! Tests of asks that come before Beckon starts, while the stream is cut, or while the server
//! restarts: none is missed.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage, asked_by, named};
use beckon_support::eventually;
use beckon_support::notifications::Shown;
use beckon_support::opencode::Version;
use beckon_support::replay::{Fault, Kind, Streaming, frame, permission};
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_before_beckon_started_is_shown_and_answered_1_18() {
    asked_before(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_before_beckon_started_is_shown_and_answered_1_1() {
    asked_before(Version::V1_1_53).await;
}

async fn asked_before(version: Version) {
    let stage = Stage::without_beckon(version).await;
    stage
        .ask(&[asked_by(json!([named(
            "Which database?",
            &["PostgreSQL", "SQLite"]
        )]))])
        .await;
    stage.opencode.wait_questions(&stage.directory(), 1).await;
    stage.beckon.start();
    let shown = stage.shown("Which database?").await;
    stage
        .daemon
        .press(shown.id, shown.action("PostgreSQL").unwrap());
    stage
        .model_reads("\"Which database?\"=\"PostgreSQL\"")
        .await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_restarted_server_has_forgotten_goes_and_the_next_question_comes_1_18() {
    server_restarts(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_restarted_server_has_forgotten_goes_and_the_next_question_comes_1_1() {
    server_restarts(Version::V1_1_53).await;
}

async fn server_restarts(version: Version) {
    let stage = Stage::start(version).await;
    stage
        .ask(&[asked_by(json!([named("Forgotten?", &["Yes", "No"])]))])
        .await;
    stage.shown("Forgotten?").await;
    stage.opencode.kill();
    stage.opencode.restart().await;
    stage.daemon.wait_empty(SOON).await;
    stage
        .ask(&[asked_by(json!([named("Again?", &["Yes", "No"])]))])
        .await;
    let shown = stage.shown("Again?").await;
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.model_reads("\"Again?\"=\"Yes\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_during_a_cut_is_made_up_for() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Answered meanwhile?").await;
    stage.ask("que_2", "Still open?").await;
    stage.replay.streaming(Streaming::Status(503));
    stage.replay.cut().await;
    stage.replay.withdraw("que_1");
    stage.open("que_3", "Asked meanwhile?");
    stage.open("que_4", "Never seen?");
    stage.replay.withdraw("que_4");
    stage.replay.streaming(Streaming::Open);
    stage.shown("Asked meanwhile?").await;
    eventually("two cards", SOON, async || {
        (stage.daemon.open().len() == 2).then_some(())
    })
    .await;
    assert!(
        stage
            .daemon
            .all()
            .iter()
            .all(|shown| !shown.summary.ends_with("Never seen?"))
    );
    stage.press("Still open?", "Yes").await;
    stage.press("Asked meanwhile?", "No").await;
    stage.answered_once("que_2", "Yes").await;
    stage.answered_once("que_3", "No").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_reaches_the_agent_although_the_stream_is_cut() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.streaming(Streaming::Status(503));
    stage.replay.cut().await;
    stage.press("Go on?", "Yes").await;
    stage.replies("que_1", 1).await;
    stage.replay.streaming(Streaming::Open);
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_while_the_server_is_down_arrives_when_it_is_back() {
    let mut stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.down();
    stage.press("Go on?", "Yes").await;
    stage.wait_state("que_1", "answering").await;
    eventually("the status says so", SOON, async || {
        let status = stage.beckon.status().await;
        (status["sources"][0]["state"] == "unreachable").then_some(())
    })
    .await;
    stage.replay.up();
    stage.answered_once("que_1", "Yes").await;
}

/// Restarts the server with another request under the same id; its stream comes only later.
async fn begins_anew(stage: &mut Rehearsal) {
    stage
        .replay
        .fault("/global/event", Some(Fault::Status(503)));
    stage.replay.withdraw("per_1");
    stage.replay.open(
        Kind::Permission,
        DIRECTORY,
        permission("per_1", SESSION, "rm -rf ~/work"),
    );
    stage.replay.up();
}

/// Checks that the answer comes back, and that nothing was allowed.
async fn comes_back(stage: &Rehearsal) {
    eventually("the answer comes back", SOON, async || {
        let list = stage.beckon.list().await;
        let ask = list.iter().find(|ask| ask["id"] == "per_1")?;
        (ask["state"] == "open" && ask["returned"]["reason"] == "changed").then_some(())
    })
    .await;
    stage.replay.fault("/global/event", None);
    stage
        .daemon
        .wait_for(|shown| shown.body.contains("rm -rf"), SOON)
        .await;
    assert_eq!(
        stage.replay.replies().len(),
        0,
        "{:?}",
        stage.replay.replies()
    );
}

async fn asked(stage: &Rehearsal) -> Shown {
    let request = permission("per_1", SESSION, "ls build/");
    stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
    stage
        .daemon
        .wait_for(
            |shown| shown.body.contains("ls build/") && shown.action("Allow once").is_some(),
            SOON,
        )
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_in_an_outage_is_not_for_what_the_server_asks_then_by_the_same_id() {
    let mut stage = Rehearsal::start().await;
    let shown = asked(&stage).await;
    stage.replay.down();
    // No server restarts before Beckon notices its end, which takes two milliseconds.
    eventually("the outage is noticed", SOON, async || {
        let status = stage.beckon.status().await;
        (status["sources"][0]["state"] == "unreachable").then_some(())
    })
    .await;
    stage
        .daemon
        .press(shown.id, shown.action("Allow once").unwrap());
    stage.wait_state("per_1", "answering").await;
    begins_anew(&mut stage).await;
    comes_back(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_before_a_server_that_began_anew_is_read_is_not_for_what_it_asks_then() {
    let mut stage = Rehearsal::start().await;
    let shown = asked(&stage).await;
    stage.replay.down();
    // No server restarts before Beckon notices its end, which takes two milliseconds.
    eventually("the outage is noticed", SOON, async || {
        let status = stage.beckon.status().await;
        (status["sources"][0]["state"] == "unreachable").then_some(())
    })
    .await;
    begins_anew(&mut stage).await;
    stage
        .daemon
        .press(shown.id, shown.action("Allow once").unwrap());
    comes_back(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_ends_the_stream_politely_is_read_again() {
    let stage = Rehearsal::start().await;
    for round in 0..3 {
        stage.replay.end();
        let (id, text) = (format!("que_{round}"), format!("Round {round}?"));
        stage.open(&id, &text);
        stage.press(&text, "Yes").await;
        stage.answered_once(&id, "Yes").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_accepts_but_does_not_answer_yet_is_found_once_it_does() {
    let stage = Rehearsal::without_beckon();
    stage.replay.streaming(Streaming::Hang);
    stage.open("que_1", "Asked early?");
    stage.beckon.start();
    eventually("somebody waits at the stream", SOON, async || {
        (stage.replay.count("/global/event") == 1).then_some(())
    })
    .await;
    stage.replay.streaming(Streaming::Open);
    stage.press("Asked early?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_that_starts_before_its_server_finds_it() {
    let mut stage = Rehearsal::without_beckon();
    stage.replay.down();
    stage.beckon.start();
    let status = stage.beckon.wait_ready().await;
    assert_eq!(status["sources"][0]["state"], "unreachable", "{status}");
    stage.open("que_1", "Asked early?");
    stage.replay.up();
    stage.press("Asked early?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_after_the_greeting_of_a_server_that_has_not_subscribed_yet_is_shown() {
    let stage = Rehearsal::start().await;
    lists_after_the_greeting(&stage, Duration::from_secs(20), 1).await;
    stage.open("que_1", "On no stream?");
    stage.shown("On no stream?").await;
    stage.press("On no stream?", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn and_also_when_it_subscribes_so_late_that_only_a_heartbeat_shows_it() {
    let stage = Rehearsal::start().await;
    lists_after_the_greeting(&stage, Duration::from_secs(4), 4).await;
    stage.open("que_1", "On no stream?");
    stage.replay.wait_streams(1, SOON * 2).await;
    stage
        .replay
        .send(&frame(None, "server.heartbeat", json!({})))
        .await;
    stage.shown("On no stream?").await;
    stage.press("On no stream?", "Yes").await;
}

/// Waits until the server has greeted anew, and its lists were read this many times since then.
async fn lists_after_the_greeting(stage: &Rehearsal, subscribes_in: Duration, count: usize) {
    stage.replay.streaming(Streaming::Late(subscribes_in));
    let lists = || {
        stage
            .replay
            .calls()
            .iter()
            .filter(|call| call.path == "/project")
            .count()
    };
    let before = lists();
    stage.replay.cut().await;
    let what = format!("{count} readings");
    eventually(&what, SOON * 2, async || {
        (lists() >= before + count).then_some(())
    })
    .await;
}
