//! The test card: it has one button, and tells who taps it. It is no ask, so the desk and the
//! history know nothing of it. The data of its button is enough to answer a tap after a restart as
//! well.

use super::TelegramChannel;
use super::button;
use super::card::{CardButton, CardMessage};
use super::outbox::OutgoingNote;
use super::words;
use crate::channels::telegram::updates::update::IncomingUpdate;
use crate::channels::telegram::worker::command::WorkerCommand;
use beckon_core::Timestamp;
use tokio::sync::oneshot;

/// A test card that is on its way.
#[derive(Debug)]
pub struct TestCard {
    /// The number of chats that it goes to.
    pub chats: usize,
    /// The name of the person who taps it first. Ends without a name when the card goes nowhere.
    pub back: oneshot::Receiver<String>,
}

impl TelegramChannel {
    /// Sends a card with one button to every paired chat, also to those in which the bot could not
    /// write: a human is there and looks.
    pub fn test(&mut self) -> TestCard {
        for chat in self.blocked.clone() {
            self.unblock(chat);
        }
        let scene = self.card_context();
        let (sent, html) = (scene.now, words::test_card(&scene));
        let data = button::test(&self.seal, sent);
        let keyboard = vec![vec![CardButton::tell(words::test_button(&scene), data)]];
        self.send_everywhere(&OutgoingNote {
            html,
            keyboard,
            ..OutgoingNote::default()
        });
        let (tapped, back) = oneshot::channel();
        let chats = if self.serves() { self.chats().len() } else { 0 };
        self.tests.retain(|(_, tapped)| !tapped.is_closed());
        if chats > 0 {
            self.tests.push((sent, tapped));
        }
        TestCard { chats, back }
    }

    /// Says on the card that it was tapped, and tells the callers that wait for it by whom.
    pub(super) fn on_test_tap(
        &mut self,
        heard: &IncomingUpdate,
        query: &str,
        message: Option<i32>,
        sent: Timestamp,
    ) {
        tracing::info!("a test card came back");
        self.command(WorkerCommand::Answer {
            query: query.to_owned(),
            text: String::new(),
        });
        if let Some(message) = message {
            let html = words::test_back(&self.card_context());
            let card = CardMessage {
                html,
                keyboard: Vec::new(),
                document: None,
                prompt: None,
            };
            self.command(WorkerCommand::Redraw(
                heard.place.chat,
                message,
                Box::new(card),
            ));
        }
        let name = heard
            .from
            .as_ref()
            .map(|from| from.name.clone())
            .unwrap_or_default();
        for (_, tapped) in self.tests.extract_if(.., |(at, _)| *at == sent) {
            let _ = tapped.send(name.clone());
        }
    }
}
