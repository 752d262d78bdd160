//! The human's presence, what they said of it, and what follows when that changes.

mod absence;
mod seats;

pub(super) use absence::Absence;

use super::{Desk, Transition};
use crate::hub::Elsewhere;
use crate::{
    Channel, Effect, News, Policy, PolicyInput, PresenceOverride, PresenceReading, PresenceState,
    Reach, RowChange,
};
use crate::{FinishedTurn, SourceId, Timestamp};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Transition<'_> {
    pub(super) fn on_presence(&mut self, reading: PresenceReading) {
        // The reader may have read the clock just before it was set back.
        let last_input = reading.last_input.map(|at| at.min(self.now));
        self.desk.standing.reading = PresenceReading {
            last_input,
            ..reading
        };
        self.step.news.push(News::Standing);
        self.look_round();
    }

    pub(super) fn on_said(&mut self, said: PresenceOverride, until: Option<Timestamp>) {
        self.desk.standing.said = said;
        self.desk.said_until = until.filter(|_| said != PresenceOverride::Auto);
        self.on_word();
    }

    pub(super) fn on_pause(&mut self, until: Option<Timestamp>) {
        self.desk.paused_until = until;
        self.on_word();
    }

    pub(super) fn on_policy(&mut self, policy: Policy) {
        let before = core::mem::replace(&mut self.desk.policy, policy);
        self.look_anew();
        if before.expire_after != policy.expire_after {
            self.update_expiries();
        }
    }

    /// Takes in that the human has said something else, or that the time of what they said is over.
    fn on_word(&mut self) {
        self.end_words();
        self.save_standing();
        self.step.news.push(News::Standing);
        self.look_round();
    }

    pub(super) fn save_standing(&mut self) {
        let (said, said_until) = (self.desk.standing.said, self.desk.said_until);
        let paused_until = self.desk.paused_until;
        self.step.save.push(RowChange::Standing {
            said,
            said_until,
            paused_until,
        });
    }

    fn end_words(&mut self) {
        self.desk.standing = self.desk.standing_at(self.now);
        self.desk.said_until = self.desk.said_until.filter(|until| self.now < *until);
        self.desk.paused_until = self.desk.paused_until.filter(|until| self.now < *until);
    }

    /// Takes in what follows from the clock alone: a pause or a statement that has ended, an idle
    /// human who has left, a machine that is no longer heard of.
    pub(super) fn keep_time(&mut self) {
        let over = |at: Option<Timestamp>| at.is_some_and(|at| self.now >= at);
        if over(self.desk.paused_until) || over(self.desk.said_until) {
            self.on_word();
        } else if over(self.desk.leaves_at) {
            self.step.news.push(News::Standing);
            self.look_round();
        }
        self.expire_seats();
    }

    /// Looks whether the situation that counts for every ask has changed; if not, no ask is
    /// touched.
    pub(super) fn look_round(&mut self) {
        if let Some(before) = self.take_in() {
            self.follow(before);
        }
    }

    /// Brings every ask in line, whether the situation has changed or not.
    pub(super) fn look_anew(&mut self) {
        let before = self.desk.situation;
        self.take_in();
        self.follow(before);
    }

    /// Takes in the current situation, and returns the former one if that was different.
    fn take_in(&mut self) -> Option<Option<PolicyInput>> {
        let standing = self.desk.standing_at(self.now);
        self.desk.leaves_at = standing
            .leaves_at(self.desk.policy.away_after)
            .filter(|at| *at > self.now);
        let situation = self.desk.situation(self.now);
        let before = self.desk.situation.replace(situation);
        (before != Some(situation)).then_some(before)
    }

    fn follow(&mut self, before: Option<PolicyInput>) {
        let situation = self.desk.situation(self.now);
        if let Some(before) = before {
            self.wake_on_return(before, situation);
            self.note_presence(before, situation);
        }
        self.ring_all();
    }

    /// Tells that a turn is finished. It asks nothing: it is told once, where the human is, or not
    /// at all.
    pub(super) fn on_turn(&mut self, source: &SourceId, turn: FinishedTurn) {
        let reach = self
            .desk
            .policy
            .tells(turn.took, &self.desk.situation(self.now));
        let told = |channel: &Channel| Some(channel.reach()) == reach && self.desk.works(*channel);
        if let Some(channel) = Channel::ALL.into_iter().find(told) {
            self.step.effects.push(Effect::Tell {
                channel,
                source: source.clone(),
                turn: Box::new(turn),
            });
        }
    }
}

impl Desk {
    pub(super) fn situation(&self, now: Timestamp) -> PolicyInput {
        self.situation_with(self.elsewhere(now), now)
    }

    fn situation_with(&self, elsewhere: Elsewhere, now: Timestamp) -> PolicyInput {
        let standing = self.standing_at(now);
        PolicyInput {
            away: standing.away(now, self.policy.away_after, self.policy.lock_is_away),
            unknown: standing.unknown(),
            paused: self.is_paused(now),
            none_here: self.none_works_here(),
            elsewhere,
            said_away: standing.said == PresenceOverride::Away || self.seats.is_said_away(),
            paused_elsewhere: self.seats.is_paused(),
        }
    }

    fn is_paused(&self, now: Timestamp) -> bool {
        self.paused_until.is_some_and(|until| now < until)
    }

    /// Whether a channel here has said that it does not work, and none that it does.
    fn none_works_here(&self) -> bool {
        let mut here = self
            .channels
            .iter()
            .filter(|(channel, _)| channel.reach() == Reach::Here);
        let heard = here.clone().next().is_some();
        heard && here.all(|(_, works)| !works)
    }

    pub(super) fn standing_at(&self, now: Timestamp) -> PresenceState {
        let over = self.said_until.is_some_and(|until| now >= until);
        let said = if over {
            PresenceOverride::Auto
        } else {
            self.standing.said
        };
        PresenceState {
            said,
            ..self.standing
        }
    }

    /// Returns the channel for a message that asks nothing, at `now`: one where the human is, else
    /// any that works, and none in a pause.
    pub fn tells_on(&self, now: Timestamp) -> Option<Channel> {
        let situation = self.situation(now);
        let paused = situation.paused;
        let near = if situation.is_gone() {
            Reach::Away
        } else {
            Reach::Here
        };
        let (first, others): (Vec<_>, Vec<_>) = Channel::ALL
            .into_iter()
            .partition(|channel| channel.reach() == near);
        let may = |channel: &Channel| self.policy.permits(*channel) && self.works(*channel);
        first
            .into_iter()
            .chain(others)
            .find(|channel| !paused && may(channel))
    }
}
