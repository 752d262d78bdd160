//! The adjustment to a wall clock that was set: what has lasted for a minute still has lasted for a
//! minute, whatever the clock says.
//!
//! Wall-clock times are used since they outlive a restart; what counts is how long something took.

use super::reports::SAID_LATE;
use super::{Entry, SavedState, Transition};
use crate::{AskState, Attention, News, Span, Timestamp};

impl Transition<'_> {
    /// Shifts all times after the clock was set forward, or back (then `by` is negative); it shows
    /// `now`.
    pub(super) fn on_clock_set(&mut self, by: Span) {
        self.desk
            .memory
            .values_mut()
            .for_each(|memory| memory.at = memory.at + by);
        self.desk
            .settled
            .iter_mut()
            .for_each(|(at, _)| *at = *at + by);
        self.desk
            .leaving
            .values_mut()
            .for_each(|leaving| leaving.shift(by));
        self.desk.seats.shift(by);
        for source in self.desk.sources.values_mut() {
            source.refreshed_at = source.refreshed_at.map(|at| at + by);
        }
        self.desk.forgot_at = self.desk.forgot_at.map(|at| at + by);
        let input = &mut self.desk.standing.reading.last_input;
        *input = input.map(|at| at + by);
        // "For an hour" and "until nine" are not told apart: an end that comes sooner keeps nobody
        // waiting.
        for until in [&mut self.desk.said_until, &mut self.desk.paused_until] {
            *until = until.map(|at| at.min(at + by));
        }
        for id in self.desk.ids_of(|_| true) {
            self.change(&id, |entry, _| entry.shift(by));
        }
        self.save_standing();
        // The end of a pause has moved, and so has everything that is drawn with a time.
        self.step.news.push(News::Standing);
        self.look_anew();
        self.update_expiries();
    }

    /// Takes in a changed local time: a journey, or the beginning of summer time.
    pub(super) fn on_utc_offset(&mut self, offset: Span) {
        self.desk.policy.utc_offset = offset;
        self.look_anew();
    }
}

impl Entry {
    /// Shifts all its times, so that they fit the clock as it is set now.
    fn shift(&mut self, by: Span) {
        self.each_time(|at| at + by);
    }

    fn each_time(&mut self, change: impl Fn(Timestamp) -> Timestamp) {
        let each = |time: &mut Option<Timestamp>| *time = time.map(&change);
        self.ask.asked_at = change(self.ask.asked_at);
        match &mut self.state {
            AskState::Open => {}
            AskState::Answering {
                at,
                tried_at,
                sent_at,
                ..
            } => {
                *at = change(*at);
                [tried_at, sent_at].into_iter().for_each(each);
            }
            AskState::Settled { at, .. } => *at = change(*at),
        }
        if let Attention::Snoozed { until: time } | Attention::Wanted { since: time } =
            &mut self.attention
        {
            each(time);
        }
        let Self {
            reminded_at,
            warned_at,
            quiet_since,
            hold_until,
            ruled_until,
            ..
        } = self;
        [reminded_at, warned_at, quiet_since, hold_until, ruled_until]
            .into_iter()
            .for_each(each);
        self.cards
            .values_mut()
            .for_each(|card| each(&mut card.shown_at));
        if let Some(undelivered) = &mut self.undelivered {
            undelivered.since = change(undelivered.since);
        }
    }
}

impl SavedState {
    /// Adjusts saved times. The clock may have been set back while Beckon did not run: nothing that
    /// has happened is still to come, and what the human said for a while holds no longer than it
    /// had left when it was saved.
    pub(super) fn until(mut self, now: Timestamp) -> Self {
        let saved_at = self.standing_at;
        for entry in &mut self.entries {
            let snoozed = entry.attention;
            entry.each_time(|at| at.min(now));
            // The end of a snooze is to come: it is as far off as it was.
            if let Attention::Snoozed { until: Some(until) } = snoozed {
                let left = saved_at.map_or(until, |saved_at| until.min(now + (until - saved_at)));
                entry.attention = Attention::Snoozed { until: Some(left) };
            }
        }
        // How long ago an ask ended cannot be told then. What its source says of it is no late
        // word: nothing that was said to the last run is still on its way.
        let to_come = self.memory.iter_mut().filter(|(_, memory)| memory.at > now);
        to_come.for_each(|(_, memory)| memory.at = now + Span(-SAID_LATE.0));
        if let Some(saved_at) = self.standing_at {
            for until in [&mut self.said_until, &mut self.paused_until] {
                *until = until.map(|at| at.min(now + (at - saved_at)));
            }
        }
        self
    }
}
