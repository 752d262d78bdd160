//! What the committed rows hold, and what the store reads back of them.

use super::disk::Commit;
use beckon_core::{Answer, Surface};
use beckon_core::{
    AskId, AskState, Card, Channel, Entry, PresenceOverride, RowChange, SavedState, SettledAsk,
    Timestamp,
};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub asks: BTreeMap<AskId, Row>,
    serials: BTreeMap<u64, AskId>,
    /// Numbers up to this one may have been used.
    pub reserved: u64,
    /// The offset of the next update of Telegram.
    pub read: i64,
    /// The handle, and whether the human closed it.
    pub cards: BTreeMap<(AskId, Channel), (Option<String>, bool)>,
    pub said: PresenceOverride,
    pub said_until: Option<Timestamp>,
    pub paused_until: Option<Timestamp>,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub entry: Entry,
    given: Option<(Answer, Surface)>,
    inquired: bool,
}

impl Rows {
    pub fn take(&mut self, commit: &Commit) {
        self.reserved = commit.reserve().unwrap_or(self.reserved);
        self.read = commit.read.unwrap_or(self.read);
        for row in &commit.save {
            match row.clone() {
                RowChange::Ask(entry) => self.put(&entry),
                RowChange::Card { ask, channel, handle, closed } => {
                    self.cards.insert((ask, channel), (handle, closed));
                }
                RowChange::NoCard { ask, channel } => {
                    self.cards.remove(&(ask, channel));
                }
                RowChange::Gone { ask, given, inquired } => {
                    let row = self.asks.get_mut(&ask).expect("it follows the row of its ask");
                    (row.given, row.inquired) = (given, inquired);
                }
                RowChange::Standing { said, said_until, paused_until } => {
                    self.said = said;
                    (self.said_until, self.paused_until) = (said_until, paused_until);
                }
            }
        }
    }

    /// One row for each number, one number for each ask.
    fn put(&mut self, entry: &Entry) {
        let id = &entry.ask.id;
        let row = Row { entry: kept(entry), given: None, inquired: false };
        if let Some(before) = self.asks.insert(id.clone(), row) {
            self.serials.remove(&before.entry.serial);
        }
        let other = self.serials.insert(entry.serial, id.clone());
        assert_eq!(other, None, "{id} is given the number {} once more", entry.serial);
    }

    pub fn highest(&self) -> u64 {
        self.serials.last_key_value().map_or(0, |(serial, _)| *serial)
    }

    /// What a start reads, when numbers up to `used` may have been used.
    pub fn load(&self, used: u64) -> SavedState {
        let mut saved = SavedState {
            last_serial: used,
            said: self.said,
            said_until: self.said_until,
            paused_until: self.paused_until,
            ..SavedState::default()
        };
        for (id, row) in &self.asks {
            let mut entry = row.entry.clone();
            entry.cards = self.cards_of(id);
            if let AskState::Settled { outcome, at } = &entry.state {
                saved.memory.push((id.clone(), row.memory(outcome, *at)));
            }
            if !entry.state.is_settled() || !entry.cards.is_empty() {
                saved.entries.push(entry);
            }
        }
        saved
    }

    /// Would a start know that card?
    pub fn has_card(&self, ask: &AskId, channel: Channel, handle: &String) -> bool {
        let row = self.cards.get(&(ask.clone(), channel));
        row.is_some_and(|(noted, _)| noted.as_ref() == Some(handle)) && self.asks.contains_key(ask)
    }

    /// Asks that are gone, and whose answers are kept.
    pub fn kept(&self) -> impl Iterator<Item = &AskId> {
        self.asks.iter().filter(|(_, row)| row.given.is_some()).map(|(id, _)| id)
    }

    pub fn is_over(&self, ask: &AskId) -> bool {
        self.asks.get(ask).is_some_and(|row| row.entry.state.is_settled())
    }

    pub fn cards_of(&self, id: &AskId) -> BTreeMap<Channel, Card> {
        let card = |channel: Channel| {
            let (handle, closed) = self.cards.get(&(id.clone(), channel))?.clone();
            Some((channel, Card { handle, closed, ..Card::default() }))
        };
        [Channel::Desktop, Channel::Telegram].into_iter().filter_map(card).collect()
    }
}

impl Row {
    fn memory(&self, outcome: &beckon_core::Outcome, at: Timestamp) -> SettledAsk {
        SettledAsk {
            serial: self.entry.serial,
            fingerprint: self.entry.ask.fingerprint(),
            outcome: outcome.clone(),
            at,
            ask: self.inquired.then(|| Box::new(self.entry.ask.clone())),
            given: self.given.clone(),
        }
    }
}

/// What there are columns for.
fn kept(entry: &Entry) -> Entry {
    let mut kept = Entry::new(entry.ask.clone(), entry.serial);
    kept.state = entry.state.clone();
    (kept.draft, kept.returned) = (entry.draft.clone(), entry.returned.clone());
    (kept.reminded_at, kept.warned_at) = (entry.reminded_at, entry.warned_at);
    kept
}
