//! The cards on the channels: wanted ones are shown, unwanted ones taken away (`withdrawals.rs`).

pub(super) mod withdrawals;

use super::{Card, Desk, Entry, Transition};
use crate::{AskId, AskState, Channel, Effect, News, Reminder, RingTargets, RowChange};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

impl Transition<'_> {
    /// Applies policy, presence and its state to the cards of an ask.
    pub(super) fn ring(&mut self, id: &AskId) {
        self.update_hold(id);
        self.desk.step_behind(id);
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        if entry.state == AskState::Open && entry.held(self.now) {
            return;
        }
        let ring = self.ringing(entry);
        for channel in Channel::ALL {
            self.place(id, channel, (ring.includes(channel), ring.keeps(channel)));
        }
        self.desk.schedule(id);
    }

    pub(super) fn ringing(&self, entry: &Entry) -> RingTargets {
        if !entry.waits() || !entry.attention.is_wanted() {
            return RingTargets::default();
        }
        self.desk.policy.ring(
            entry.waits_since(),
            &self.desk.situation_of(entry, self.now),
            self.now,
        )
    }

    /// Brings a card of an ask on one channel in line. A message stays, once it is sent, until its
    /// ask is over: the phone rings once, and the message says in the end what became of the ask. A
    /// notification is there while it is wanted.
    fn place(&mut self, id: &AskId, channel: Channel, (wanted, kept): (bool, bool)) {
        let works = self.desk.works(channel);
        let leaving = self.desk.leaving_serial(channel, id);
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        // A card that is being withdrawn is found again by its note alone, which a new card would
        // replace.
        let in_its_place = leaving.is_some_and(|serial| serial != Some(entry.serial));
        match entry.cards.get(&channel) {
            Some(card) if card.closed => {}
            // The notification's daemon was gone, so it could only be shown anew, and ring.
            Some(card) if !channel.stays_until_settled() && !wanted && (card.stale || !kept) => {
                self.take_away(id, channel);
            }
            Some(card) if works && wanted && card.silenced && !card.stale => {
                self.ring_once_more(id, channel);
            }
            Some(card) if works && card.stale && (wanted || card.handle.is_some()) => {
                // A message that is there is only edited.
                let rings = wanted && card.silenced && card.handle.is_some();
                self.show(id, channel, wanted);
                if rings {
                    self.ring_once_more(id, channel);
                }
            }
            None if works && wanted && !in_its_place => {
                self.desk.leaving.remove(&(channel, id.clone()));
                self.change(id, |entry, _| {
                    drop(entry.cards.insert(channel, Card::default()))
                });
                self.show(id, channel, wanted);
            }
            Some(_) | None => {}
        }
    }

    /// Rings for a message that was silent while its ask was set aside.
    fn ring_once_more(&mut self, id: &AskId, channel: Channel) {
        let now = self.now;
        self.change_card(id, channel, |card| {
            (card.silenced, card.shown_at) = (false, Some(now))
        });
        let silent = channel.can_be_silent() && self.desk.policy.is_quiet(now);
        let reminder = Reminder::StillOpen;
        let remind = self.desk.drawn(id).map(|entry| Effect::Remind {
            channel,
            entry,
            reminder,
            silent,
        });
        self.step.effects.extend(remind);
    }

    fn take_away(&mut self, id: &AskId, channel: Channel) {
        let mut taken = None;
        self.change(id, |entry, _| {
            taken = entry
                .cards
                .remove(&channel)
                .map(|card| (entry.serial, card.handle));
        });
        if let Some((serial, handle)) = taken {
            self.withdraw(channel, (id, Some(serial)), handle, None);
        }
    }

    /// Shows a card. A message that is there from before is edited, also one that says that its
    /// answer is under way: a channel that has just started knows no other way to it. Only a new
    /// card rings.
    fn show(&mut self, id: &AskId, channel: Channel, wanted: bool) {
        let silent = channel.can_be_silent() && (!wanted || self.desk.policy.is_quiet(self.now));
        let entry = self.desk.entries.get(id);
        let Some(card) = entry.and_then(|entry| entry.cards.get(&channel)) else {
            return;
        };
        let (replaces, now) = (card.handle.clone(), self.now);
        let comes_up = !channel.stays_until_settled() || replaces.is_none();
        self.change_card(id, channel, |card| {
            card.stale = false;
            card.shown_at = if comes_up { Some(now) } else { card.shown_at };
        });
        if let Some(entry) = self.desk.drawn(id) {
            self.step.effects.push(Effect::Show {
                channel,
                entry,
                replaces,
                silent,
            });
        }
    }

    fn change_card(&mut self, id: &AskId, channel: Channel, edit: impl FnOnce(&mut Card)) {
        self.change(id, |entry, _| {
            if let Some(card) = entry.cards.get_mut(&channel) {
                edit(card);
            }
        });
    }

    pub(super) fn on_channel_up(&mut self, channel: Channel) {
        self.desk.channels.insert(channel, true);
        self.tell_leaving(channel);
        for id in self.desk.ids_of(|entry| entry.cards.contains_key(&channel)) {
            self.change_card(&id, channel, |card| card.stale = true);
        }
        self.look_round();
        self.ring_all();
        let stale = |entry: &Entry| entry.cards.get(&channel).is_some_and(|card| card.stale);
        for id in self.desk.ids_of(stale) {
            self.update(&id, channel);
        }
    }

    pub(super) fn on_channel_down(&mut self, channel: Channel) {
        self.desk.channels.insert(channel, false);
        self.look_round();
    }

    pub(super) fn on_shown(&mut self, channel: Channel, ask: AskId, handle: String) {
        let entry = self.desk.entries.get(&ask);
        let Some(card) = entry.and_then(|entry| entry.cards.get(&channel)) else {
            let turned_up = entry.is_some()
                && channel.stays_until_settled()
                && self.desk.leaving_serial(channel, &ask).is_none();
            return if turned_up {
                self.take_up(channel, &ask, handle)
            } else {
                self.withdraw_late(channel, &ask, handle)
            };
        };
        let (closed, first) = (card.closed, card.closed || card.handle.is_none());
        // A card that was closed and is shown now is a different one: a message that turned up, of
        // which its channel knows only where it is.
        if closed || card.handle.as_ref() != Some(&handle) {
            self.change_card(&ask, channel, |card| {
                (card.handle, card.closed) = (Some(handle), false);
                card.stale |= closed && channel.stays_until_settled();
            });
            self.ring(&ask);
        }
        if first || !channel.stays_until_settled() {
            self.step.news.push(News::Shown(ask, channel));
        }
    }

    /// Takes over a message for an open ask that is not noted here, since a power cut lost the
    /// note.
    fn take_up(&mut self, channel: Channel, id: &AskId, handle: String) {
        let card = Card {
            handle: Some(handle),
            stale: true,
            ..Card::default()
        };
        self.change(id, |entry, _| drop(entry.cards.insert(channel, card)));
        self.ring(id);
    }

    /// Withdraws a card that came up when it was already unwanted.
    fn withdraw_late(&mut self, channel: Channel, id: &AskId, handle: String) {
        let open = || self.desk.entries.get(id).map(|entry| entry.serial);
        let known = || open().or_else(|| self.desk.memory.get(id).map(|memory| memory.serial));
        let serial = self.desk.leaving_serial(channel, id).unwrap_or_else(known);
        let (ask, handle, closed) = (id.clone(), Some(handle), false);
        self.step.save.push(RowChange::Card {
            ask,
            serial,
            channel,
            handle: handle.clone(),
            closed,
        });
        self.withdraw(channel, (id, serial), handle, None);
    }

    /// Notes that the human closed the card: it stays away, while the ask stays open on every other
    /// surface.
    pub(super) fn on_closed(&mut self, channel: Channel, ask: &AskId) {
        self.change_card(ask, channel, |card| {
            (card.handle, card.closed) = (None, true)
        });
    }

    /// Shows a card that the human asked for, whatever the rules say about ringing. It makes no
    /// sound, since they are looking. If nothing new may go to the channel, it does not come.
    pub(super) fn on_called_for(&mut self, channel: Channel, id: &AskId) {
        let may_come = self.desk.works(channel) && self.desk.policy.permits(channel);
        let is_free = self.desk.leaving_serial(channel, id).is_none();
        let lacks_card = |entry: &Entry| entry.cards.get(&channel).is_none_or(|card| card.closed);
        let entry = self.desk.entries.get(id);
        let entry = entry.filter(|entry| entry.waits() && lacks_card(entry));
        if entry.is_none() || !may_come || !is_free {
            return;
        }
        self.change(id, |entry, _| {
            drop(entry.cards.insert(channel, Card::default()));
        });
        self.show(id, channel, false);
        self.desk.schedule(id);
    }

    /// Forgets notifications that the human closed, so that they can be shown once more.
    pub(super) fn open_again(&mut self, id: &AskId) {
        self.change(id, |entry, _| {
            entry
                .cards
                .retain(|channel, card| channel.stays_until_settled() || !card.closed);
        });
    }

    /// Brings the cards of every ask in line: presence, policy or a channel has changed.
    pub(super) fn ring_all(&mut self) {
        let ids: Vec<AskId> = self.desk.entries.keys().cloned().collect();
        for id in ids {
            self.ring(&id);
        }
    }

    /// Redraws the cards of an ask of which more is known.
    pub(super) fn redraw(&mut self, id: &AskId) {
        Channel::ALL
            .into_iter()
            .for_each(|channel| self.update(id, channel));
    }

    /// Redraws the cards that stay: the answer under way is a different one, or its state has
    /// changed.
    pub(super) fn update_lasting(&mut self, id: &AskId) {
        let lasting = Channel::ALL
            .into_iter()
            .filter(|channel| channel.stays_until_settled());
        lasting.for_each(|channel| self.update(id, channel));
    }

    /// Redraws a notification that is shown.
    pub(super) fn update_fleeting(&mut self, id: &AskId) {
        let fleeting = Channel::ALL
            .into_iter()
            .filter(|channel| !channel.stays_until_settled());
        fleeting.for_each(|channel| self.update(id, channel));
    }

    /// Redraws one of the ask's cards, if it is there. A stale notification is void. A stale
    /// message may be there although nobody noted it, and then it must say what holds.
    pub(super) fn update(&mut self, id: &AskId, channel: Channel) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let stands = |card: &Card| !card.closed && (!card.stale || channel.stays_until_settled());
        if self.desk.works(channel) && entry.cards.get(&channel).is_some_and(stands) {
            let drawn = self.desk.drawn(id);
            self.step
                .effects
                .extend(drawn.map(|entry| Effect::Update { channel, entry }));
        }
    }

    /// Redraws the cards that say when their ask expires, after that time has changed.
    pub(super) fn update_expiries(&mut self) {
        for id in self.desk.ids_of(|entry| entry.warned_at.is_some()) {
            self.update_lasting(&id);
        }
    }
}

impl Desk {
    /// Returns an ask as a channel gets it.
    pub(super) fn drawn(&self, id: &AskId) -> Option<Box<Entry>> {
        let mut entry = Box::new(self.entries.get(id)?.clone());
        entry.expires = entry
            .expires_at(&self.policy)
            .filter(|_| entry.warned_at.is_some());
        Some(entry)
    }

    pub(super) fn works(&self, channel: Channel) -> bool {
        self.channels.get(&channel) == Some(&true)
    }
}
