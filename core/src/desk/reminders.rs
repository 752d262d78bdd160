//! Ringing once more: reminders of what still waits, and one warning before an ask expires.

mod attending;

use super::{Entry, Transition};
use crate::{AskId, Channel, Effect, News, Reminder, Timestamp};

impl Transition<'_> {
    /// Rings once more, or warns, if that is due. However much was missed in a pause or a sleep, it
    /// rings once.
    pub(super) fn remind_or_warn(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        if entry.held(self.now) {
            return;
        }
        let due = |at: Option<Timestamp>| at.is_some_and(|at| self.now >= at);
        let reminds =
            due(entry.reminds_at(&self.desk.policy)) && !self.desk.situation(self.now).paused;
        if due(entry.warns_at(&self.desk.policy)) {
            self.warn(id);
        } else if reminds {
            self.remind(id);
        }
    }

    /// Warns that the ask will expire, on every card there is, also on one that does not ring at
    /// the moment.
    fn warn(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let Some(at) = entry.expires_at(&self.desk.policy) else {
            return;
        };
        let (policy, now, was_set_aside) =
            (self.desk.policy, self.now, !entry.attention.is_wanted());
        self.change(id, |entry, step| {
            (entry.warned_at, entry.reminded_at) = (Some(now), Some(now));
            // Soon the ask cannot be answered any more: that matters more than what the human said
            // of it.
            entry.forget_attention();
            step.news
                .extend(was_set_aside.then(|| News::Attention(id.clone())));
        });
        self.ring(id);
        // A card that has come up just for this says so itself.
        let comes_up = |entry: &Entry, channel| was_set_aside && entry.shown_now(channel, now);
        let wanted = |entry: &Entry, channel| policy.permits(channel) && !comes_up(entry, channel);
        self.ring_again(id, wanted, Reminder::ExpiresAt(at));
    }

    /// Reminds of an ask. A notification that the human closed comes back: they wanted to be
    /// reminded. A card that has come up in this very moment is reminder enough.
    fn remind(&mut self, id: &AskId) {
        self.open_again(id);
        self.ring(id);
        let now = self.now;
        self.change(id, |entry, _| entry.reminded_at = Some(now));
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let ring = self.ringing(entry);
        let wanted =
            |entry: &Entry, channel| ring.includes(channel) && !entry.shown_now(channel, now);
        self.ring_again(id, wanted, Reminder::StillOpen);
    }

    /// Tells that an answer came back. A card that has come up for it in this very moment says so
    /// itself, and so does one that comes back with its ask.
    pub(super) fn tell_returned(&mut self, id: &AskId) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        let (ring, now) = (self.ringing(entry), self.now);
        let wanted = |entry: &Entry, channel: Channel| {
            let stayed = channel.stays_until_settled() && !entry.shown_now(channel, now);
            ring.includes(channel) && stayed
        };
        self.ring_again(id, wanted, Reminder::Returned);
    }

    fn ring_again(
        &mut self,
        id: &AskId,
        wanted: impl Fn(&Entry, Channel) -> bool,
        reminder: Reminder,
    ) {
        let Some(entry) = self.desk.entries.get(id) else {
            return;
        };
        for channel in Channel::ALL {
            if wanted(entry, channel) && entry.has_card(channel) && self.desk.works(channel) {
                let quiet =
                    self.desk.policy.is_quiet(self.now) || self.desk.situation(self.now).paused;
                let silent = channel.can_be_silent() && quiet;
                let drawn = self.desk.drawn(id);
                let remind = |entry| Effect::Remind {
                    channel,
                    entry,
                    reminder,
                    silent,
                };
                self.step.effects.extend(drawn.map(remind));
            }
        }
    }
}
