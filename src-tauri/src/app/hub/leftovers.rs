//! The leftover cards of a shared bot: those that the machine that sent them may not edit any more,
//! because its lease had run out or the hub was away. Their records are published again, and the
//! next holder closes the cards whose ask is over.
//!
//! An ask can come and go while the hub is away. Only the machine on which it was asked knows of
//! it, and that machine may not send. Without the card's record, the card would stay open until
//! that machine serves the bot again.
//!
//! Not here: which record counts (`beckon_core::hub`).

use super::*;
use beckon_core::hub::{AskSubject, CardPlace, CardRecord};

impl App {
    /// Publishes again the records that the hub does not have.
    pub(super) fn tell_untold(&mut self) {
        let Some(hub) = &mut self.hub else { return };
        let untold = hub.bot.untold.after_list(&hub.bot.cards);
        for (subject, record) in untold {
            let place = self.as_leftover(&subject, record.place);
            let record = CardRecord { place, ..record };
            let Some(hub) = &mut self.hub else { return };
            hub.bot.cards.tell_anew(&subject, &record);
            hub.tell_card(subject, record);
        }
    }

    /// Returns the place to publish for a card: a leftover, if it shows an own ask that is over.
    pub(super) fn as_leftover(&self, subject: &AskSubject, place: CardPlace) -> CardPlace {
        let is_own = *subject.node == *self.instance;
        let is_over = is_own && self.desk.entry_numbered(subject.serial).is_none();
        match place {
            CardPlace::Stands(handle) if is_over => CardPlace::Leftover(handle),
            place => place,
        }
    }

    /// Publishes the cards of own asks that are over, for the machine that serves the bot, which
    /// cannot know of these asks.
    pub(super) fn offer_leftovers(&mut self) {
        let Some(hub) = self.hub.as_ref() else { return };
        if !hub.bot.are_bearers_known || self.channels.telegram.serves() {
            return;
        }

        let over = self.desk.unended_cards(Channel::Telegram);
        let own = over.filter(|(entry, _)| entry.ask.is_shared());
        let own = own.map(|(entry, handle)| {
            let subject = AskSubject {
                node: self.instance.to_string(),
                serial: entry.serial,
            };
            (subject, handle.to_owned())
        });
        let is_untold = |(subject, handle): &(AskSubject, String)| {
            let there = hub.bot.cards.get(subject).map(|there| &there.place);
            match there {
                None => true,
                Some(CardPlace::Stands(there)) => there == handle,
                Some(CardPlace::Leftover(there)) => there != handle,
                Some(CardPlace::Deleted | CardPlace::Ended) => false,
            }
        };
        let untold: Vec<_> = own.filter(is_untold).collect();
        for (subject, handle) in untold {
            self.offer_card(subject, CardPlace::Leftover(handle));
        }
    }

    /// Closes all cards that other machines have left open, once this machine serves the bot.
    pub(super) fn close_leftovers(&mut self) {
        let Some(hub) = self.hub.as_ref() else { return };
        if !self.channels.telegram.serves() {
            return;
        }

        let left = hub.bot.cards.all().filter_map(|(subject, record)| {
            let CardPlace::Leftover(handle) = &record.place else {
                return None;
            };
            Some((subject.clone(), handle.clone()))
        });
        let left: Vec<_> = left.collect();
        for (subject, handle) in left {
            self.close_leftover(subject, &handle);
        }
    }

    /// Closes one leftover card. If the ask is still open here, its end arrives in a moment, and
    /// closes it.
    pub(super) fn close_leftover(&mut self, subject: AskSubject, handle: &str) {
        let ask = self.ask_of_subject(&subject);
        let entry = ask.as_ref().and_then(|ask| self.desk.entry(ask));
        let card = entry.and_then(|entry| entry.cards.get(&Channel::Telegram));
        let known = card.and_then(|card| card.handle.as_deref());
        self.channels.telegram.close_leftovers(handle, known);
        if let (Some(ask), true) = (&ask, known.is_some()) {
            return self.publish_card(ask);
        }

        let Some(hub) = &mut self.hub else { return };
        let token = hub.bot.token;
        if let Some(record) = hub.bot.cards.note(&subject, token, CardPlace::Ended) {
            hub.tell_card(subject, record);
        }
    }
}
