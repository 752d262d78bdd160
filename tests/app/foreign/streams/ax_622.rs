//! <https://github.com/ax-llm/ax/pull/622>, and eventsource-parser's issue 17: a CR at the end of
//! one chunk and its LF at the beginning of the next were taken for two line ends. An event of
//! several `data` lines fell into two that nobody could read, and was lost without a message.

use crate::common::{DIRECTORY, Rehearsal, yes_or_no};
use serde_json::{Value, json};

/// Returns an event with one `data` line for each line of its JSON, as servers behind Python's
/// sse-starlette write it.
fn event_of_many_lines(request: &Value) -> Vec<u8> {
    let event = json!({ "directory": DIRECTORY,
        "payload": { "type": "question.asked", "properties": request } });
    let pretty = serde_json::to_string_pretty(&event).unwrap();
    let lines = pretty.lines().map(|line| format!("data: {line}\r\n"));
    (lines.collect::<String>() + "\r\n").into_bytes()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_end_that_is_cut_in_two_ends_one_line() {
    let stage = Rehearsal::start().await;
    let request = yes_or_no("que_1", "Cut between CR and LF?");
    stage.open("que_1", "Cut between CR and LF?");
    let event = event_of_many_lines(&request);
    for piece in event.split_inclusive(|&byte| byte == b'\r') {
        stage.replay.send(piece).await;
    }
    stage.press("Cut between CR and LF?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    let streams = stage.replay.count("/global/event");
    assert_eq!(streams, 1, "the stream was never given up");
}
