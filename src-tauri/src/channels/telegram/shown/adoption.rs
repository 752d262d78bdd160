//! The adoption of a card whose message was on its way when Beckon ended. It is in the chat, and
//! its message was not noted: Telegram takes no name that its sender chooses. A tap on it or a
//! reply to it shows which message it is, and from then on that is the card. Another message that
//! was sent in its place loses its buttons.

use super::TelegramChannel;
use crate::channels::telegram::outbox::{PostedCard, Priority};
use crate::channels::telegram::updates::update::{
    IncomingUpdate, MessageRelation, RepliedMessage, UpdateContent, UpdateSender,
};
use beckon_core::{AskId, AskState, ButtonTarget, Channel, ChannelView, Event};

impl TelegramChannel {
    /// Returns the messages that a card is in, if this update shows one that was not known: that is
    /// to be decided, and committed, together with the update itself.
    pub fn adopt(&mut self, heard: &IncomingUpdate, view: ChannelView<'_>) -> Option<Event> {
        let admits = |from: &UpdateSender| self.pairings.admits(from.id, heard.place.chat);
        if !heard.from.as_ref().is_some_and(admits) {
            return None;
        }
        let (message, target) = self.turned_to(&heard.what, view)?;
        let entry = view.entry_of(target)?;
        let (ask, is_open) = (&entry.ask.id, entry.state == AskState::Open);
        let place = PostedCard::at(heard.place.chat, message);
        let noted = entry
            .cards
            .get(&Channel::Telegram)
            .and_then(|card| card.handle.as_deref());
        let mut posted = match self.cards.get(ask) {
            Some(shown) => shown.posted.values().copied().collect(),
            None => self.read_handle(noted),
        };
        let former = posted.iter().position(|posted| posted.chat == place.chat);
        match former.map(|at| posted[at]) {
            Some(known) if known.has(message) => return None,
            // How an ask is answered is told in the message in which it was answered.
            Some(known) if !known.deleted && !is_open => return None,
            Some(known) => {
                self.take_down(&known);
                posted.retain(|posted| posted.chat != place.chat);
            }
            None => {}
        }
        posted.push(place);
        tracing::debug!(%ask, message, "a message that was not noted turns out to be the card");
        Some(self.stands_at(ask, place, &posted))
    }

    /// Returns the message that is tapped or replied to, and the target of its buttons.
    fn turned_to(
        &self,
        what: &UpdateContent,
        view: ChannelView<'_>,
    ) -> Option<(i32, ButtonTarget)> {
        let (message, data) = match what {
            // A message that is gone can be no card.
            UpdateContent::Tap {
                message: Some(message),
                accessible: true,
                data,
                ..
            } => (*message, data),
            UpdateContent::Text {
                relation:
                    MessageRelation::ToBot(RepliedMessage {
                        message,
                        button: Some(data),
                    }),
                ..
            } => (*message, data),
            _ => return None,
        };
        self.read_button(data, view)
            .map(|(target, _)| (message, target))
    }

    fn stands_at(&mut self, ask: &AskId, place: PostedCard, posted: &[PostedCard]) -> Event {
        if let Some(shown) = self.cards.get_mut(ask) {
            shown.posted.insert(place.chat, place);
            self.admit(ask, true, Priority::Now);
        }
        let asked = self.cards.get(ask).map(|shown| shown.asked.clone());
        let handle = self.write_asking(posted, &asked.unwrap_or_default());
        Event::Shown {
            channel: Channel::Telegram,
            ask: ask.clone(),
            handle,
        }
    }

    /// Takes over the messages of an ask's card that another machine has sent. A message that is on
    /// its way from here is a second one.
    pub fn stands_already(&mut self, ask: &AskId, handle: &str) {
        let posted = self.read_handle(Some(handle));
        let Some(shown) = self.cards.get_mut(ask) else {
            return;
        };
        for posted in posted {
            shown.posted.entry(posted.chat).or_insert(posted);
        }
        self.admit(ask, true, Priority::Now);
    }

    /// Notes that a card was sent, or has other messages beneath it. One that arrives in a chat
    /// where another message has been adopted meanwhile is the second, and loses its buttons.
    pub(in crate::channels::telegram) fn note_posted(&mut self, ask: &AskId, posted: PostedCard) {
        let Some(shown) = self.cards.get_mut(ask) else {
            return;
        };
        let known = shown
            .posted
            .get(&posted.chat)
            .filter(|known| !known.deleted);
        if known.is_some_and(|known| known.message != posted.message) {
            return self.take_down(&posted);
        }
        shown.posted.insert(posted.chat, posted);
        self.report_handle(ask);
    }
}
