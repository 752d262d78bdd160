//! <https://github.com/hubot-archive/hubot-pager-me/pull/45>,
//! <https://github.com/operable/cog/issues/275> and
//! <https://github.com/tdlib/telegram-bot-api/issues/718>: keyboards make typographic signs of what
//! is typed, and apps send emoji with or without U+FE0F. Words that a person took from the screen
//! were then other words.

use crate::common::phone::Outing;
use crate::common::{DIRECTORY, SESSION};
use beckon_support::replay::Kind;
use serde_json::json;

/// Asks with these labels, and takes no words of one's own: what is no label is refused.
async fn ask(outing: &Outing, id: &str, labels: [&str; 2]) -> i64 {
    let text = format!("Which, {id}?");
    let options = labels.map(|label| json!({ "label": label, "description": "" }));
    let question = json!({ "question": text, "header": "Header", "custom": false,
        "options": options });
    let request = json!({ "id": id, "sessionID": SESSION, "questions": [question] });
    let replay = &outing.stage.replay;
    replay.ask(Kind::Question, DIRECTORY, request).await;
    outing.phone.card(&text).await.id
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_is_meant_however_a_keyboard_writes_it() {
    let outing = Outing::start().await;
    let label = "✔️ Don't use \"10\u{a0}%\" --force...";
    let card = ask(&outing, "que_typed", [label, "Another"]).await;
    outing.phone.reply(card, "✔ don’t use “10 %” —force…");
    outing.stage.answered_once("que_typed", label).await;

    let card = ask(&outing, "que_same", ["a-b", "a--b"]).await;
    outing.phone.reply(card, "a--b");
    outing.stage.answered_once("que_same", "a--b").await;
}
