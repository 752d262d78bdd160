//! Tests that what a card says of its session costs the agent's server little: Beckon asks only for
//! what the server has not reported by itself, one thing at a time, after more important requests.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::replay::{Call, Fault, Kind, OnReply, question};
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the requests about sessions and their messages. The list of a session's last messages is
/// not counted: it is read to learn whether a turn was stopped, for requests that were listed
/// before the stream reported anything.
fn of_sessions(stage: &Rehearsal) -> Vec<Call> {
    let about = |call: &Call| {
        let is_look = call.path.ends_with("/message");
        call.method == "GET" && call.path.starts_with("/session/ses") && !is_look
    };
    stage.replay.calls().into_iter().filter(about).collect()
}

fn called(id: &str, session: &str) -> Value {
    let mut asked = question(id, session, &format!("What of {id}?"), &["Yes", "No"]);
    asked["tool"] = json!({ "messageID": "msg_1", "callID": id });
    asked
}

async fn titled(stage: &Rehearsal, title: &str, count: usize) {
    eventually("the titles are known", SOON, async || {
        let list = stage.beckon.list().await;
        (list
            .iter()
            .filter(|ask| ask["session"]["title"] == title)
            .count()
            == count)
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_the_server_has_told_of_is_not_asked_for() {
    let stage = Rehearsal::start().await;
    let info =
        json!({ "id": "ses_told", "title": "Told", "directory": DIRECTORY, "agent": "plan" });
    stage.replay.session("ses_told", DIRECTORY, "Told");
    stage.replay.busy("ses_told", true);
    stage
        .replay
        .event(DIRECTORY, "session.created", json!({ "info": info }))
        .await;
    stage.replay.message(
        "ses_told",
        "msg_1",
        json!({ "info": { "id": "msg_1" }, "parts": [
        { "type": "text", "text": "I have two ways." }] }),
    );
    stage
        .replay
        .ask(Kind::Question, DIRECTORY, called("que_1", "ses_told"))
        .await;
    titled(&stage, "Told", 1).await;
    eventually("what was said", SOON, async || {
        (stage.beckon.list().await[0]["session"]["last_words"] == "I have two ways.").then_some(())
    })
    .await;
    let asked: Vec<String> = of_sessions(&stage)
        .into_iter()
        .map(|call| call.path)
        .collect();
    assert_eq!(asked, ["/session/ses_told/message/msg_1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_of_asks_makes_few_requests_for_sessions_until_it_ends() {
    let stage = Rehearsal::start().await;
    for n in 0..20 {
        let session = format!("ses_of_{n}");
        stage.replay.session(&session, DIRECTORY, "One of many");
        stage.replay.busy(&session, true);
    }
    for n in 0..20 {
        let asked = called(&format!("que_{n}"), &format!("ses_of_{n}"));
        stage.replay.ask(Kind::Question, DIRECTORY, asked).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let meanwhile = of_sessions(&stage).len();
    assert!(
        meanwhile <= 2,
        "{meanwhile} requests, where only the first ask was alone"
    );
    titled(&stage, "One of many", 20).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_goes_before_what_is_only_said_of_a_session() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Slow?").await;
    titled(&stage, "A session", 1).await;
    let before = of_sessions(&stage).len();
    stage.replay.on_reply(OnReply::Hang);
    stage.press("Slow?", "Yes").await;
    stage.replay.wait_replies(1, SOON).await;
    stage
        .replay
        .ask(Kind::Question, DIRECTORY, called("que_2", SESSION))
        .await;
    stage.shown("What of que_2?").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(
        of_sessions(&stage).len(),
        before,
        "the answer is still on its way"
    );
    stage.replay.on_reply(OnReply::Confirm);
    stage.replay.wait_replies(2, SOON).await;
    titled(&stage, "A session", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_that_cannot_be_read_keeps_no_other_without_its_title() {
    let stage = Rehearsal::start().await;
    stage.replay.session("ses_bad", DIRECTORY, "Bad");
    stage.replay.busy("ses_bad", true);
    stage.replay.fault("/session/ses_bad", Some(Fault::Hang));
    stage
        .replay
        .ask(Kind::Question, DIRECTORY, called("que_1", "ses_bad"))
        .await;
    stage.ask("que_2", "Good?").await;
    titled(&stage, "A session", 1).await;
}
