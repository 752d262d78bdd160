//! <https://github.com/clue/reactphp-eventsource/pull/2> and
//! <https://github.com/praxis-proxy/ai/pull/272>: the kind of content was compared letter by
//! letter, although it may be written in capitals and with parameters (RFC 9110, 8.3.1). A stream
//! was then none.

use crate::common::Rehearsal;
use beckon_support::replay::Streaming;

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_is_one_however_its_kind_is_written() {
    let stage = Rehearsal::without_beckon();
    let kind = "Text/Event-Stream;charset=UTF-8";
    stage.replay.streaming(Streaming::Named(kind));
    stage.beckon.start();
    stage.ready().await;
    stage.ask("que_1", "In capitals?").await;
    stage.press("In capitals?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
}
