//! <https://github.com/z-galaxy/zbus/issues/128>: a text with a zero byte in it went onto D-Bus,
//! which has none. The bus hung up, and nothing was shown any more.

use crate::common::{DIRECTORY, Rehearsal, SESSION};
use beckon_support::replay::Kind;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_zero_byte_anywhere_takes_no_card_away() {
    let stage = Rehearsal::start().await;
    stage
        .replay
        .session("ses_0", "/home/me/pro\0ject", "A\0 session");
    let question = json!({ "question": "All\0 of it?", "header": "He\0ader", "options": [
        { "label": "Yes\0", "description": "d\0" }, { "label": "No", "description": "" }] });
    let request = json!({ "id": "que_0", "sessionID": "ses_0", "questions": [question],
        "tool": { "messageID": "msg\0", "callID": "call\0" } });
    stage
        .replay
        .ask(Kind::Question, "/home/me/pro\0ject", request)
        .await;
    let shown = stage.shown("of it?").await;
    assert!(shown.action("No").is_some(), "{shown:?}");

    let request = crate::common::yes_or_no("que_1", "And after it?");
    assert_eq!(request["sessionID"], SESSION);
    stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    stage.press("And after it?", "Yes").await;
    stage.press("of it?", "No").await;
    stage.replies("que_0", 1).await;
    stage.replies("que_1", 1).await;
}
