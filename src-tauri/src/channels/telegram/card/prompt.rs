//! The message that asks for the human's own words.

use super::ReplyPrompt;
use super::face::CardContent;
use super::questions::wording;
use crate::channels::telegram::html::{Html, cut, line};
use crate::channels::telegram::pairing::pairings::UserId;
use beckon_core::AwaitedText;

impl ReplyPrompt {
    /// Mentions those in a group who have asked to write: the field opens for them alone
    /// (<https://core.telegram.org/bots/api#forcereply>, `selective`).
    pub(in crate::channels::telegram) fn to<'a>(
        self,
        people: impl IntoIterator<Item = (UserId, &'a str)>,
    ) -> Self {
        // <https://core.telegram.org/bots/api#html-style>: an inline mention.
        let mention = |(id, name): (UserId, &str)| {
            let name = cut(&line(name), NAME);
            Html::link(&name, &format!("tg://user?id={}", id.0)).into_text()
        };
        let mentions: Vec<String> = people.into_iter().map(mention).collect();
        if mentions.is_empty() {
            return self;
        }
        Self {
            html: format!("{}: {}", mentions.join(", "), self.html),
            selective: true,
            ..self
        }
    }
}

/// The length of a placeholder, Telegram's limit (<https://core.telegram.org/bots/api#forcereply>).
const PLACEHOLDER: usize = 64;
const QUESTION: usize = 300;
const NAME: usize = 64;

pub(super) fn prompt(face: &CardContent<'_>) -> Option<ReplyPrompt> {
    let asks = face.draft.awaits?;
    let (text, placeholder) = match asks {
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
        selective: false,
        asks,
    })
}
