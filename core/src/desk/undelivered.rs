//! Answers that do not arrive: a trouble that every surface shows, while delivery is tried again.
//!
//! Not here: the tries themselves (`answering.rs`).

use super::entry::UndeliveredAnswer;
use super::{Entry, Transition};
use crate::{AskId, AskState, Channel, Effect, News, Reminder, Span, Timestamp};
use alloc::boxed::Box;
use alloc::string::String;

/// The time after which an answer on its way counts as undelivered. Most are taken within a tenth
/// of a second; a busy agent needs a second or two.
const TAKEN_WITHIN: Span = Span::seconds(5);

impl Entry {
    /// Returns when its answer will have been on its way for longer than usual; `None` once that
    /// was told. After a restart the source's list and the first try are awaited: only they tell
    /// why.
    pub(super) fn doubted_at(&self) -> Option<Timestamp> {
        let AskState::Answering { at, tried_at, .. } = self.state else {
            return None;
        };
        let tried = tried_at.filter(|_| self.in_flight && self.failure.is_none());
        let begun = tried.map_or(at, |tried| tried.max(at));
        let doubted = begun + TAKEN_WITHIN;
        let awaited = self.hold_until.map_or(doubted, |hold| doubted.max(hold));
        self.undelivered.is_none().then_some(awaited)
    }

    /// Notes what the last try met; `None` if it seemed to arrive.
    pub(super) fn note_failure(&mut self, why: Option<String>) {
        if let Some(undelivered) = &mut self.undelivered {
            undelivered.why.clone_from(&why);
        }
        self.failure = why;
    }
}

impl Transition<'_> {
    /// Tells the human once that an answer does not arrive, where they are.
    pub(super) fn doubt(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let AskState::Answering { at: since, .. } = entry.state else {
            return;
        };
        if entry.doubted_at().is_none_or(|at| self.now < at) {
            return;
        }
        self.change(id, |entry, step| {
            entry.undelivered = Some(UndeliveredAnswer {
                since,
                why: entry.failure.clone(),
            });
            step.news.push(News::Undelivered(id.clone()));
        });
        self.tell_undelivered(id);
    }

    /// Tells it beside the card, where that stays, and also where it has gone with the answer.
    fn tell_undelivered(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let situation = self.desk.situation(self.now);
        let ring = self
            .desk
            .policy
            .ring(entry.ask.asked_at, &situation, self.now);
        for channel in Channel::ALL {
            let has_place = !channel.stays_until_settled() || entry.has_card(channel);
            if ring.includes(channel) && has_place && self.desk.works(channel) {
                let silent = channel.can_be_silent() && self.desk.policy.is_quiet(self.now);
                let (entry, reminder) = (Box::new(entry.clone()), Reminder::Undelivered);
                self.step.effects.push(Effect::Remind {
                    channel,
                    entry,
                    reminder,
                    silent,
                });
            }
        }
    }
}
