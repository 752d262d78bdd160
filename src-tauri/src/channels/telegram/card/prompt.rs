//! The message that asks for the human's own words.

use super::ReplyPrompt;
use super::face::CardContent;
use super::questions::wording;
use crate::channels::telegram::html::{Html, cut, line};
use beckon_core::AwaitedText;

/// Telegram's limit (<https://core.telegram.org/bots/api#forcereply>).
const PLACEHOLDER: usize = 64;
const QUESTION: usize = 300;

pub(super) fn prompt(face: &CardContent<'_>) -> Option<ReplyPrompt> {
    let (text, placeholder) = match face.draft.awaits? {
        AwaitedText::Text { question } => {
            let question = face.entry.ask.questions().get(question)?;
            let name = cut(&line(&wording(question)), QUESTION);
            let text = face.with("telegram-prompt-text", &[("question", name.into())]);
            let header = line(&question.header);
            (
                text,
                if header.is_empty() {
                    face.say("telegram-placeholder-text")
                } else {
                    header
                },
            )
        }
        AwaitedText::Reason => (
            face.say("telegram-prompt-reason"),
            face.say("telegram-placeholder-reason"),
        ),
    };
    let html = Html::plain(&text).into_text();
    Some(ReplyPrompt {
        html,
        placeholder: cut(&placeholder, PLACEHOLDER),
    })
}
