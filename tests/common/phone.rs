//! A phone: a paired person with Telegram, against the strict fake of its server.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use super::SOON;
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::eventually;
use beckon_support::telegram::{ChatId, Message, TOKEN, Telegram, UserId};
use std::time::Duration;

pub struct Phone {
    pub telegram: Telegram,
    pub user: UserId,
    pub chat: ChatId,
}

impl Phone {
    /// A server and a person who has never spoken with the bot.
    pub fn new() -> Self {
        let telegram = Telegram::start();
        let user = telegram.user("Ada");
        Self { telegram, user, chat: user.into() }
    }

    /// The settings that lead there.
    pub fn config(&self) -> String {
        format!("[telegram]\napi_url = \"{}\"\n", self.telegram.url())
    }

    /// A program that has the token.
    pub fn knows_token(program: Builder) -> Builder {
        program.env("BECKON_TELEGRAM_TOKEN", TOKEN)
    }

    /// Opens the link that `beckon telegram pair` prints.
    pub async fn pair(&self, beckon: &Beckon) {
        let code = pairing_code(beckon).await;
        self.telegram.start_link(self.user, &code);
        self.says("Paired with").await;
    }

    /// A card that waits for an answer.
    pub async fn card(&self, text: &str) -> Message {
        let wanted =
            |message: &Message| message.text.contains(text) && !message.keyboard().is_empty();
        self.telegram.wait_for(self.chat, wanted, SOON).await
    }

    pub async fn says(&self, text: &str) -> Message {
        self.telegram.wait_for(self.chat, |message| message.text.contains(text), SOON).await
    }

    /// Taps a button that the message has now or will have in a moment.
    pub async fn tap(&self, message: i64, label: &str) {
        eventually(&format!("a button {label}"), SOON, async || {
            let message = self.telegram.message(self.chat, message)?;
            message.button(label).map(drop)
        })
        .await;
        self.telegram.tap(self.user, self.chat, message, label);
    }

    /// The message shows this now.
    pub async fn shows(&self, message: i64, text: &str) -> Message {
        eventually(&format!("the card shows {text}"), SOON, async || {
            self.telegram.message(self.chat, message).filter(|message| message.text.contains(text))
        })
        .await
    }

    /// The card has its last line and no buttons.
    pub async fn ended(&self, message: i64, text: &str) -> Message {
        eventually(&format!("the card ends with {text}"), SOON, async || {
            let message = self.telegram.message(self.chat, message)?;
            let last = message.text.lines().last().unwrap_or_default();
            (last.contains(text) && message.keyboard().is_empty()).then_some(message)
        })
        .await
    }

    /// The message that asks for words.
    pub async fn prompt(&self) -> Message {
        self.telegram.wait_for(self.chat, Message::forces_reply, SOON).await
    }

    pub fn reply(&self, message: i64, text: &str) {
        self.telegram.reply(self.user, self.chat, message, text);
    }

    /// Cards that wait for an answer.
    pub fn open_cards(&self) -> Vec<Message> {
        let mut messages = self.telegram.messages(self.chat);
        messages.retain(|message| !message.keyboard().is_empty());
        messages
    }

    /// Nothing waits, every tap was answered, and Beckon kept to the rules.
    pub async fn nothing_left(&self) {
        eventually("no open card", SOON, async || self.open_cards().is_empty().then_some(())).await;
        eventually("every tap is answered", Duration::from_secs(5), async || {
            self.telegram.unanswered_taps().is_empty().then_some(())
        })
        .await;
        assert_eq!(self.telegram.complaints(), Vec::<String>::new());
    }
}

/// The code of a new pairing, once the bot is known.
pub async fn pairing_code(beckon: &Beckon) -> String {
    eventually("a pairing code", SOON, async || {
        let paired = beckon.command(&["telegram", "pair", "--json"]).await;
        if paired.status != Some(0) {
            return None;
        }
        paired.json()["code"].as_str().map(str::to_owned)
    })
    .await
}
