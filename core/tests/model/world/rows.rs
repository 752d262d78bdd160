//! The contents of the committed rows, and what the store reads back from them.

use super::disk::Commit;
use beckon_core::{Answer, Surface};
use beckon_core::{
    AskId, AskState, Card, Channel, Entry, LeftoverCard, PresenceOverride, RowChange, SavedState,
    SettledAsk, Timestamp,
};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Rows {
    pub asks: BTreeMap<AskId, Row>,
    serials: BTreeMap<u64, AskId>,
    /// The highest number that may have been used.
    pub reserved: u64,
    /// The offset of the next update of Telegram.
    pub read: i64,
    /// The number of answers that are used up, by the ask's number.
    pub rounds: BTreeMap<u64, u32>,
    pub cards: BTreeMap<(AskId, Channel), CardRow>,
    pub said: PresenceOverride,
    pub said_until: Option<Timestamp>,
    pub paused_until: Option<Timestamp>,
}

/// A card, and the number of the ask that it shows.
#[derive(Clone, Debug)]
pub struct CardRow {
    pub serial: Option<u64>,
    pub handle: Option<String>,
    pub closed: bool,
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
        for (serial, used) in &commit.rounds {
            let known = self.rounds.entry(*serial).or_default();
            *known = (*known).max(*used);
        }
        for row in &commit.save {
            match row.clone() {
                RowChange::Ask(entry) => self.put(&entry),
                RowChange::Card {
                    ask,
                    serial,
                    channel,
                    handle,
                    closed,
                } => {
                    self.cards.insert(
                        (ask, channel),
                        CardRow {
                            serial,
                            handle,
                            closed,
                        },
                    );
                }
                RowChange::NoCard { ask, channel } => {
                    self.cards.remove(&(ask, channel));
                }
                RowChange::Gone {
                    ask,
                    given,
                    inquired,
                } => {
                    let row = self
                        .asks
                        .get_mut(&ask)
                        .expect("it follows the row of its ask");
                    (row.given, row.inquired) = (given, inquired);
                }
                RowChange::Standing {
                    said,
                    said_until,
                    paused_until,
                } => {
                    self.said = said;
                    (self.said_until, self.paused_until) = (said_until, paused_until);
                }
            }
        }
    }

    /// Writes the row of an ask: one row for each number, one number for each ask.
    fn put(&mut self, entry: &Entry) {
        let id = &entry.ask.id;
        let row = Row {
            entry: kept(entry),
            given: None,
            inquired: false,
        };
        if let Some(before) = self.asks.insert(id.clone(), row) {
            self.serials.remove(&before.entry.serial);
        }
        let other = self.serials.insert(entry.serial, id.clone());
        assert_eq!(
            other, None,
            "{id} is given the number {} once more",
            entry.serial
        );
    }

    pub fn highest(&self) -> u64 {
        self.serials
            .last_key_value()
            .map_or(0, |(serial, _)| *serial)
    }

    /// Returns the state that a start reads, when numbers up to `used` may have been used.
    pub fn load(&self, used: u64) -> SavedState {
        let mut saved = SavedState {
            last_serial: used,
            said: self.said,
            said_until: self.said_until,
            paused_until: self.paused_until,
            ..SavedState::default()
        };
        for ((ask, channel), CardRow { serial, handle, .. }) in &self.cards {
            if self.shown_by(ask) != *serial {
                let (ask, handle) = (ask.clone(), handle.clone());
                let leftover = LeftoverCard {
                    ask,
                    channel: *channel,
                    serial: *serial,
                    handle,
                };
                saved.leftover.push(leftover);
            }
        }
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

    /// Tells whether a start would know that card.
    pub fn has_card(&self, ask: &AskId, channel: Channel, handle: &String) -> bool {
        let row = self.cards.get(&(ask.clone(), channel));
        row.is_some_and(|card| card.handle.as_ref() == Some(handle))
    }

    /// Returns the number by which cards of that ask are known.
    fn shown_by(&self, id: &AskId) -> Option<u64> {
        self.asks.get(id).map(|row| row.entry.serial)
    }

    /// Returns the vanished asks whose answers are kept.
    pub fn kept(&self) -> impl Iterator<Item = &AskId> {
        self.asks
            .iter()
            .filter(|(_, row)| row.given.is_some())
            .map(|(id, _)| id)
    }

    pub fn is_over(&self, ask: &AskId) -> bool {
        self.asks
            .get(ask)
            .is_some_and(|row| row.entry.state.is_settled())
    }

    pub fn cards_of(&self, id: &AskId) -> BTreeMap<Channel, Card> {
        let card = |channel: Channel| {
            let card = self.cards.get(&(id.clone(), channel))?;
            let CardRow { handle, closed, .. } = card.clone();
            let is_its = card.serial == self.shown_by(id);
            is_its.then(|| {
                (
                    channel,
                    Card {
                        handle,
                        closed,
                        ..Card::default()
                    },
                )
            })
        };
        [Channel::Desktop, Channel::Telegram]
            .into_iter()
            .filter_map(card)
            .collect()
    }
}

impl Row {
    fn memory(&self, outcome: &beckon_core::Outcome, at: Timestamp) -> SettledAsk {
        SettledAsk {
            serial: self.entry.serial,
            fingerprint: self.entry.ask.fingerprint(),
            request: self.entry.ask.request_fingerprint(),
            outcome: outcome.clone(),
            at,
            ask: self.inquired.then(|| Box::new(self.entry.ask.clone())),
            given: self.given.clone(),
            responder: self
                .entry
                .responder
                .clone()
                .filter(|_| self.given.is_some()),
            listed: false,
            told_on: Vec::new(),
            unanswered: false,
            told_lost: false,
        }
    }
}

/// Returns the parts of an entry for which there are columns.
fn kept(entry: &Entry) -> Entry {
    let mut kept = Entry::new(entry.ask.clone(), entry.serial);
    kept.state = entry.state.clone();
    (kept.draft, kept.returned) = (entry.draft.clone(), entry.returned.clone());
    (kept.reminded_at, kept.warned_at) = (entry.reminded_at, entry.warned_at);
    kept.attention = entry.attention;
    kept.undelivered.clone_from(&entry.undelivered);
    kept
}
