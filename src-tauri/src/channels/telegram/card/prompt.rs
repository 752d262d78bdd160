//! The message that asks for the human's own words.

use super::Prompt;
use super::face::Face;
use super::html::{Html, cut, line};
use super::questions::wording;
use beckon_core::Awaits;

/// Telegram's limit (<https://core.telegram.org/bots/api#forcereply>).
const PLACEHOLDER: usize = 64;
const QUESTION: usize = 300;

pub(super) fn prompt(face: &Face<'_>) -> Option<Prompt> {
    let (text, placeholder) = match face.draft.awaits? {
        Awaits::Text { question } => {
            let question = face.entry.ask.questions().get(question)?;
            let name = cut(&line(&wording(question)), QUESTION);
            let text = face.with("telegram-prompt-text", &[("question", name.into())]);
            let header = line(&question.header);
            (text, if header.is_empty() { face.say("telegram-placeholder-text") } else { header })
        }
        Awaits::Reason => {
            (face.say("telegram-prompt-reason"), face.say("telegram-placeholder-reason"))
        }
    };
    let html = Html::plain(&text).into_text();
    Some(Prompt { html, placeholder: cut(&placeholder, PLACEHOLDER) })
}
