//! <https://github.com/open-metadata/OpenMetadata/issues/29531>: lines ended at U+0085 and U+2028
//! as well, which end none in a stream of events. What stood behind them in a text was lost, and
//! the rest was no JSON.

use crate::common::{DIRECTORY, Rehearsal, yes_or_no};
use beckon_support::replay::Kind;

#[tokio::test(flavor = "multi_thread")]
async fn a_line_separator_within_a_text_ends_no_line() {
    let stage = Rehearsal::start().await;
    let text = "✅ One\u{85}two\u{2028}three\u{2029}four\u{b}five\u{c}six\u{1c}seven?";
    let request = yes_or_no("que_1", text);
    stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    stage.press("seven?", "Yes").await;
    stage.answered_once("que_1", "Yes").await;
    let streams = stage.replay.count("/global/event");
    assert_eq!(streams, 1, "the stream was never given up");
}
