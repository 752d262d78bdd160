//! How an ask leaves the desk, and how long it is remembered.

use super::entry::Given;
use super::{Desk, Entry, Memory};
use crate::{AskId, News, Outcome, Save, Span, State, Step, Target, Timestamp};

/// Settled asks are remembered for so long: late presses on their cards meet a memory. Longer than
/// the 24 h for which Telegram keeps a message for a bot.
const REMEMBERED: Span = Span::minutes(7 * 24 * 60);

impl Desk {
    /// Ends an ask: its cards go, its outcome is remembered.
    pub(super) fn settle(&mut self, id: &AskId, outcome: Outcome, now: Timestamp, step: &mut Step) {
        self.settle_as(id, outcome, false, now, step);
    }

    /// The same; when it is `inquired` what became of it, that is still to be found out.
    pub(super) fn settle_as(
        &mut self,
        id: &AskId,
        outcome: Outcome,
        inquired: bool,
        now: Timestamp,
        step: &mut Step,
    ) {
        let Some(mut entry) = self.remove(id) else { return };
        let cards = std::mem::take(&mut entry.cards);
        let given = entry.given().filter(|_| outcome == Outcome::Gone);
        entry.state = State::Settled { outcome: outcome.clone(), at: now };
        entry.draft = None;
        step.save.push(Save::Ask(Box::new(entry.clone())));
        for (channel, card) in cards {
            match card.closed {
                true => step.save.push(Save::NoCard { ask: id.clone(), channel }),
                false => {
                    let ending = Some(Box::new(entry.clone()));
                    self.withdraw(channel, id, card.handle, ending, now, step);
                }
            }
        }
        self.remember(entry, outcome.clone(), inquired, given, now, step);
        step.news.push(News::Settled(id.clone(), outcome));
    }

    fn remember(
        &mut self,
        entry: Entry,
        outcome: Outcome,
        inquired: bool,
        given: Option<Given>,
        now: Timestamp,
        step: &mut Step,
    ) {
        let id = entry.ask.id.clone();
        if inquired || given.is_some() {
            step.save.push(Save::Gone { ask: id.clone(), given: given.clone(), inquired });
        }
        let Target { serial, fingerprint } = entry.target();
        let ask = inquired.then(|| Box::new(entry.ask));
        let memory = Memory { serial, fingerprint, outcome, at: now, ask, given };
        self.memory.insert(id, memory);
    }

    /// Drops old memories, looked at once an hour.
    pub(super) fn forget(&mut self, now: Timestamp, step: &mut Step) {
        if self.forgot_at.is_some_and(|at| now - at < Span::minutes(60)) {
            return;
        }
        self.forgot_at = Some(now);
        self.memory.retain(|_, memory| now - memory.at < REMEMBERED);
        let (entries, memory) = (&self.entries, &self.memory);
        self.by_serial.retain(|_, id| entries.contains_key(id) || memory.contains_key(id));
        self.forget_leaving(now, step);
    }
}
