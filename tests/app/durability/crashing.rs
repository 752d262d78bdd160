//! Tests in which Beckon is killed (-9) at each step of a question: no answer is lost, none is
//! given twice, and no card is left behind.

use crate::common::{Rehearsal, SOON, Stage, asked_by, named, noted, restarted};
use beckon_support::eventually;
use beckon_support::notifications::Shown;
use beckon_support::opencode::Version;
use beckon_support::replay::{OnReply, Streaming};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_question_was_shown_it_shows_it_again_and_a_press_answers() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.beckon.kill9();
    let shown = stage.restarted("Go on?").await;
    assert_eq!(
        stage.daemon.open().len(),
        1,
        "it takes the place of the former one"
    );
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_whose_number_was_never_noted_answers_too_and_goes() {
    let stage = Rehearsal::start().await;
    let stray = stage.ask("que_1", "Go on?").await;
    stage.beckon.kill9();
    forget_the_cards(&stage);
    stage.restarted("Go on?").await;
    assert_eq!(
        stage.daemon.open().len(),
        2,
        "nobody knows whose the first one is"
    );
    stage.daemon.press(stray.id, stray.action("Yes").unwrap());
    stage.answered_once("que_1", "Yes").await;
}

/// Removes Beckon's notes of its cards, as if it had been killed between the daemon's answer and
/// its own note.
fn forget_the_cards(stage: &Rehearsal) {
    let database = rusqlite::Connection::open(stage.beckon.home().join("beckon.db")).unwrap();
    assert_eq!(
        database
            .execute("UPDATE cards SET handle = NULL", [])
            .unwrap(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_with_a_press_unread_it_shows_the_question_again() {
    let stage = Rehearsal::start().await;
    let shown = stage.ask("que_1", "Go on?").await;
    stage.beckon.sigstop();
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.beckon.kill9();
    let shown = stage.restarted("Go on?").await;
    stage.daemon.press(shown.id, shown.action("No").unwrap());
    stage.answered_once("que_1", "No").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_answer_was_committed_it_delivers_it_after_the_restart() {
    let mut stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.down();
    stage.press("Go on?", "Yes").await;
    stage.wait_state("que_1", "answering").await;
    stage.beckon.kill9();
    assert_eq!(stage.replay.replies().len(), 0);
    stage.replay.up();
    stage.beckon.start();
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_the_agent_took_what_was_posted_it_posts_it_again() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.on_reply(OnReply::Hang);
    stage.press("Go on?", "No").await;
    stage.replies("que_1", 1).await;
    stage.beckon.kill9();
    stage.replay.on_reply(OnReply::Confirm);
    stage.beckon.start();
    let replies = stage.replies("que_1", 2).await;
    assert_eq!(replies[0].body, replies[1].body);
    stage.nothing_left().await;
    assert_eq!(
        stage.replies("que_1", 2).await.len(),
        2,
        "the second one was taken"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_the_agent_took_the_answer_it_finds_that_out() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.streaming(Streaming::Status(503));
    stage.replay.cut().await;
    stage.replay.on_reply(OnReply::ConfirmAndHang);
    stage.press("Go on?", "Yes").await;
    stage.replies("que_1", 1).await;
    stage.beckon.kill9();
    stage.replay.on_reply(OnReply::Confirm);
    stage.replay.streaming(Streaming::Open);
    stage.beckon.start();
    stage.ready().await;
    // Nothing proves whose answer was taken: the human is told so, and that notice stays until they
    // have read it.
    let is_told = |shown: &Shown| format!("{} {}", shown.summary, shown.body).contains("arrive");
    let told = stage.daemon.wait_for(is_told, SOON).await;
    stage.daemon.close(told.id, 2);
    stage.answered_once("que_1", "Yes").await;
}

/// Waits until the reply was answered with 200, and Beckon has written that down.
async fn the_servers_yes_is_noted(stage: &Rehearsal, own: &str) {
    let database = stage.beckon.home().join("beckon.db");
    eventually("the server's yes is noted", SOON, async || {
        let connection = rusqlite::Connection::open(&database).ok()?;
        let state = "SELECT state FROM asks WHERE own = ?1";
        let state: String = connection.query_row(state, [own], |row| row.get(0)).ok()?;
        let state: serde_json::Value = serde_json::from_str(&state).ok()?;
        state["answering"]["sent_at"].is_number().then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_between_the_servers_yes_and_its_proof_it_does_not_answer_again() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.streaming(Streaming::Status(503));
    stage.replay.cut().await;
    stage.replay.on_reply(OnReply::Quiet);
    stage.press("Go on?", "Yes").await;
    stage.replies("que_1", 1).await;
    the_servers_yes_is_noted(&stage, "que_1").await;
    stage.beckon.kill9();
    stage.replay.streaming(Streaming::Open);
    stage.beckon.start();
    stage.ready().await;
    stage.answered_once("que_1", "Yes").await;
    let late = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "2", "--json"])
        .await;
    assert_ne!(late.status, Some(0), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_ended_while_beckon_was_dead_leaves_no_card() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.ask("que_2", "And then?").await;
    stage.beckon.kill9();
    stage.replay.withdraw("que_1");
    stage.restarted("And then?").await;
    eventually("one card", SOON, async || {
        (stage.daemon.open().len() == 1).then_some(())
    })
    .await;
    stage.press("And then?", "Yes").await;
    stage.answered_once("que_2", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_stop_it_takes_its_cards_along_and_brings_them_back() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.beckon.terminate();
    stage.daemon.wait_empty(SOON).await;
    let shown = stage.restarted("Go on?").await;
    stage.daemon.press(shown.id, shown.action("Yes").unwrap());
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_and_again_it_still_asks_each_question_once() {
    let stage = Rehearsal::start().await;
    for id in 0..5 {
        stage.open(&format!("que_{id}"), &format!("Number {id}?"));
    }
    for _ in 0..3 {
        stage.beckon.start();
        for id in 0..5 {
            let shown = stage.shown(&format!("Number {id}?")).await;
            noted(&stage.beckon, &shown).await;
        }
        stage.beckon.kill9();
    }
    stage.restarted("Number 4?").await;
    eventually("five cards", SOON, async || {
        (stage.daemon.open().len() == 5).then_some(())
    })
    .await;
    for id in 0..5 {
        let text = format!("Number {id}?");
        eventually("the press is taken", SOON, async || {
            let shown = stage
                .daemon
                .open()
                .into_iter()
                .find(|s| s.summary.ends_with(&text));
            let Some(shown) = shown else { return Some(()) };
            stage.daemon.press(shown.id, shown.action("Yes").unwrap());
            None
        })
        .await;
    }
    stage.nothing_left().await;
    assert_eq!(stage.replay.replies().len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_opencode_is_answered_by_a_press_after_beckon_was_killed_1_18() {
    killed_with_a_real_opencode(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_opencode_is_answered_by_a_press_after_beckon_was_killed_1_1() {
    killed_with_a_real_opencode(Version::V1_1_53).await;
}

async fn killed_with_a_real_opencode(version: Version) {
    let stage = Stage::start(version).await;
    stage
        .ask(&[asked_by(json!([named(
            "Which database?",
            &["PostgreSQL", "SQLite"]
        )]))])
        .await;
    noted(&stage.beckon, &stage.shown("Which database?").await).await;
    stage.beckon.kill9();
    let shown = restarted(&stage.beckon, &stage.daemon, "Which database?").await;
    stage
        .daemon
        .press(shown.id, shown.action("SQLite").unwrap());
    stage.model_reads("\"Which database?\"=\"SQLite\"").await;
    stage.nothing_left().await;
}
