//! The cards that are gone from a chat although their asks are open. A chat may have a timer that
//! deletes each message, and Telegram tells a bot of no deletion.
//!
//! A card that the timer deleted is sent again, but only after a while. A card that a human deleted
//! stays away until somebody calls for it. A note that is meant as a reply to a deleted card
//! reveals the deletion, as its target is missing.
//!
//! Not here: who calls for a card (`shown.rs`).

use super::super::pace::hurry;
use super::super::slot::CardSlot;
use super::super::{CallOutcome, CardLoss, OutboxCall, OutgoingNote};
use super::{ChatQueue, WaitingNote};
use beckon_core::AskId;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time that a deletion may lag behind the timer. Telegram does not say when it happens.
const SLACK: Duration = Duration::from_secs(60);
/// The shortest time after which a card comes back, counted from when it was sent, however short
/// the timer is. Apps offer a day and more.
const AT_LEAST: Duration = Duration::from_secs(10 * 60);

/// The chat's own timer, and the cards that it deleted.
#[derive(Debug, Default)]
pub(super) struct DeletionTimer {
    /// The time after which a message is deleted, counted from when it was sent.
    after: Option<Duration>,
    /// The cards that are to be sent again, by their serials.
    again: BTreeMap<u64, (AskId, Instant)>,
}

impl DeletionTimer {
    /// Whether the chat deletes its messages by itself.
    pub(super) fn is_set(&self) -> bool {
        self.after.is_some()
    }

    /// Notes a card that was deleted. Returns true if the timer did that, so that the card is sent
    /// again.
    fn takes(&mut self, serial: u64, slot: &CardSlot, now: Instant) -> bool {
        let Some(after) = self.after else {
            return false;
        };
        let sent_at = slot.sent_at();
        let is_over = sent_at.is_none_or(|sent| now >= sent + after);
        if is_over {
            let earliest = sent_at.map_or(now, |sent| sent + AT_LEAST / hurry());
            let comeback = (slot.ask.clone(), earliest.max(now));
            self.again.insert(serial, comeback);
        }
        is_over
    }

    /// Returns when to check whether the timer has deleted a card.
    fn looks_at(&self, slot: &CardSlot) -> Option<Instant> {
        let after = self.after.filter(|_| slot.may_be_looked_for())?;
        let seen_at = slot.seen_at()?;
        let at_least = AT_LEAST / hurry();
        let end = slot.sent_at().map(|sent| sent + after + SLACK / hurry());
        match end.filter(|end| seen_at < *end) {
            Some(end) => Some(end.max(seen_at + at_least)),
            // The timer was set later than the card was sent, or deletes late.
            None => Some(seen_at + after.max(at_least)),
        }
    }
}

impl ChatQueue {
    /// Queues a request to Telegram for the chat's timer.
    pub(in super::super) fn ask_for_timer(&mut self) {
        let is_asked = |chore: &WaitingNote<OutboxCall>| chore.what == OutboxCall::LookUpTimer;
        if !self.chores.iter().any(is_asked) {
            self.tidy(OutboxCall::LookUpTimer);
        }
    }

    /// Sets the time after which the chat's timer deletes a message.
    pub(in super::super) fn set_timer(&mut self, after: Option<Duration>) {
        self.timer.after = after;
    }

    /// Checks whether every card is still in the chat, because somebody wants to know.
    pub(in super::super) fn look_for_cards(&mut self) {
        let standing = self.cards.iter_mut();
        let standing = standing.filter(|(_, slot)| slot.may_be_looked_for());
        for (serial, slot) in standing {
            slot.look_again();
            self.queue.insert(*serial);
        }
    }

    /// Checks for the cards that the timer may have deleted by now.
    pub(super) fn look_for_expired(&mut self, now: Instant) {
        let timer = &self.timer;
        let is_due = |slot: &CardSlot| timer.looks_at(slot).is_some_and(|at| at <= now);
        for (serial, slot) in &mut self.cards {
            if is_due(slot) {
                slot.look_again();
                self.queue.insert(*serial);
            }
        }
    }

    /// Returns when the timer next makes a check or a new card necessary.
    pub(super) fn deletions_due(&self) -> Option<Instant> {
        let looks = self
            .cards
            .values()
            .filter_map(|slot| self.timer.looks_at(slot));
        let again = self.timer.again.values().map(|(_, at)| *at);
        looks.chain(again).min()
    }

    /// Returns the cards that are to be sent again now.
    pub(in super::super) fn take_comebacks(&mut self, now: Instant) -> Vec<CallOutcome> {
        let due = self.timer.again.extract_if(.., |_, (_, at)| *at <= now);
        let chat = self.id;
        due.map(|(_, (ask, _))| CallOutcome::Comeback(ask, chat))
            .collect()
    }

    /// Forgets that a card is to be sent again, since it is sent here anyway.
    pub(super) fn forget_comeback(&mut self, serial: u64) {
        self.timer.again.remove(&serial);
    }

    pub(super) fn forget_comebacks(&mut self) {
        self.timer.again.clear();
    }

    /// Notes that a card is gone from the chat. If its ask was over, nothing is left to do.
    pub(super) fn deleted(&mut self, serial: u64, now: Instant) -> Vec<CallOutcome> {
        let Some(slot) = self.remove(serial) else {
            return Vec::new();
        };
        if slot.is_last() {
            return vec![CallOutcome::Finished(slot.ask)];
        }
        let loss = if self.timer.takes(serial, &slot, now) {
            CardLoss::Expired
        } else {
            CardLoss::Deleted
        };
        self.lost(slot, loss)
    }

    /// Handles a note whose target, the message that it answers, is gone. If the note is about a
    /// card, the card is sent in its place. If it is about the list, the list is sent anew by
    /// itself, and the note is sent without a target.
    pub(super) fn note_orphaned(
        &mut self,
        note: WaitingNote<OutgoingNote>,
        under: Option<i32>,
    ) -> Vec<CallOutcome> {
        let OutgoingNote { about, silent, .. } = note.what;
        let slot = about.and_then(|serial| self.cards.get(&serial));
        if let (Some(serial), Some(slot)) = (about, slot) {
            if slot.message != under {
                self.notes.push_front(note);
                return Vec::new();
            }
            let slot = self.remove(serial);
            return slot
                .map(|slot| self.lost(slot, CardLoss::CalledFor { silent }))
                .unwrap_or_default();
        }

        let is_lists = under.is_some() && self.list.message == under;
        if !is_lists {
            return Vec::new();
        }
        self.list.lose_message(self.timer.is_set());
        self.notes.push_front(note);
        vec![CallOutcome::List(self.id, None)]
    }

    fn lost(&self, slot: CardSlot, loss: CardLoss) -> Vec<CallOutcome> {
        let posted = slot.posted(self.id);
        posted
            .map(|posted| CallOutcome::Lost(slot.ask, posted, loss))
            .into_iter()
            .collect()
    }
}
