//! A card whose message was on its way when Beckon ended stands in the chat, and nobody noted where:
//! Telegram takes no name that its sender chooses. Whoever turns to it shows where it stands, and from
//! then on it is the card.
//!
//! Not here: a second message of a card whose place is known. That one only loses its buttons
//! (`updates/dispatch.rs`).

use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::outbox::{PostedCard, Priority};
use crate::channels::telegram::pairing::pairings::ChatId;
use crate::channels::telegram::worker::command::WorkerCommand;
use beckon_core::{AskId, ButtonTarget, Channel, ChannelView};

impl TelegramChannel {
    /// That message was tapped or replied to, and has buttons for that ask.
    pub(in crate::channels::telegram) fn adopt(
        &mut self,
        chat: ChatId,
        message: i32,
        target: ButtonTarget,
        view: ChannelView<'_>,
    ) {
        let Some(entry) = view.entry_of(target) else { return };
        let ask = &entry.ask.id;
        if let Some(shown) = self.cards.get_mut(ask) {
            if shown.posted.contains_key(&chat) {
                return;
            }
            shown.posted.insert(chat, PostedCard::at(chat, message));
            self.report_handle(ask);
            return self.admit(ask, true, Priority::Now);
        }
        let handle = entry.cards.get(&Channel::Telegram).and_then(|card| card.handle.as_deref());
        let mut posted = self.read_handle(handle);
        if posted.iter().all(|posted| posted.chat != chat) {
            posted.push(PostedCard::at(chat, message));
            self.report_shown(ask.clone(), self.write_handle(&posted));
        }
    }

    /// Its card stands in that message now. One that was adopted while this was on its way is a
    /// second one.
    pub(in crate::channels::telegram) fn note_posted(&mut self, ask: &AskId, posted: PostedCard) {
        let Some(shown) = self.cards.get_mut(ask) else { return };
        let former = shown.posted.insert(posted.chat, posted);
        let second = former.filter(|it| !it.deleted && it.message != posted.message);
        if let Some(PostedCard { chat, message, .. }) = second {
            self.command(WorkerCommand::Strip(chat, message));
        }
        self.report_handle(ask);
    }
}
