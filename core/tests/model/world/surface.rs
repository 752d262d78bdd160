//! A channel and its cards: notifications of a daemon, or messages in a chat.

use beckon_core::{AskId, ButtonTarget};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Card {
    pub ask: AskId,
    pub target: ButtonTarget,
    /// Whether Beckon died and no row names its handle: the card cannot be found any more, but a
    /// card shown with the same serial takes its place (`x-dunst-stack-tag`).
    pub lost: bool,
}

#[derive(Debug)]
pub struct Surface {
    pub up: bool,
    pub cards: BTreeMap<String, Card>,
    known: BTreeMap<AskId, String>,
    count: u32,
}

impl Default for Surface {
    fn default() -> Self {
        Self {
            up: true,
            cards: BTreeMap::new(),
            known: BTreeMap::new(),
            count: 0,
        }
    }
}

impl Surface {
    /// Shows a card; returns the handle to report.
    pub fn show(
        &mut self,
        ask: &AskId,
        target: ButtonTarget,
        replaces: Option<String>,
    ) -> Option<String> {
        if !self.up {
            return None;
        }
        let stands = |handle: &String| self.cards.contains_key(handle);
        let former = self.known.get(ask).cloned().or(replaces).filter(stands);
        self.cards
            .retain(|_, card| !(card.lost && card.target.serial == target.serial));
        let handle = former.unwrap_or_else(|| {
            self.count += 1;
            format!("card-{}", self.count)
        });
        let card = Card {
            ask: ask.clone(),
            target,
            lost: false,
        };
        self.cards.insert(handle.clone(), card);
        self.known.insert(ask.clone(), handle.clone());
        Some(handle)
    }

    pub fn withdraw(&mut self, ask: &AskId, handle: Option<String>) {
        if !self.up {
            return;
        }
        if let Some(handle) = self.known.remove(ask).or(handle) {
            self.cards.remove(&handle);
        }
    }

    /// Closes a card, as the human does. The closing of a lost card is not reported.
    pub fn close(&mut self, handle: &str) -> Option<AskId> {
        let card = self.cards.remove(handle).filter(|card| !card.lost)?;
        self.known.remove(&card.ask);
        Some(card.ask)
    }

    /// Stops the daemon or the connection to it; a daemon takes its cards with it.
    pub fn fail(&mut self, with_cards: bool) {
        self.up = false;
        self.known.clear();
        if with_cards {
            self.cards.clear();
        }
    }

    /// Makes Beckon forget the cards, as when it dies: it knows only what is noted.
    pub fn forget(&mut self, noted: impl Fn(&AskId, &String) -> bool) {
        self.up = true;
        self.known.clear();
        for (handle, card) in &mut self.cards {
            card.lost |= !noted(&card.ask, handle);
        }
    }
}
