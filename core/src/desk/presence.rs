//! Where the human is, what they said of it, and what follows when that changes.

use super::Desk;
use crate::{
    AskId, Channel, Effect, News, Policy, PolicyInput, PresenceOverride, PresenceReading,
    PresenceState, Reach, RowChange, Step,
};
use crate::{FinishedTurn, Timestamp};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Desk {
    pub(super) fn on_presence(
        &mut self,
        reading: PresenceReading,
        now: Timestamp,
        step: &mut Step,
    ) {
        // Whoever read may have looked at the clock just before it was set back.
        let last_input = reading.last_input.map(|at| at.min(now));
        self.standing.reading = PresenceReading { last_input, ..reading };
        step.news.push(News::Standing);
        self.look_round(now, step);
    }

    pub(super) fn on_said(
        &mut self,
        said: PresenceOverride,
        until: Option<Timestamp>,
        now: Timestamp,
        step: &mut Step,
    ) {
        self.standing.said = said;
        self.said_until = until.filter(|_| said != PresenceOverride::Auto);
        self.on_word(now, step);
    }

    pub(super) fn on_pause(&mut self, until: Option<Timestamp>, now: Timestamp, step: &mut Step) {
        self.paused_until = until;
        self.on_word(now, step);
    }

    pub(super) fn on_policy(&mut self, policy: Policy, now: Timestamp, step: &mut Step) {
        let before = core::mem::replace(&mut self.policy, policy);
        self.situation = None;
        self.look_round(now, step);
        if before.expire_after != policy.expire_after {
            self.update_expiries(step);
        }
    }

    /// What the human said is another, or has come to its end.
    fn on_word(&mut self, now: Timestamp, step: &mut Step) {
        self.end_words(now);
        let (said, said_until) = (self.standing.said, self.said_until);
        let paused_until = self.paused_until;
        step.save.push(RowChange::Standing { said, said_until, paused_until });
        step.news.push(News::Standing);
        self.look_round(now, step);
    }

    fn end_words(&mut self, now: Timestamp) {
        self.standing = self.standing_at(now);
        self.said_until = self.said_until.filter(|until| now < *until);
        self.paused_until = self.paused_until.filter(|until| now < *until);
    }

    /// What holds by the clock alone: a pause or a word that is over, an idle human who has left.
    pub(super) fn keep_time(&mut self, now: Timestamp, step: &mut Step) {
        let over = |at: Option<Timestamp>| at.is_some_and(|at| now >= at);
        if over(self.paused_until) || over(self.said_until) {
            self.on_word(now, step);
        } else if over(self.leaves_at) {
            step.news.push(News::Standing);
            self.look_round(now, step);
        }
    }

    /// Looks whether anything is another that counts for every ask; if not, none is touched.
    pub(super) fn look_round(&mut self, now: Timestamp, step: &mut Step) {
        let standing = self.standing_at(now);
        self.leaves_at = standing.leaves_at(self.policy.away_after).filter(|at| *at > now);
        let situation = self.situation(now);
        let before = self.situation.replace(situation);
        if before == Some(situation) {
            return;
        }
        if before.is_some_and(|before| before.away) && !situation.away {
            let ids: Vec<AskId> = self.entries.keys().cloned().collect();
            ids.iter().for_each(|id| self.open_again(id, step));
        }
        self.ring_all(now, step);
    }

    pub(super) fn situation(&self, now: Timestamp) -> PolicyInput {
        let standing = self.standing_at(now);
        PolicyInput {
            away: standing.away(now, self.policy.away_after, self.policy.lock_is_away),
            unknown: standing.unknown(),
            paused: self.paused_until.is_some_and(|until| now < until),
            none_here: self.none_works_here(),
        }
    }

    /// Has a channel here said that it does not work, and none that it does?
    fn none_works_here(&self) -> bool {
        let mut here = self.channels.iter().filter(|(channel, _)| channel.reach() == Reach::Here);
        let heard = here.clone().next().is_some();
        heard && here.all(|(_, works)| !works)
    }

    pub(super) fn standing_at(&self, now: Timestamp) -> PresenceState {
        let over = self.said_until.is_some_and(|until| now >= until);
        let said = if over { PresenceOverride::Auto } else { self.standing.said };
        PresenceState { said, ..self.standing }
    }

    /// Where a few words that ask nothing are told at `now`: where the human is, else where it works
    /// at all, and nowhere in a pause.
    pub fn tells_on(&self, now: Timestamp) -> Option<Channel> {
        let PolicyInput { away, paused, .. } = self.situation(now);
        let near = if away { Reach::Away } else { Reach::Here };
        let (first, others): (Vec<_>, Vec<_>) =
            Channel::ALL.into_iter().partition(|channel| channel.reach() == near);
        let may = |channel: &Channel| self.policy.permits(*channel) && self.works(*channel);
        first.into_iter().chain(others).find(|channel| !paused && may(channel))
    }

    /// A finished turn asks nothing: it is told once, where the human is, or not at all.
    pub(super) fn on_turn(&self, turn: FinishedTurn, now: Timestamp, step: &mut Step) {
        let reach = self.policy.tells(turn.took, &self.situation(now));
        let told = |channel: &Channel| Some(channel.reach()) == reach && self.works(*channel);
        if let Some(channel) = Channel::ALL.into_iter().find(told) {
            step.effects.push(Effect::Tell { channel, turn: Box::new(turn) });
        }
    }
}
