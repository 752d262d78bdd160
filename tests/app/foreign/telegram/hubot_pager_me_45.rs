//! <https://github.com/hubot-archive/hubot-pager-me/pull/45>,
//! <https://github.com/operable/cog/issues/275> and
//! <https://github.com/tdlib/telegram-bot-api/issues/718>: keyboards make typographic signs of what
//! is typed, and apps send emoji with or without U+FE0F. Words that a person took from the screen
//! were then other words.

use crate::common::phone::Outing;
use crate::common::{DIRECTORY, SESSION};
use beckon_support::replay::Kind;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_label_is_meant_however_a_keyboard_writes_it() {
    let outing = Outing::start().await;
    let typed = [
        ("Don't deploy", "Don’t deploy"),
        ("Use \"main\"", "use “main”"),
        ("Run with --force", "Run with —force"),
        ("Wait...", "Wait…"),
        ("✔️ Keep", "✔ Keep"),
        ("Only 10\u{a0}%", "only 10 %"),
    ];
    for (number, (label, words)) in typed.into_iter().enumerate() {
        let id = format!("que_{number}");
        let text = format!("Number {number}?");
        let options = json!([{ "label": label, "description": "" },
            { "label": "Another", "description": "" }]);
        // No words of one's own: what is no label is refused.
        let question = json!({ "question": text, "header": "Header", "custom": false,
            "options": options });
        let request = json!({ "id": id, "sessionID": SESSION, "questions": [question] });
        outing
            .stage
            .replay
            .ask(Kind::Question, DIRECTORY, request)
            .await;
        let card = outing.phone.card(&text).await;
        outing.phone.reply(card.id, words);
        outing.stage.answered_once(&id, label).await;
    }
}
