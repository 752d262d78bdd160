//! Which cards stand where: wanted ones are shown, unwanted ones taken away (`withdrawals.rs`).

use super::{Card, Desk, Entry, Transition};
use crate::{AskId, AskState, Channel, Effect, News, RingTargets, RowChange};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

impl Transition<'_> {
    /// Brings the cards of an ask in line with policy, presence and its state.
    pub(super) fn ring(&mut self, id: &AskId) {
        self.desk.step_behind(id);
        let Some(entry) = self.desk.entries.get(id) else { return };
        if entry.state == AskState::Open && entry.held(self.now) {
            return;
        }
        let ring = self.ringing(entry);
        for channel in Channel::ALL {
            self.place(id, channel, ring.includes(channel));
        }
        self.desk.schedule(id);
    }

    pub(super) fn ringing(&self, entry: &Entry) -> RingTargets {
        if !entry.waits() {
            return RingTargets::default();
        }
        self.desk.policy.ring(entry.ask.asked_at, &self.desk.situation(self.now), self.now)
    }

    /// A message stays, once it is sent, until its ask is over: the phone rings once, and it says in
    /// the end what became of it. A notification is there while it is wanted.
    fn place(&mut self, id: &AskId, channel: Channel, wanted: bool) {
        let works = self.desk.works(channel);
        let leaving = self.desk.leaving_serial(channel, id);
        let Some(entry) = self.desk.entries.get_mut(id) else { return };
        // What is noted of a card that goes is all by which it is found again.
        let in_its_place = leaving.is_some_and(|serial| serial != Some(entry.serial));
        match entry.cards.get(&channel) {
            Some(card) if card.closed => {}
            Some(_) if !channel.stays_until_settled() && !wanted => {
                let handle = entry.cards.remove(&channel).and_then(|card| card.handle);
                let of = (id, Some(entry.serial));
                self.withdraw(channel, of, handle, None);
            }
            Some(card) if works && card.stale && (wanted || card.handle.is_some()) => {
                self.show(id, channel, wanted);
            }
            None if works && wanted && !in_its_place => {
                entry.cards.insert(channel, Card::default());
                self.desk.leaving.remove(&(channel, id.clone()));
                self.save_card(id, channel);
                self.show(id, channel, wanted);
            }
            Some(_) | None => {}
        }
    }

    /// A message that stands from before is edited, also one that says that its answer is under way:
    /// a channel that has just started knows no other way to it. Only a new card rings.
    fn show(&mut self, id: &AskId, channel: Channel, wanted: bool) {
        let silent = channel.can_be_silent() && (!wanted || self.desk.policy.is_quiet(self.now));
        let Some(entry) = self.desk.entries.get_mut(id) else { return };
        let Some(card) = entry.cards.get_mut(&channel) else { return };
        card.stale = false;
        let replaces = card.handle.clone();
        if !channel.stays_until_settled() || replaces.is_none() {
            card.shown_at = Some(self.now);
        }
        if let Some(entry) = self.desk.drawn(id) {
            self.step.effects.push(Effect::Show { channel, entry, replaces, silent });
        }
    }

    fn save_card(&mut self, id: &AskId, channel: Channel) {
        let Some(entry) = self.desk.entries.get(id) else { return };
        if let Some(Card { handle, closed, .. }) = entry.cards.get(&channel).cloned() {
            let (ask, serial) = (id.clone(), Some(entry.serial));
            self.step.save.push(RowChange::Card { ask, serial, channel, handle, closed });
        }
    }

    pub(super) fn on_channel_up(&mut self, channel: Channel) {
        self.desk.channels.insert(channel, true);
        self.tell_leaving(channel);
        for entry in self.desk.entries.values_mut() {
            if let Some(card) = entry.cards.get_mut(&channel) {
                card.stale = true;
            }
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
        let card = self.desk.entries.get_mut(&ask).and_then(|entry| entry.cards.get_mut(&channel));
        let Some(card) = card else {
            return self.withdraw_late(channel, &ask, handle);
        };
        let first = card.closed || card.handle.is_none();
        // A card that was closed and is shown is another one.
        if card.closed || card.handle.as_ref() != Some(&handle) {
            (card.handle, card.closed) = (Some(handle), false);
            self.save_card(&ask, channel);
            self.ring(&ask);
        }
        if first || !channel.stays_until_settled() {
            self.step.news.push(News::Shown(ask, channel));
        }
    }

    /// A card that came up when it was to go already.
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

    /// The human waved the card away: it stays away, the ask stays open on every other surface.
    pub(super) fn on_closed(&mut self, channel: Channel, ask: &AskId) {
        let card = self.desk.entries.get_mut(ask).and_then(|entry| entry.cards.get_mut(&channel));
        if let Some(card) = card {
            card.closed = true;
            card.handle = None;
            self.save_card(ask, channel);
        }
    }

    /// A notification that the human closed is forgotten, so that it can be shown once more.
    pub(super) fn open_again(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get_mut(id) else { return };
        for channel in Channel::ALL.into_iter().filter(|channel| !channel.stays_until_settled()) {
            if entry.cards.get(&channel).is_some_and(|card| card.closed) {
                entry.cards.remove(&channel);
                self.step.save.push(RowChange::NoCard { ask: id.clone(), channel });
            }
        }
    }

    /// Presence, policy or a channel is another: every ask is looked at anew.
    pub(super) fn ring_all(&mut self) {
        let ids: Vec<AskId> = self.desk.entries.keys().cloned().collect();
        for id in ids {
            self.ring(&id);
        }
    }

    /// More is known of an ask: its cards may want redrawing.
    pub(super) fn redraw(&mut self, id: &AskId) {
        Channel::ALL.into_iter().for_each(|channel| self.update(id, channel));
    }

    /// The answer under way is another, or what has become of it: the cards that stay say so.
    pub(super) fn update_lasting(&mut self, id: &AskId) {
        let lasting = Channel::ALL.into_iter().filter(|channel| channel.stays_until_settled());
        lasting.for_each(|channel| self.update(id, channel));
    }

    /// One of its cards may want redrawing. A stale notification is void; a message may stand there
    /// although nobody noted it, and then it is to say what holds.
    pub(super) fn update(&mut self, id: &AskId, channel: Channel) {
        let Some(entry) = self.desk.entries.get(id) else { return };
        let stands = |card: &Card| !card.closed && (!card.stale || channel.stays_until_settled());
        if self.desk.works(channel) && entry.cards.get(&channel).is_some_and(stands) {
            let drawn = self.desk.drawn(id);
            self.step.effects.extend(drawn.map(|entry| Effect::Update { channel, entry }));
        }
    }

    /// Where a card says when its ask expires, that is another time now, or none.
    pub(super) fn update_expiries(&mut self) {
        for id in self.desk.ids_of(|entry| entry.warned_at.is_some()) {
            self.update_lasting(&id);
        }
    }
}

impl Desk {
    /// An ask as a channel gets it.
    pub(super) fn drawn(&self, id: &AskId) -> Option<Box<Entry>> {
        let mut entry = Box::new(self.entries.get(id)?.clone());
        entry.expires = entry.expires_at(&self.policy).filter(|_| entry.warned_at.is_some());
        Some(entry)
    }

    pub(super) fn works(&self, channel: Channel) -> bool {
        self.channels.get(&channel) == Some(&true)
    }
}
