//! Which cards stand where: wanted ones are shown, unwanted ones withdrawn.

use super::{Card, Channel, Desk, Entry, Leaving};
use crate::{AskId, Effect, News, Ring, Save, State, Step, Timestamp};

impl Desk {
    /// Brings the cards of an ask in line with policy, presence and its state.
    pub(super) fn ring(&mut self, id: &AskId, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get(id) else { return };
        let held = entry.hold_until.is_some_and(|until| now < until);
        if entry.state == State::Open && held {
            return;
        }
        let ring = self.ringing(entry, now);
        self.place(id, Channel::Desktop, ring.desktop, step);
        self.place(id, Channel::Telegram, ring.telegram, step);
        self.schedule(id);
    }

    fn ringing(&self, entry: &Entry, now: Timestamp) -> Ring {
        let paused = self.paused_until.is_some_and(|until| now < until);
        if !entry.waits() || paused {
            return Ring::default();
        }
        self.policy.ring(entry.ask.asked_at, &self.standing, now)
    }

    fn place(&mut self, id: &AskId, channel: Channel, wanted: bool, step: &mut Step) {
        let works = self.channels.contains(&channel);
        let Some(entry) = self.entries.get_mut(id) else { return };
        let ask = id.clone();
        match entry.cards.get_mut(&channel) {
            Some(card) if card.closed => {}
            Some(_) if !wanted => {
                let handle = entry.cards.remove(&channel).and_then(|card| card.handle);
                self.withdraw(channel, id, handle, step);
            }
            Some(card) if works && card.stale => {
                card.stale = false;
                let replaces = card.handle.clone();
                step.effects.push(Effect::Show {
                    channel,
                    entry: Box::new(entry.clone()),
                    replaces,
                    silent: false,
                });
            }
            None if wanted && works => {
                entry.cards.insert(channel, Card::default());
                step.save.push(Save::Card { ask, channel, handle: None, closed: false });
                let entry = Box::new(entry.clone());
                step.effects.push(Effect::Show { channel, entry, replaces: None, silent: false });
                self.leaving.remove(&(channel, id.clone()));
            }
            Some(_) | None => {}
        }
    }

    /// Takes a card away: now, or when its channel works again.
    pub(super) fn withdraw(
        &mut self,
        channel: Channel,
        id: &AskId,
        handle: Option<String>,
        step: &mut Step,
    ) {
        let told = self.channels.contains(&channel);
        if told {
            let (ask, handle) = (id.clone(), handle.clone());
            step.effects.push(Effect::Withdraw { channel, ask, handle, ending: None });
        }
        self.leaving.insert((channel, id.clone()), Leaving { handle, told });
    }

    /// The effects of the step before have been run: its withdrawn cards are gone.
    pub(super) fn strike_withdrawn(&mut self, step: &mut Step) {
        self.leaving.retain(|(channel, ask), leaving| {
            if leaving.told {
                step.save.push(Save::NoCard { ask: ask.clone(), channel: *channel });
            }
            !leaving.told
        });
    }

    fn withdraw_leaving(&mut self, channel: Channel, step: &mut Step) {
        for ((_, ask), leaving) in self.leaving.iter_mut().filter(|((of, _), _)| *of == channel) {
            leaving.told = true;
            let (ask, handle) = (ask.clone(), leaving.handle.clone());
            step.effects.push(Effect::Withdraw { channel, ask, handle, ending: None });
        }
    }

    pub(super) fn on_channel_up(&mut self, channel: Channel, now: Timestamp, step: &mut Step) {
        self.channels.insert(channel);
        self.withdraw_leaving(channel, step);
        let ids: Vec<AskId> = self.entries.keys().cloned().collect();
        for id in ids {
            if let Some(card) = self.entries.get_mut(&id).and_then(|e| e.cards.get_mut(&channel)) {
                card.stale = true;
            }
            self.ring(&id, now, step);
        }
    }

    pub(super) fn on_channel_down(&mut self, channel: Channel) {
        self.channels.remove(&channel);
    }

    pub(super) fn on_shown(
        &mut self,
        channel: Channel,
        ask: AskId,
        handle: String,
        step: &mut Step,
    ) {
        let card = self.entries.get_mut(&ask).and_then(|entry| entry.cards.get_mut(&channel));
        let Some(card) = card else {
            let handle = Some(handle);
            step.save.push(Save::Card {
                ask: ask.clone(),
                channel,
                handle: handle.clone(),
                closed: false,
            });
            self.withdraw(channel, &ask, handle, step);
            return;
        };
        if card.handle.as_ref() != Some(&handle) {
            card.handle = Some(handle.clone());
            step.save.push(Save::Card {
                ask: ask.clone(),
                channel,
                handle: Some(handle),
                closed: false,
            });
        }
        step.news.push(News::Shown(ask, channel));
    }

    /// The human waved the card away: it stays away, the ask stays open on every other surface.
    pub(super) fn on_closed(&mut self, channel: Channel, ask: &AskId, step: &mut Step) {
        let card = self.entries.get_mut(ask).and_then(|entry| entry.cards.get_mut(&channel));
        if let Some(card) = card {
            card.closed = true;
            card.handle = None;
            step.save.push(Save::Card { ask: ask.clone(), channel, handle: None, closed: false });
        }
    }

    pub(super) fn on_standing(&mut self, now: Timestamp, step: &mut Step) {
        let (said, said_until) = (self.standing.said, self.said_until);
        let paused_until = self.paused_until;
        step.save.push(Save::Standing { said, said_until, paused_until });
        step.news.push(News::Standing);
        self.ring_all(now, step);
    }

    /// Presence or policy is another: every ask is looked at anew.
    pub(super) fn ring_all(&mut self, now: Timestamp, step: &mut Step) {
        self.leaves_at = self.standing.leaves_at(self.policy.away_after).filter(|at| *at > now);
        let ids: Vec<AskId> = self.entries.keys().cloned().collect();
        for id in ids {
            self.ring(&id, now, step);
        }
    }

    /// More is known of an ask: its cards may want redrawing.
    pub(super) fn redraw(&self, id: &AskId, step: &mut Step) {
        let Some(entry) = self.entries.get(id) else { return };
        for (&channel, card) in &entry.cards {
            if !card.stale && !card.closed {
                step.effects.push(Effect::Update { channel, entry: Box::new(entry.clone()) });
            }
        }
    }
}
