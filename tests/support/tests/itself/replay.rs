//! Tests of the imitation of OpenCode: its stream, its faults and its record.

use beckon_support::eventually;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use beckon_support::replay::{Fault, Kind, OnReply, Replay, Streaming, frame, question};
use serde_json::{Value, json};

const SOON: Duration = Duration::from_secs(5);

async fn read_until(stream: &mut reqwest::Response, end: &str) -> String {
    let mut text = String::new();
    while !text.contains(end) {
        let chunk = tokio::time::timeout(SOON, stream.chunk())
            .await
            .unwrap()
            .unwrap();
        text.push_str(&String::from_utf8_lossy(
            &chunk.expect("the stream goes on"),
        ));
    }
    text
}

#[tokio::test]
async fn an_asked_question_is_streamed_listed_answered_and_confirmed() {
    let replay = Replay::start();
    replay.session("ses_1", "/p", "Title");
    let mut stream = reqwest::get(format!("{}/global/event", replay.url()))
        .await
        .unwrap();
    read_until(&mut stream, "server.connected").await;
    // Events that are sent before the subscription are not on the stream, as with the real server.
    replay.event("/p", "session.idle", json!({})).await;
    replay.wait_streams(1, SOON).await;
    replay
        .ask(
            Kind::Question,
            "/p",
            question("que_1", "ses_1", "Q?", &["A"]),
        )
        .await;
    assert!(
        !read_until(&mut stream, "question.asked")
            .await
            .contains("session.idle")
    );
    let get = async |path: &str| -> Value {
        reqwest::get(format!("{}{path}", replay.url()))
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    };
    assert_eq!(get("/question?directory=/p").await[0]["id"], "que_1");
    assert_eq!(get("/question?directory=/q").await, json!([]));
    assert_eq!(
        get("/session/status?directory=/p").await["ses_1"]["type"],
        "busy"
    );

    let url = format!("{}/question/que_1/reply?directory=/p", replay.url());
    let post = async || {
        let request = reqwest::Client::new()
            .post(&url)
            .json(&json!({ "answers": [["A"]] }));
        request.send().await.unwrap().status().as_u16()
    };
    assert_eq!(post().await, 200);
    read_until(&mut stream, "question.replied").await;
    assert_eq!(post().await, 404);
    replay.on_reply(OnReply::Status(500));
    assert_eq!(post().await, 500);
    assert_eq!(
        replay.wait_replies(3, SOON).await[0].body["answers"],
        json!([["A"]])
    );
}

#[tokio::test]
async fn streams_are_recut_flooded_ended_cut_and_refused() {
    let mut replay = Replay::start();
    let url = format!("{}/global/event", replay.url());
    let mut stream = reqwest::get(&url).await.unwrap();
    replay.wait_streams(1, SOON).await;
    let recording = [frame(None, "a", json!({})), frame(None, "b", json!({}))].concat();
    replay.send_in_pieces(&recording, &[1, 7, 3]).await;
    read_until(&mut stream, "\"b\"").await;
    let bytes = Arc::new(AtomicU64::new(0));
    let read = bytes.clone();
    let reading = tokio::spawn(async move {
        loop {
            match stream.chunk().await {
                Ok(Some(chunk)) => read.fetch_add(chunk.len() as u64, Ordering::SeqCst),
                end => return end.is_err(),
            };
        }
    });
    let flooded = replay
        .flood(&recording, Some(2000), Duration::from_millis(300))
        .await;
    assert!((500..=620).contains(&flooded.frames), "{flooded:?}");
    // A cut throws away what is still on its way.
    eventually("the whole flood", SOON, async || {
        (bytes.load(Ordering::SeqCst) >= flooded.bytes).then_some(())
    })
    .await;
    replay.cut().await;
    assert!(reading.await.unwrap(), "a cut is an error to the reader");

    let mut stream = reqwest::get(&url).await.unwrap();
    replay.wait_streams(1, SOON).await;
    replay.end();
    read_until(&mut stream, "server.connected").await;
    assert!(stream.chunk().await.unwrap().is_none());

    replay.streaming(Streaming::Status(503));
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 503);
    replay.fault("/project", Some(Fault::Hang));
    let hanging = reqwest::get(format!("{}/project", replay.url()));
    assert!(
        tokio::time::timeout(Duration::from_millis(50), hanging)
            .await
            .is_err()
    );
    replay.down();
    assert!(reqwest::get(&url).await.is_err());
    replay.up();
    assert_eq!(reqwest::get(&url).await.unwrap().status(), 503);
}
