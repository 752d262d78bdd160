//! <https://github.com/maximhq/bifrost/issues/6240>: a comment stood right before a `data` line, in
//! the same block. The client looked only at how the block begins, and lost the event without a
//! message.

use crate::common::{DIRECTORY, Rehearsal, yes_or_no};
use beckon_support::replay::Kind;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_event_behind_a_comment_in_its_own_block_counts() {
    let stage = Rehearsal::start().await;
    let request = yes_or_no("que_1", "In one block with a comment?");
    stage
        .replay
        .open(Kind::Question, DIRECTORY, request.clone());
    let event = json!({ "directory": DIRECTORY,
        "payload": { "type": "question.asked", "properties": request } });
    let block = format!(": heartbeat\nretry: 1000\ndata: {event}\n: heartbeat\n\n");
    stage.replay.send(block.as_bytes()).await;
    stage.press("In one block with a comment?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}
