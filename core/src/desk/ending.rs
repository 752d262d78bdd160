//! The end of an ask on the desk, and how long it is remembered.

use super::entry::GivenAnswer;
use super::{Desk, Entry, SettledAsk, Transition};
use crate::{AskId, AskState, Channel, Effect, News, Outcome, Responder, RowChange, Span};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// The time for which settled asks are remembered, so that a late press on one of their cards is
/// recognized. It is longer than the 24 h for which Telegram keeps a message for a bot.
pub const REMEMBERED: Span = Span::minutes(7 * 24 * 60);
/// The number of settled asks that are remembered, the latest ones: more than any list that is on
/// its way can still name.
pub const MOST_REMEMBERED: usize = 4_096;

/// The facts about an end, apart from its outcome.
#[derive(Debug, Default)]
pub(super) struct EndNote {
    /// The person who decided it, if that was not us.
    pub by: Option<Responder>,
    /// Whether its end may be explained later.
    pub inquired: bool,
    /// Whether its source is looking that up, and will say.
    pub looked_up: bool,
}

impl EndNote {
    /// The note of an end of which nothing is known, and which may be explained later.
    pub(super) const TOLD_LATER: Self = Self {
        by: None,
        inquired: true,
        looked_up: false,
    };
}

impl Transition<'_> {
    /// Ends an ask: its cards go, its outcome is remembered.
    pub(super) fn settle(&mut self, id: &AskId, outcome: Outcome) {
        self.settle_as(id, outcome, EndNote::default());
    }

    /// Ends an ask, with what else is known of its end.
    pub(super) fn settle_as(&mut self, id: &AskId, outcome: Outcome, note: EndNote) {
        let Some(mut entry) = self.desk.remove(id) else {
            return;
        };
        let cards = core::mem::take(&mut entry.cards);
        let given = entry.given().filter(|_| outcome == Outcome::Gone);
        let unanswered = entry.may_have_been_taken();
        entry.late = entry.late(entry.given(), &outcome);
        // A caller that waits for the verdict is told by the verdict, as long as it waits.
        let awaits_verdict = entry.undelivered.is_none();
        // An end that is looked up is told once it is known. A delivery trouble that was shown is
        // the exception: it is over now.
        let is_told_now = !(note.looked_up && awaits_verdict);
        // No answer is on its way any more.
        entry.undelivered = None;
        entry.failure = None;
        if given.is_none() {
            entry.responder = outcome.responder(entry.responder.take(), note.by);
        }
        entry.state = AskState::Settled {
            outcome: outcome.clone(),
            at: self.now,
        };
        entry.draft = None;
        (entry.behind, entry.also_asked) = (false, 0);
        self.step.save.push(RowChange::Ask(Box::new(entry.clone())));
        let mut told_on = Vec::new();
        for (channel, card) in cards {
            match card.closed {
                true => self.step.save.push(RowChange::NoCard {
                    ask: id.clone(),
                    channel,
                }),
                false => {
                    let ending = Some(Box::new(entry.clone()));
                    let of = (id, Some(entry.serial));
                    self.withdraw(channel, of, card.handle, ending);
                    told_on.extend(channel.stays_until_settled().then_some(channel));
                }
            }
        }
        if is_told_now {
            self.give_back(&entry, awaits_verdict);
        }
        self.note_ended(&outcome);
        self.remember((entry, told_on), outcome.clone(), note.inquired, given);
        if let Some(memory) = self.desk.memory.get_mut(id) {
            memory.unanswered = unanswered;
            memory.told_lost = is_told_now;
        }
        self.step.news.push(News::Settled(id.clone(), outcome));
    }

    /// Gives a late answer back to its human.
    pub(super) fn give_back(&mut self, entry: &Entry, awaits_verdict: bool) {
        if let Some(late) = entry
            .late
            .clone()
            .filter(|late| !(awaits_verdict && late.has_caller()))
        {
            self.step.effects.push(Effect::GiveBack {
                entry: Box::new(entry.clone()),
                late,
            });
        }
    }

    fn remember(
        &mut self,
        (entry, told_on): (Entry, Vec<Channel>),
        outcome: Outcome,
        inquired: bool,
        given: Option<GivenAnswer>,
    ) {
        let id = entry.ask.id.clone();
        if inquired || given.is_some() {
            self.step.save.push(RowChange::Gone {
                ask: id.clone(),
                given: given.clone(),
                inquired,
            });
        }
        let (serial, fingerprint) = (entry.serial, entry.fingerprint);
        let request = entry.ask.request_fingerprint();
        let responder = entry.responder;
        let ask = inquired.then(|| Box::new(entry.ask));
        let (at, listed) = (self.now, false);
        let memory = SettledAsk {
            serial,
            fingerprint,
            request,
            outcome,
            at,
            ask,
            given,
            responder,
            listed,
            told_on,
            unanswered: false,
            told_lost: false,
        };
        self.desk.settled.push_back((self.now, id.clone()));
        self.desk.memory.insert(id, memory);
        self.desk.forget_surplus();
    }

    /// Drops old memories; looks through them once an hour.
    pub(super) fn forget(&mut self) {
        if self
            .desk
            .forgot_at
            .is_some_and(|at| self.now - at < Span::minutes(60))
        {
            return;
        }
        self.desk.forgot_at = Some(self.now);
        self.desk
            .memory
            .retain(|_, memory| self.now - memory.at < REMEMBERED);
        let (entries, memory) = (&self.desk.entries, &self.desk.memory);
        let is_known = |id: &AskId| entries.contains_key(id) || memory.contains_key(id);
        self.desk.by_serial.retain(|_, id| is_known(id));
        self.desk.owners.retain(is_known);
        self.desk
            .settled
            .retain(|(at, id)| memory.get(id).is_some_and(|known| known.at == *at));
        self.forget_leaving();
    }
}

impl Desk {
    /// Restores what is remembered, given in any order.
    pub(super) fn restore_memory(&mut self, mut memory: Vec<(AskId, SettledAsk)>) {
        memory.sort_by_key(|(_, memory)| (memory.at, memory.serial));
        for (id, memory) in memory {
            self.last_serial = self.last_serial.max(memory.serial);
            self.by_serial.insert(memory.serial, id.clone());
            self.settled.push_back((memory.at, id.clone()));
            self.memory.insert(id, memory);
        }
        self.forget_surplus();
    }

    /// Drops the oldest memories above the cap.
    pub(super) fn forget_surplus(&mut self) {
        while self.memory.len() > MOST_REMEMBERED {
            let Some((at, id)) = self.settled.pop_front() else {
                return;
            };
            if let Some(memory) = self.memory.get(&id).filter(|memory| memory.at == at) {
                self.by_serial.remove(&memory.serial);
                self.memory.remove(&id);
                self.owners.forget(&id);
            }
        }
        if self.settled.len() > 2 * MOST_REMEMBERED {
            let memory = &self.memory;
            self.settled
                .retain(|(at, id)| memory.get(id).is_some_and(|known| known.at == *at));
        }
    }
}
