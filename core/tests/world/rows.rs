//! What the committed rows hold, and what the store reads back of them.

use beckon_core::{Answer, Surface};
use beckon_core::{AskId, Card, Channel, Entry, Memory, Override, Save, Saved, State, Timestamp};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Rows {
    pub asks: BTreeMap<AskId, Row>,
    /// The handle, and whether the human closed it.
    pub cards: BTreeMap<(AskId, Channel), (Option<String>, bool)>,
    pub said: Override,
    pub said_until: Option<Timestamp>,
    pub paused_until: Option<Timestamp>,
}

#[derive(Debug)]
pub struct Row {
    entry: Entry,
    given: Option<(Answer, Surface)>,
    inquired: bool,
}

impl Rows {
    pub fn commit(&mut self, save: &[Save]) {
        for row in save {
            match row.clone() {
                Save::Ask(entry) => {
                    let row = Row { entry: kept(&entry), given: None, inquired: false };
                    self.asks.insert(entry.ask.id.clone(), row);
                }
                Save::Card { ask, channel, handle, closed } => {
                    self.cards.insert((ask, channel), (handle, closed));
                }
                Save::NoCard { ask, channel } => {
                    self.cards.remove(&(ask, channel));
                }
                Save::Gone { ask, given, inquired } => {
                    let row = self.asks.get_mut(&ask).expect("it follows the row of its ask");
                    (row.given, row.inquired) = (given, inquired);
                }
                Save::Standing { said, said_until, paused_until } => {
                    self.said = said;
                    (self.said_until, self.paused_until) = (said_until, paused_until);
                }
            }
        }
    }

    pub fn load(&self) -> Saved {
        let mut saved = Saved {
            said: self.said,
            said_until: self.said_until,
            paused_until: self.paused_until,
            ..Saved::default()
        };
        for (id, row) in &self.asks {
            saved.last_serial = saved.last_serial.max(row.entry.serial);
            let mut entry = row.entry.clone();
            entry.cards = self.cards_of(id);
            if let State::Settled { outcome, at } = &entry.state {
                saved.memory.push((id.clone(), row.memory(outcome, *at)));
            }
            if !entry.state.is_settled() || !entry.cards.is_empty() {
                saved.entries.push(entry);
            }
        }
        saved
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
    fn memory(&self, outcome: &beckon_core::Outcome, at: Timestamp) -> Memory {
        Memory {
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
    kept.draft = entry.draft.clone();
    (kept.reminded_at, kept.warned_at) = (entry.reminded_at, entry.warned_at);
    kept
}
