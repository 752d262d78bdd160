//! The human's word on an ask that they leave open (`ask/attention.rs`), and the end of a snooze.

use super::super::{AnswerRefusal, Transition};
use crate::{
    AskId, AskState, Attention, Fingerprint, News, PolicyInput, PresenceOverride, Span, Timestamp,
};

const UNTIL_BACK: Attention = Attention::Snoozed { until: None };
/// The length of a snooze until the human is back, if presence is unknown.
const UNTOLD: Span = Span::minutes(60);

impl Transition<'_> {
    /// Sets the attention for an ask and its equals: they have one card.
    pub(in super::super) fn on_attend(
        &mut self,
        id: AskId,
        attention: Attention,
        seen: Option<Fingerprint>,
    ) {
        if let Some(refusal) = self.not_attended(&id, seen) {
            return self.step.verdict = Some(Err(refusal));
        }
        let front = self.desk.front_of(&id);
        let now = self.desk.entries.get(&front).map(|entry| entry.attention);
        let nothing_new = attention.is_wanted() && now.is_some_and(Attention::is_wanted);
        if !nothing_new {
            let attention = self.counted_from_now(attention);
            for equal in self.desk.behind(&front).into_iter().chain([front]) {
                self.attend(&equal, attention);
            }
            // The standing is saved with the time at which this was said, so that the length of the
            // snooze is known should the clock be set back while Beckon does not run.
            self.save_standing();
        }
        self.step.verdict = Some(Ok(id));
    }

    /// Notes that one more ask equals one that the human has seen: the new one was not seen, so the
    /// card is wanted again.
    pub(in super::super) fn note_equal(&mut self, id: &AskId) {
        let front = self.desk.front_of(id);
        let entry = self.desk.entries.get(&front);
        if front != *id && entry.is_some_and(|entry| entry.attention == Attention::Seen) {
            self.attend(
                &front,
                Attention::Wanted {
                    since: Some(self.now),
                },
            );
        }
    }

    fn not_attended(&self, id: &AskId, seen: Option<Fingerprint>) -> Option<AnswerRefusal> {
        let another = |fingerprint| {
            self.desk
                .entries
                .get(id)
                .is_some_and(|e| !e.showed(fingerprint))
        };
        let changed = seen.is_some_and(another).then_some(AnswerRefusal::Changed);
        self.desk.taken(id).or(changed)
    }

    /// Returns the attention as it counts from now: an ask that is wanted again waits from now on,
    /// and a snooze that is over already is none.
    fn counted_from_now(&self, attention: Attention) -> Attention {
        match attention {
            Attention::Wanted { .. } => Attention::Wanted {
                since: Some(self.now),
            },
            Attention::Snoozed { until: Some(until) } if until <= self.now => Attention::Wanted {
                since: Some(self.now),
            },
            UNTIL_BACK if self.is_return_unseen() => self.for_want_of_presence(),
            Attention::Snoozed { .. } | Attention::Seen => attention,
        }
    }

    /// Whether the human's return cannot be seen: presence is unknown, or they have said that they
    /// do not leave.
    fn is_return_unseen(&self) -> bool {
        let says_here = self.desk.standing_at(self.now).said == PresenceOverride::Here;
        says_here || self.desk.situation(self.now).unknown
    }

    /// Returns the snooze that is used if the human's return cannot be seen.
    fn for_want_of_presence(&self) -> Attention {
        Attention::Snoozed {
            until: Some(self.now + UNTOLD),
        }
    }

    fn attend(&mut self, id: &AskId, attention: Attention) {
        self.change(id, |entry, step| {
            entry.attention = attention;
            if !attention.is_wanted() {
                entry.silence();
            }
            step.news.push(News::Attention(entry.ask.id.clone()));
        });
        // A notification that was closed by hand is called for again.
        if attention.is_wanted() {
            self.open_again(id);
        }
        self.ring(id);
    }

    /// Ends a snooze by the clock. An ask that its source has yet to confirm wakes after that.
    pub(in super::super) fn wake(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let wakes_at = entry.attention.wakes_at().filter(|at| *at <= self.now);
        if let Some(at) = wakes_at.filter(|_| !entry.held(self.now)) {
            self.call_again(id, at);
        }
    }

    /// Ends the snoozes until the human is back, once they are back or known to be here again. If
    /// presence is no longer known, these snoozes end by the clock.
    pub(in super::super) fn wake_on_return(&mut self, before: PolicyInput, now: PolicyInput) {
        let is_here = |situation: PolicyInput| !situation.away && !situation.unknown;
        for id in self.desk.ids_of(|entry| entry.attention == UNTIL_BACK) {
            if !is_here(before) && is_here(now) {
                self.call_again(&id, self.now);
            } else if now.unknown {
                let attention = self.for_want_of_presence();
                self.attend(&id, attention);
            }
        }
    }

    /// Rings as if it had been asked at that time.
    fn call_again(&mut self, id: &AskId, since: Timestamp) {
        self.attend(id, Attention::Wanted { since: Some(since) });
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        if entry.state == AskState::Open && !self.desk.situation(self.now).paused {
            self.remind(id);
        }
    }
}
