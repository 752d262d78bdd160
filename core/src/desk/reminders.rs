//! Ringing once more: reminders of what still waits, and one warning before an ask expires.

use super::Desk;
use crate::{AskId, Channel, Effect, Reminder, Step, Timestamp};

impl Desk {
    /// Whatever was missed, in a pause or a sleep, it rings once.
    pub(super) fn nudge(&mut self, id: &AskId, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get(id) else { return };
        if entry.held(now) {
            return;
        }
        let due = |at: Option<Timestamp>| at.is_some_and(|at| now >= at);
        let reminds = due(entry.reminds_at(&self.policy)) && !self.situation(now).paused;
        if due(entry.warns_at(&self.policy)) {
            self.warn(id, now, step);
        } else if reminds {
            self.remind(id, now, step);
        }
    }

    /// Goes to every card there is, also to one that does not ring at the moment.
    fn warn(&mut self, id: &AskId, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get_mut(id) else { return };
        let Some(at) = entry.expires_at(&self.policy) else { return };
        (entry.warned_at, entry.reminded_at) = (Some(now), Some(now));
        self.save(id, step);
        self.update_lasting(id, step);
        let wanted = |channel| self.policy.permits(channel);
        self.ring_again(id, wanted, Reminder::ExpiresAt(at), now, step);
    }

    /// A notification that the human closed comes back: they wanted to be reminded. Where the card
    /// has come up in this very moment, that is reminder enough.
    fn remind(&mut self, id: &AskId, now: Timestamp, step: &mut Step) {
        self.open_again(id, step);
        self.ring(id, now, step);
        let Some(entry) = self.entries.get_mut(id) else { return };
        entry.reminded_at = Some(now);
        self.save(id, step);
        let Some(entry) = self.entries.get(id) else { return };
        let ring = self.ringing(entry, now);
        let wanted = |channel| ring.includes(channel) && !entry.shown_now(channel, now);
        self.ring_again(id, wanted, Reminder::StillOpen, now, step);
    }

    /// An answer came back. A card that has come up for it in this very moment says so itself, and
    /// so does one that comes back with its ask.
    pub(super) fn tell_returned(&self, id: &AskId, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get(id) else { return };
        let ring = self.ringing(entry, now);
        let stayed =
            |channel: Channel| channel.stays_until_settled() && !entry.shown_now(channel, now);
        let wanted = |channel| ring.includes(channel) && stayed(channel);
        self.ring_again(id, wanted, Reminder::Returned, now, step);
    }

    fn ring_again(
        &self,
        id: &AskId,
        wanted: impl Fn(Channel) -> bool,
        nudge: Reminder,
        now: Timestamp,
        step: &mut Step,
    ) {
        let Some(entry) = self.entries.get(id) else { return };
        for channel in Channel::ALL {
            if wanted(channel) && entry.has_card(channel) && self.works(channel) {
                let quiet = self.policy.is_quiet(now) || self.situation(now).paused;
                let silent = channel.can_be_silent() && quiet;
                let drawn = self.drawn(id);
                let remind = |entry| Effect::Remind { channel, entry, nudge, silent };
                step.effects.extend(drawn.map(remind));
            }
        }
    }
}
