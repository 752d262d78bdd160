//! The loop of the real program in small: event → core → commit → effects, with death in between.

use super::{Post, Rows, World};
use beckon_core::{
    AskId, Card, Channel, Desk, Effect, Entry, Event, Memory, News, Outcome, Refusal, Save, Saved,
    State, Step,
};
use std::collections::BTreeMap;

impl World {
    /// One turn of the loop.
    pub fn feed(&mut self, event: Event) -> Option<Result<AskId, Refusal>> {
        self.note(|| format!("event {event:?}"));
        let step = self.desk.handle(event, self.now);
        let late = self.desk.next_deadline().filter(|at| *at <= self.now);
        assert_eq!(late, None, "a deadline of the past: the loop would spin");
        if self.dies() {
            self.crash("before the commit");
            return None;
        }
        self.rows.commit(&step.save);
        self.note_answers(&step);
        self.note_cards(&step);
        for effect in step.effects {
            if self.dies() {
                self.crash("before an effect");
                return None;
            }
            self.run(effect);
        }
        step.verdict
    }

    fn dies(&mut self) -> bool {
        !self.calm && self.rng.one_in(200)
    }

    fn note_answers(&mut self, step: &Step) {
        for news in &step.news {
            let News::Answered(id, _) = news else { continue };
            let answer = step.save.iter().find_map(|row| match row {
                Save::Ask(entry) if entry.ask.id == *id => match &entry.state {
                    State::Answering { answer, .. } => Some(answer.clone()),
                    _ => None,
                },
                _ => None,
            });
            let answer = answer.expect("an accepted answer is saved in the same step");
            let first = self.accepted.entry(id.clone()).or_insert_with(|| answer.clone());
            let allowed = *first == answer || self.excused.contains(id);
            assert!(allowed, "{id}: a second answer {answer:?} was accepted after {first:?}");
        }
    }

    fn note_cards(&mut self, step: &Step) {
        for row in &step.save {
            if let Save::Card { channel, handle: Some(handle), .. } = row {
                self.surface(*channel).note(handle);
            }
        }
    }

    fn run(&mut self, effect: Effect) {
        self.note(|| format!("    effect {}", short(&effect)));
        match effect {
            Effect::Show { channel, entry, replaces, .. } => {
                self.show(channel, &entry, replaces);
            }
            Effect::Update { .. } | Effect::Remind { .. } | Effect::Tell { .. } => {}
            Effect::Withdraw { channel, ask, handle, .. } => {
                self.surface(channel).withdraw(&ask, handle);
            }
            Effect::Deliver { entry, answer } => {
                self.posts.push(Post { own: entry.ask.id.own, answer, orphan: false });
            }
            Effect::Refresh(_) => self.begin_list(),
            Effect::Inquire(entry) => self.inquiries.push(entry.ask.id),
        }
    }

    fn show(&mut self, channel: Channel, entry: &Entry, replaces: Option<String>) {
        assert!(entry.waits(), "a card of an ask that does not wait");
        let ask = entry.ask.id.clone();
        if let Some(handle) = self.surface(channel).show(&ask, entry.serial, replaces) {
            self.inbox.push_back(Event::Shown { channel, ask, handle });
        }
    }

    pub fn surface(&mut self, channel: Channel) -> &mut super::Surface {
        self.surfaces.get_mut(&channel).expect("there are two")
    }

    /// kill -9, and up again.
    pub fn crash(&mut self, when: &str) {
        self.note(|| format!("CRASH {when}"));
        self.crashes += 1;
        self.excuse();
        self.surfaces.values_mut().for_each(super::Surface::forget);
        self.inquiries.clear();
        (self.server.frames, self.reading, self.wants_list) = (None, None, false);
        let mut posts = std::mem::take(&mut self.posts);
        posts.retain(|_| self.rng.one_in(2));
        posts.iter_mut().for_each(|post| post.orphan = true);
        self.posts = posts;
        self.inbox = self.surfaces.keys().copied().map(Event::ChannelUp).collect();
        self.desk = Desk::restore(self.policy, self.rows.load(), self.now);
    }

    /// A frame of the past can end an ask that waits; the next frame or list reopens it with its
    /// answer, unless Beckon dies in between.
    fn excuse(&mut self) {
        for held in self.server.open() {
            let memory = self.desk.memory(&held.ask.id);
            if memory.is_some_and(|m| m.outcome == Outcome::Gone && m.given.is_some()) {
                self.excused.insert(held.ask.id.clone());
            }
        }
    }
}

impl Rows {
    fn commit(&mut self, save: &[Save]) {
        for row in save {
            match row.clone() {
                Save::Ask(entry) => {
                    let kept = (entry.serial, entry.ask, entry.state);
                    self.asks.insert(kept.1.id.clone(), kept);
                }
                Save::Card { ask, channel, handle, .. } => {
                    self.cards.insert((ask, channel), handle);
                }
                Save::NoCard { ask, channel } => {
                    self.cards.remove(&(ask, channel));
                }
                Save::Gone { .. } => {}
                Save::Standing { said, paused_until, .. } => {
                    (self.said, self.paused_until) = (said, paused_until);
                }
            }
        }
    }

    fn load(&self) -> Saved {
        let mut saved =
            Saved { said: self.said, paused_until: self.paused_until, ..Saved::default() };
        for (id, (serial, ask, state)) in &self.asks {
            saved.last_serial = saved.last_serial.max(*serial);
            let mut entry = Entry::new(ask.clone(), *serial);
            entry.state = state.clone();
            entry.cards = self.cards_of(id);
            if let State::Settled { outcome, at } = state {
                let (serial, outcome, at) = (*serial, outcome.clone(), *at);
                let memory = Memory { serial, outcome, at, ask: None, given: None };
                saved.memory.push((id.clone(), memory));
            }
            if !state.is_settled() || !entry.cards.is_empty() {
                saved.entries.push(entry);
            }
        }
        saved
    }

    fn cards_of(&self, id: &AskId) -> BTreeMap<Channel, Card> {
        let of_ask = self.cards.iter().filter(|((ask, _), _)| ask == id);
        let card = |handle: &Option<String>| Card { handle: handle.clone(), ..Card::default() };
        of_ask.map(|((_, channel), handle)| (*channel, card(handle))).collect()
    }
}

fn short(effect: &Effect) -> String {
    match effect {
        Effect::Show { channel, entry, replaces, .. } => {
            format!("show {channel:?} {} {replaces:?}", entry.ask.id)
        }
        Effect::Deliver { entry, answer } => format!("deliver {} {answer:?}", entry.ask.id),
        other => format!("{other:?}").chars().take(120).collect(),
    }
}
