//! The asks that ended lately, with the messages that they were in: a late tap or word is told what
//! was answered, where and when.
//!
//! Not here: whether it is too late. The desk remembers that for days, also over a restart.

use crate::channels::telegram::outbox::PostedCard;
use crate::channels::telegram::pairing::pairings::ChatId;
use beckon_core::{AskId, Entry};
use std::collections::VecDeque;

/// The number of ended cards that are remembered; for older ones the desk knows only how they
/// ended.
const MOST: usize = 100;

/// The asks that ended, the latest last.
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct EndedCards(VecDeque<EndedCard>);

/// An ask that ended.
#[derive(Debug)]
pub(in crate::channels::telegram) struct EndedCard {
    pub(in crate::channels::telegram) entry: Box<Entry>,
    pub(in crate::channels::telegram) posted: Vec<PostedCard>,
    /// The name of the person who answered it, if that was on Telegram.
    pub(in crate::channels::telegram) by: Option<String>,
}

impl EndedCards {
    /// Adds an ask that has ended.
    pub(in crate::channels::telegram) fn add(&mut self, card: EndedCard) {
        self.0
            .retain(|known| known.entry.serial != card.entry.serial);
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(card);
    }

    /// Adds a message of an ended card that has arrived in a chat only now. Returns all messages of
    /// the card.
    pub(in crate::channels::telegram) fn arrived(
        &mut self,
        ask: &AskId,
        posted: PostedCard,
    ) -> Vec<PostedCard> {
        let Some(card) = self
            .0
            .iter_mut()
            .rev()
            .find(|card| card.entry.ask.id == *ask)
        else {
            return vec![posted];
        };
        card.posted.retain(|known| known.chat != posted.chat);
        card.posted.push(posted);
        card.posted.clone()
    }

    /// Forgets the messages, which are another bot's.
    pub(in crate::channels::telegram) fn forget_places(&mut self) {
        self.0.iter_mut().for_each(|card| card.posted.clear());
    }

    /// Returns the card of the ask with that serial.
    pub(in crate::channels::telegram) fn by_serial(&self, serial: u64) -> Option<&EndedCard> {
        self.0.iter().find(|card| card.entry.serial == serial)
    }

    /// Returns the ask that was in that message.
    pub(in crate::channels::telegram) fn at(&self, chat: ChatId, message: i32) -> Option<&Entry> {
        let here = |posted: &PostedCard| posted.chat == chat && posted.has(message);
        let found = self.0.iter().find(|card| card.posted.iter().any(here));
        found.map(|card| &*card.entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{Ask, AskContent, AskId, Session, Timestamp};

    fn entry(serial: u64) -> Box<Entry> {
        let id = AskId::new("local", format!("que_{serial}"));
        let kind = AskContent::Confirm("Go on?".into());
        let asked_at = Timestamp(0);
        let ask = Ask {
            id,
            kind,
            session: Session::default(),
            call: None,
            asked_at,
        };
        Box::new(Entry::new(ask, serial))
    }

    #[test]
    fn it_is_found_by_its_serial_and_by_each_of_its_messages() {
        let mut ended = EndedCards::default();
        let card = PostedCard {
            prompt: Some(6),
            document: Some(7),
            ..PostedCard::at(ChatId(1), 5)
        };
        ended.add(EndedCard {
            entry: entry(1),
            posted: vec![card],
            by: None,
        });
        let serial = |entry: Option<&Entry>| entry.map(|entry| entry.serial);
        assert_eq!(ended.by_serial(1).map(|card| card.entry.serial), Some(1));
        for message in [5, 6, 7] {
            assert_eq!(serial(ended.at(ChatId(1), message)), Some(1));
            assert_eq!(serial(ended.at(ChatId(2), message)), None);
        }
        assert_eq!(serial(ended.at(ChatId(1), 8)), None);
    }

    #[test]
    fn only_the_latest_are_remembered_and_each_once() {
        let mut ended = EndedCards::default();
        let card = |serial| EndedCard {
            entry: entry(serial),
            posted: Vec::new(),
            by: None,
        };
        (0..1_000).for_each(|serial| ended.add(card(serial)));
        ended.add(card(999));
        assert_eq!(ended.0.len(), MOST);
        assert!(ended.by_serial(900).is_some() && ended.by_serial(899).is_none());
    }
}
