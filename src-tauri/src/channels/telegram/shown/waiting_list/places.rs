//! The choice of which asks have a card, and which are on the list only.
//!
//! Not here: what is sent of that.

use crate::channels::telegram::pairing::pairings::ChatId;
use beckon_core::AskId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::{Duration, Instant};

/// The number of cards at once, which can be kept in mind. A hundred would push each other out of
/// sight, and take minutes to arrive.
const HANDFUL: usize = 5;
/// The shortest time between two rings for asks that are on the list only: a flood is one ring.
const RINGS_EVERY: Duration = Duration::from_secs(60);

/// The asks that have a card, and those that are on the list only, by their serials.
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct WaitingList {
    /// The open asks that have a card.
    carded: BTreeSet<u64>,
    /// The open asks that are on the list only.
    pub(super) rest: BTreeMap<u64, AskId>,
    /// The page of the list that each chat reads.
    pub(super) pages: HashMap<ChatId, usize>,
    /// The time of the last ring for asks that are on the list only.
    rang: Option<Instant>,
}

impl WaitingList {
    /// Decides whether an open ask has a card. One that has a card keeps it.
    pub(in crate::channels::telegram::shown) fn admit(
        &mut self,
        serial: u64,
        ask: &AskId,
        has_card: bool,
    ) -> bool {
        let free = self.carded.len() < HANDFUL && self.rest.is_empty();
        if has_card || free || self.carded.contains(&serial) {
            self.rest.remove(&serial);
            self.carded.insert(serial);
            return true;
        }
        self.rest.insert(serial, ask.clone());
        false
    }

    /// Whether an ask that came now may ring. The caller rings then.
    pub(super) fn may_ring(&mut self, now: Instant) -> bool {
        let may = self
            .rang
            .is_none_or(|rang| now.duration_since(rang) >= RINGS_EVERY);
        if may {
            self.rang = Some(now);
        }
        may
    }

    /// Removes an ask that does not wait any more.
    pub(in crate::channels::telegram) fn remove(&mut self, serial: u64) {
        self.carded.remove(&serial);
        self.rest.remove(&serial);
    }

    /// Frees the place of an ask whose card is gone: another one may have it.
    pub(in crate::channels::telegram) fn free_place(&mut self, serial: u64) {
        self.carded.remove(&serial);
    }

    /// Takes the next ask that gets a card, if there is a place.
    pub(super) fn promote(&mut self) -> Option<AskId> {
        if self.carded.len() >= HANDFUL {
            return None;
        }
        let (serial, ask) = self.rest.pop_first()?;
        self.carded.insert(serial);
        Some(ask)
    }

    /// Whether an ask is on the list only.
    pub(in crate::channels::telegram::shown) fn is_listed(&self, serial: u64) -> bool {
        self.rest.contains_key(&serial)
    }

    /// Forgets all asks: all cards are void.
    pub(in crate::channels::telegram) fn clear(&mut self) {
        (self.carded, self.rest) = Default::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(serial: u64) -> AskId {
        AskId::new("local", format!("que_{serial}"))
    }

    #[test]
    fn after_a_handful_the_others_wait_on_the_list_and_come_in_their_order() {
        let mut list = WaitingList::default();
        let carded = (1..=100)
            .filter(|n| list.admit(*n, &ask(*n), false))
            .collect::<Vec<_>>();
        assert_eq!(carded, [1, 2, 3, 4, 5]);
        assert_eq!(list.promote(), None, "no place yet");
        list.remove(3);
        assert_eq!((list.promote(), list.promote()), (Some(ask(6)), None));
        assert!(list.is_listed(7) && !list.is_listed(6));
        list.remove(7);
        list.remove(1);
        assert_eq!(list.promote(), Some(ask(8)), "what is over gets no card");
    }

    #[test]
    fn a_flood_rings_once_and_what_comes_later_rings_again() {
        let (mut list, now) = (WaitingList::default(), Instant::now());
        assert!(list.may_ring(now));
        assert!(!list.may_ring(now + Duration::from_secs(59)));
        assert!(list.may_ring(now + Duration::from_secs(60)));
        assert!(!list.may_ring(now + Duration::from_secs(61)));
    }

    #[test]
    fn what_has_a_card_keeps_it_however_many_there_are() {
        let mut list = WaitingList::default();
        assert!(
            (1..=100).all(|n| list.admit(n, &ask(n), true)),
            "cards of before the restart"
        );
        assert!(!list.admit(101, &ask(101), false));
        assert!(list.admit(50, &ask(50), false));
        assert_eq!(list.promote(), None);
    }
}
