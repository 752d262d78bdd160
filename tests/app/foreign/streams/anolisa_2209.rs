//! <https://github.com/agentic-os-org/ANOLISA/pull/2209>: a stream that begins with a byte order
//! mark lost its first event, since its first line did not begin with `data:`.

use crate::common::{DIRECTORY, Rehearsal, yes_or_no};
use beckon_support::replay::Kind;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_mark_before_an_event_takes_none_away() {
    let stage = Rehearsal::start().await;
    let request = yes_or_no("que_1", "Behind a mark?");
    stage
        .replay
        .open(Kind::Question, DIRECTORY, request.clone());
    let event = json!({ "directory": DIRECTORY,
        "payload": { "type": "question.asked", "properties": request } });
    // A proxy that joins two streams puts the mark into the middle.
    stage.replay.send(b"\xef\xbb\xbf\n\n").await;
    stage
        .replay
        .send(format!("data: {event}\n\n").as_bytes())
        .await;
    stage.press("Behind a mark?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}
