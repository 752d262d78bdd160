//! Tests in which another program holds the database while people decide: what they were told
//! holds, and nobody is told otherwise.

use crate::common::http::call;
use crate::common::phone::Outing;
use crate::common::{Rehearsal, SOON, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use reqwest::Method;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Another program that writes to the database, a backup for example, until this is dropped.
pub(super) struct Holder {
    _connection: Connection,
}

impl Holder {
    pub(super) fn of(beckon: &Beckon) -> Self {
        let connection = Connection::open(beckon.home().join("beckon.db")).unwrap();
        connection.busy_timeout(Duration::from_secs(5)).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self {
            _connection: connection,
        }
    }
}

/// Asks a question whose answer is fetched later; returns its id.
pub(super) async fn ticket(beckon: &Beckon, text: &str) -> String {
    let body = json!({ "questions": [yes_or_no("", text)["questions"][0]] });
    let (status, made) = call(beckon, Method::POST, "/question", &body).await;
    assert_eq!(status, 201, "{made}");
    made["id"].as_str().unwrap().to_owned()
}

pub(super) async fn all_saved(beckon: &Beckon) {
    eventually("everything is saved", SOON, async || {
        (beckon.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
}

async fn restart_cleanly(stage: &Rehearsal) {
    stage.beckon.terminate();
    eventually("Beckon ends", SOON, async || {
        (!stage.beckon.is_running()).then_some(())
    })
    .await;
    stage.beckon.start();
    stage.ready().await;
}

pub(super) async fn is_open(beckon: &Beckon, id: &str) -> bool {
    beckon.list().await.iter().any(|ask| ask["id"] == *id)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_while_the_database_is_held_counts_and_is_said_not_to_be_saved() {
    let stage = Rehearsal::start().await;
    let id = ticket(&stage.beckon, "Delete the staging data?").await;
    let holder = Holder::of(&stage.beckon);

    let answered = stage
        .beckon
        .command(&["answer", &id, "--choice", "1"])
        .await;
    assert_eq!(answered.status, Some(1), "{answered:?}");
    assert!(answered.stderr.contains("isn't saved yet"), "{answered:?}");
    let warnings = stage.beckon.status().await["warnings"].to_string();
    assert!(warnings.contains("can't be written"), "{warnings}");

    drop(holder);
    all_saved(&stage.beckon).await;
    restart_cleanly(&stage).await;
    assert!(!is_open(&stage.beckon, &id).await);
    let path = format!("/question/{id}?wait=1");
    let (_, ended) = call(&stage.beckon, Method::GET, &path, &Value::Null).await;
    assert_eq!(ended["answers"], json!([["Yes"]]), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_is_handed_out_when_its_ask_is_saved_and_an_answer_when_it_is() {
    let stage = Rehearsal::start().await;
    let beckon = &stage.beckon;
    let id = ticket(beckon, "Delete the staging data?").await;
    let path = format!("/question/{id}");
    let holder = Holder::of(beckon);

    beckon.command(&["answer", &id, "--choice", "1"]).await;
    let unnamed = json!({ "questions": [yes_or_no("", "Unnamed?")["questions"][0]] });
    let mine = json!({ "id": "mine", "questions": unnamed["questions"] });
    let other = json!({ "id": "other", "questions": unnamed["questions"] });
    let waiting = format!("{path}?wait=1");
    let refused = tokio::join!(
        call(beckon, Method::GET, &path, &Value::Null),
        call(beckon, Method::GET, &waiting, &Value::Null),
        call(beckon, Method::POST, "/question", &unnamed),
        call(beckon, Method::POST, "/question", &mine),
        call(beckon, Method::POST, "/question", &other),
    );
    for (status, refused) in <[(u16, Value); 5]>::from(refused) {
        assert_eq!(status, 507, "{refused}");
        assert_eq!(refused["code"], "not saved", "{refused}");
    }
    let (status, refused) = call(beckon, Method::DELETE, "/question/other", &Value::Null).await;
    assert_eq!(status, 507, "{refused}");
    let open = beckon.list().await;
    assert_eq!(open.len(), 1, "nobody could fetch the unnamed one's answer");
    assert_eq!(open[0]["id"], "mine");

    drop(holder);
    all_saved(beckon).await;
    let (status, made) = call(beckon, Method::POST, "/question", &mine).await;
    assert_eq!(status, 201, "{made}");
    let (status, ended) = call(beckon, Method::GET, &path, &Value::Null).await;
    assert_eq!(status, 200, "{ended}");
    assert_eq!(ended["answers"], json!([["Yes"]]), "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asker_that_waits_is_handed_its_answer_also_where_the_disk_goes_on_refusing() {
    let stage = Rehearsal::start().await;
    let beckon = &stage.beckon;
    let body = json!({ "id": "waits", "questions": [yes_or_no("", "Go on?")["questions"][0]] });
    let asked = call(beckon, Method::POST, "/question?wait=30", &body);
    let answered = async {
        eventually("it is open", SOON, async || {
            is_open(beckon, "waits").await.then_some(())
        })
        .await;
        let holder = Holder::of(beckon);
        let began = Instant::now();
        let said = beckon.command(&["answer", "waits", "--choice", "1"]).await;
        (holder, said, began.elapsed())
    };
    let ((status, ended), (_holder, said, took)) = tokio::join!(asked, answered);
    assert_eq!(status, 200, "{ended}");
    assert_eq!(ended["answers"], json!([["Yes"]]), "{ended}");
    assert!(said.stderr.contains("isn't saved yet"), "{said:?}");
    // The asker is handed it after three seconds, and the answer was told three more later.
    assert!(took < Duration::from_millis(5_900), "{took:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_while_the_database_is_still_held_waits_for_it_and_saves() {
    let stage = Rehearsal::start().await;
    let id = ticket(&stage.beckon, "Go on?").await;
    let holder = Holder::of(&stage.beckon);
    stage
        .beckon
        .command(&["answer", &id, "--choice", "1"])
        .await;
    stage.beckon.sigterm();
    eventually("it saves for the last time", SOON, async || {
        stage.beckon.stderr().contains("ending:").then_some(())
    })
    .await;
    drop(holder);
    eventually("Beckon ends", SOON, async || {
        (!stage.beckon.is_running()).then_some(())
    })
    .await;

    stage.beckon.start();
    stage.ready().await;
    assert!(!is_open(&stage.beckon, &id).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_held_for_a_moment_is_waited_for_without_a_word() {
    let stage = Rehearsal::start().await;
    let holder = Holder::of(&stage.beckon);
    let said = tokio::spawn({
        let command = stage.beckon.prepare(&["presence", "away"]);
        async move {
            tokio::process::Command::from(command)
                .output()
                .await
                .unwrap()
        }
    });
    eventually("it is away, and not saved", SOON, async || {
        let status = stage.beckon.status().await;
        let is_away = status["presence"]["state"] == "away" || status["presence"]["away"] == true;
        (is_away && status["warnings"] != json!([])).then_some(())
    })
    .await;
    drop(holder);

    let said = said.await.unwrap();
    assert!(said.status.success(), "{said:?}");
    restart_cleanly(&stage).await;
    assert_eq!(stage.beckon.status().await["presence"]["away"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_held_requests_are_shown_and_answered_at_once() {
    let stage = Rehearsal::start().await;
    let holder = Holder::of(&stage.beckon);
    let began = Instant::now();
    for number in 1..=20 {
        stage.open(&format!("que_{number}"), &format!("Question {number}?"));
    }
    eventually("all are listed", SOON, async || {
        (stage.beckon.list().await.len() == 20).then_some(())
    })
    .await;
    // Asks beyond the fifth share a notification.
    for number in 1..=5 {
        stage.shown(&format!("Question {number}?")).await;
    }
    let took = began.elapsed();
    // Each commit used to block the loop for two seconds.
    assert!(took < Duration::from_secs(5), "{took:?}");

    stage.press("Question 5?", "Yes").await;
    let replies = stage.replies("que_5", 1).await;
    assert_eq!(replies[0].body, json!({ "answers": [["Yes"]] }));
    drop(holder);
    all_saved(&stage.beckon).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_was_unpaired_while_the_database_was_held_stays_unpaired() {
    let outing = Outing::start().await;
    let beckon = &outing.stage.beckon;
    let people = || async {
        let (_, telegram) = call(beckon, Method::GET, "/telegram", &Value::Null).await;
        telegram["people"].as_array().unwrap().clone()
    };
    let person = people().await[0]["id"].to_string();
    let holder = Holder::of(beckon);

    let unpaired = beckon.command(&["telegram", "unpair", &person]).await;
    assert_eq!(unpaired.status, Some(1), "{unpaired:?}");
    assert!(unpaired.stderr.contains("isn't saved yet"), "{unpaired:?}");
    assert_eq!(people().await, Vec::<Value>::new());

    drop(holder);
    all_saved(beckon).await;
    restart_cleanly(&outing.stage).await;
    assert_eq!(people().await, Vec::<Value>::new());
}
