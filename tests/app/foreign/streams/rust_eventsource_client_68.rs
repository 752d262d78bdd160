//! <https://github.com/launchdarkly/rust-eventsource-client/issues/68>: a heartbeat that is one
//! line with a colon, without an empty line after it, was taken for a broken event, and the stream
//! was opened anew each time.

use crate::common::{DIRECTORY, Rehearsal, yes_or_no};
use beckon_support::replay::Kind;

#[tokio::test(flavor = "multi_thread")]
async fn a_bare_comment_is_a_sign_of_life_and_nothing_else() {
    let stage = Rehearsal::start().await;
    for heartbeat in [&b":\n"[..], b":\n:\n:\n", b": still here\r\n", b":\r"] {
        stage.replay.send(heartbeat).await;
    }
    let request = yes_or_no("que_1", "Behind the heartbeats?");
    stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    stage.press("Behind the heartbeats?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    let streams = stage.replay.count("/global/event");
    assert_eq!(streams, 1, "the stream was never given up");
}
