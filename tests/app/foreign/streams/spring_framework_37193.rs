//! <https://github.com/spring-projects/spring-framework/pull/37193> and
//! <https://github.com/rexxars/eventsource-parser/issues/26>: `retry: none` ended a stream that was
//! in order. What is no number there is passed over (HTML, 9.2.6), and so is an id with a zero
//! byte.

use crate::common::{DIRECTORY, Rehearsal, yes_or_no};
use beckon_support::replay::Kind;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_says_nothing_of_use_ends_no_stream() {
    let stage = Rehearsal::start().await;
    for field in [
        "retry:none",
        "retry:",
        "retry",
        "retry: -1",
        "retry: 99999999999999999999999999",
        "id: a\0b",
        "event: \u{2028}\u{1F600}",
        "of-tomorrow: 1",
    ] {
        stage.replay.send(format!("{field}\n\n").as_bytes()).await;
    }
    let request = yes_or_no("que_1", "After all that?");
    let event = json!({ "directory": DIRECTORY,
        "payload": { "type": "question.asked", "properties": request } });
    stage.replay.open(Kind::Question, DIRECTORY, request);
    let block = format!("retry: none\nid: 1\0\ndata: {event}\nretry: 1e3\n\n");
    stage.replay.send(block.as_bytes()).await;
    stage.press("After all that?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    let streams = stage.replay.count("/global/event");
    assert_eq!(streams, 1, "the stream was never given up");
}
