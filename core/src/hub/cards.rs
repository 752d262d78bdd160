//! The records, on the hub, of which messages of a bot are which asks' cards. The holder of the
//! bot's lease writes them, so that the next holder edits those messages instead of sending others.
//!
//! Each record carries the token of the lease under which it was written. A record of an older
//! lease may arrive after the new holder has sent its own message for the same ask. The older
//! message is then a stray, and is removed.
//!
//! Not here: the messages themselves (a handle is the channel's own, and opaque here).

use super::{AskSubject, RECORD_VERSION};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The record of an ask's card, as the lease's holder last wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The token of the lease under which the card was sent; 0 for a card sent without a lease.
    pub token: u64,
    /// The card's state.
    pub place: CardPlace,
}

/// The state of a card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardPlace {
    /// A card that can be edited; the text is the channel's handle.
    Stands(String),
    /// A card that the human has deleted, and that is not sent again.
    Deleted,
    /// A card whose ask is over and that shows its outcome.
    Ended,
    /// A card (the channel's handle) whose ask is over, but which the machine that sent it may not
    /// edit any more. Other machines may never have heard of the ask: it came and went while the
    /// hub was away.
    Leftover(String),
}

/// The subject of the record of a card.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardSubject {
    /// The bot whose message it is.
    pub bot: i64,
    /// The ask.
    pub ask: AskSubject,
}

impl CardSubject {
    /// Returns the subject as the hub writes it.
    pub fn subject(&self) -> String {
        format!("bk.card.{}.{}.{}", self.bot, self.ask.node, self.ask.serial)
    }

    /// Parses a subject; `None` for any that is not written like ours.
    pub fn parse(subject: &str) -> Option<Self> {
        let (bot, ask) = subject.strip_prefix("bk.card.")?.split_once('.')?;
        let (node, serial) = ask.split_once('.')?;
        let ask = AskSubject {
            node: node.to_owned(),
            serial: serial.parse().ok()?,
        };
        let ask = AskSubject::parse(&ask.subject())?;
        let parsed = Self {
            bot: bot.parse().ok()?,
            ask,
        };
        (parsed.subject() == subject).then_some(parsed)
    }

    /// Returns the subject of all cards of a bot.
    pub fn every(bot: i64) -> String {
        format!("bk.card.{bot}.>")
    }
}

/// The cards of the bot, as the records on the hub have them.
#[derive(Clone, Debug, Default)]
pub struct SharedCards(BTreeMap<AskSubject, CardRecord>);

/// What the holder has to do because of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardMove {
    /// Take over the card's new place.
    Mirror(CardPlace),
    /// Remove these messages, which are a second card of the same ask.
    Stray(String),
    /// Close these messages: they are still open although their ask is over.
    Leftover(String),
}

impl SharedCards {
    /// Replaces all records by those of a new list.
    pub fn replace(&mut self, all: BTreeMap<AskSubject, CardRecord>) {
        self.0 = all;
    }

    /// Forgets the records of ended cards whose asks are not known here any more.
    pub fn forget_ended(&mut self, is_known: impl Fn(&AskSubject) -> bool) {
        self.0
            .retain(|ask, record| record.place != CardPlace::Ended || is_known(ask));
    }

    /// Returns the record of an ask's card.
    pub fn get(&self, ask: &AskSubject) -> Option<&CardRecord> {
        self.0.get(ask)
    }

    /// Returns all records.
    pub fn all(&self) -> impl Iterator<Item = (&AskSubject, &CardRecord)> {
        self.0.iter()
    }

    /// Takes in a record; `own` is the token of the lease that is held here, if one is.
    pub fn take(
        &mut self,
        ask: AskSubject,
        record: CardRecord,
        own: Option<u64>,
    ) -> Option<CardMove> {
        let known = self.0.get(&ask);
        match (known, &record.place) {
            (Some(known), _) if *known == record => None,
            // A leftover message is still open, whatever the other records say.
            (_, CardPlace::Leftover(handle)) => {
                let handle = handle.clone();
                self.0.insert(ask, record);
                own.map(|_| CardMove::Leftover(handle))
            }
            (Some(known), _) if known.token > record.token => match record.place {
                CardPlace::Stands(handle) if own == Some(known.token) => {
                    Some(CardMove::Stray(handle))
                }
                _ => None,
            },
            _ => {
                let place = record.place.clone();
                self.0.insert(ask, record);
                Some(CardMove::Mirror(place))
            }
        }
    }

    /// Takes in a record that this machine publishes again, unless a holder of a younger lease has
    /// written one meanwhile.
    pub fn tell_anew(&mut self, ask: &AskSubject, record: &CardRecord) {
        let is_younger = |there: &CardRecord| there.token > record.token;
        if !self.0.get(ask).is_some_and(is_younger) {
            self.0.insert(ask.clone(), record.clone());
        }
    }

    /// Returns the messages of an ask that were sent under an older lease than `token`. A machine
    /// that sent its own card before it heard of them has two cards of the ask there.
    pub fn messages_before(&self, ask: &AskSubject, token: u64) -> Option<&str> {
        let known = self.0.get(ask)?;
        match &known.place {
            CardPlace::Stands(handle) if known.token < token => Some(handle),
            CardPlace::Stands(_)
            | CardPlace::Deleted
            | CardPlace::Ended
            | CardPlace::Leftover(_) => None,
        }
    }

    /// Notes a card's new place under the lease of that token. Returns the record to be published;
    /// `None` if the same is known already.
    pub fn note(&mut self, ask: &AskSubject, token: u64, place: CardPlace) -> Option<CardRecord> {
        let is_known = |known: &CardRecord| known.place == place && known.token >= token;
        if self.0.get(ask).is_some_and(is_known) {
            return None;
        }
        let record = CardRecord {
            v: RECORD_VERSION,
            token,
            place,
        };
        self.0.insert(ask.clone(), record.clone());
        Some(record)
    }
}

/// The records that were published from here and have not come back from the hub. The hub may have
/// been away, or the connection may have ended, so they are published again over the next one.
#[derive(Clone, Debug, Default)]
pub struct UntoldCards(BTreeMap<AskSubject, CardRecord>);

impl UntoldCards {
    /// Keeps a record that is being published. Of each ask only the last one is kept.
    pub fn tell(&mut self, ask: AskSubject, record: CardRecord) {
        self.0.insert(ask, record);
    }

    /// Forgets a record that the hub has echoed.
    pub fn hear(&mut self, ask: &AskSubject, record: &CardRecord) {
        if self.0.get(ask) == Some(record) {
            self.0.remove(ask);
        }
    }

    /// Returns the records that the hub's list `there` lacks. Where a holder of a younger lease has
    /// written, only a record of a message still counts, since that holder may not know of the
    /// message.
    pub fn after_list(&mut self, there: &SharedCards) -> Vec<(AskSubject, CardRecord)> {
        self.0.retain(|ask, record| {
            let is_message = matches!(record.place, CardPlace::Stands(_) | CardPlace::Leftover(_));
            let there = there.get(ask);
            there.is_none_or(|there| there != record && (is_message || there.token <= record.token))
        });
        let untold = self.0.iter();
        untold
            .map(|(ask, record)| (ask.clone(), record.clone()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_read_as_it_was_written_and_no_other_way() {
        let ask = AskSubject {
            node: "Ab3dE6gH1J".into(),
            serial: 12,
        };
        let card = CardSubject {
            bot: 7_000_000_001,
            ask,
        };
        assert_eq!(card.subject(), "bk.card.7000000001.Ab3dE6gH1J.12");
        assert_eq!(CardSubject::parse(&card.subject()), Some(card));
        for strange in [
            "bk.card.7.Ab3d",
            "bk.card.07.Ab3d.1",
            "bk.card.x.Ab3d.1",
            "bk.card.7.A.b.1",
        ] {
            assert_eq!(CardSubject::parse(strange), None, "{strange}");
        }
    }
}
