//! A channel and what stands on it: notifications of a daemon, or messages in a chat.

use beckon_core::{AskId, ButtonTarget};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Card {
    pub ask: AskId,
    pub target: ButtonTarget,
    /// Beckon died, and no row tells of its handle: nobody can find the card any more, but a card
    /// shown with the same serial takes its place (`x-dunst-stack-tag`).
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
    /// Returns the handle to report.
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

    /// The human waves a card away. Of one that nobody can find any more nobody hears that.
    pub fn close(&mut self, handle: &str) -> Option<AskId> {
        let card = self.cards.remove(handle).filter(|card| !card.lost)?;
        self.known.remove(&card.ask);
        Some(card.ask)
    }

    /// The daemon or the connection to it went away; a daemon takes its cards with it.
    pub fn fail(&mut self, with_cards: bool) {
        self.up = false;
        self.known.clear();
        if with_cards {
            self.cards.clear();
        }
    }

    /// Beckon died: of what it showed it knows what is noted.
    pub fn forget(&mut self, noted: impl Fn(&AskId, &String) -> bool) {
        self.up = true;
        self.known.clear();
        for (handle, card) in &mut self.cards {
            card.lost |= !noted(&card.ask, handle);
        }
    }
}
