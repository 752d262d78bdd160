//! The list of all that waits, in one chat: its message, how it is to look, whether it is pinned.
//! Nothing waits for it, so every other call goes first.
//!
//! Not here: what is on it.

use super::super::pace::hurry;
use super::super::retry::{FailureTime, RetryState};
use super::super::{CardForm, ListUrgency, OutboxCall, WantedList};
use crate::channels::telegram::api::CallError;
use crate::channels::telegram::card::CardMessage;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The time within which several changes become one look.
const SETTLES_WITHIN: Duration = Duration::from_millis(500);
/// The time between two looks while the cards say the same: seldom, since each edit counts for the
/// limits.
const SELDOM: Duration = Duration::from_secs(60);
/// The time between two looks while something is on the list only.
const OFTEN: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct ListSlot {
    /// The time at which the list is to be drawn anew, if it is.
    changed: Option<Instant>,
    /// The time at which it was drawn last.
    drawn: Option<Instant>,
    wanted: Option<WantedList>,
    pub(super) message: Option<i32>,
    shown: Option<CardMessage>,
    /// The serials of the asks that were on it when it was sent last.
    told: BTreeSet<u64>,
    pin: Pin,
    form: Option<CardForm>,
    retry: RetryState,
}

/// Whether the list is to be pinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pin {
    /// No: it is pinned, or it was once and a human took the pin away, who wants it so; or the bot
    /// may not pin.
    #[default]
    Done,
    Wanted,
}

impl ListSlot {
    /// Notes that something is to be told on the list.
    pub(super) fn changed(&mut self, urgency: ListUrgency, now: Instant) {
        let every = match urgency {
            ListUrgency::Now => Duration::ZERO,
            ListUrgency::Soon => OFTEN / hurry(),
            ListUrgency::Whenever => SELDOM / hurry(),
        };
        let free = self.drawn.map_or(now, |drawn| drawn + every);
        let at = free.max(now + SETTLES_WITHIN / hurry());
        self.changed = Some(self.changed.map_or(at, |before| before.min(at)));
    }

    /// Returns when it is to be drawn.
    pub(super) fn draw_due(&self) -> Option<Instant> {
        self.changed
    }

    /// Whether it is to be drawn now. True only once: the caller draws it.
    pub(super) fn take_changed(&mut self, now: Instant) -> bool {
        let due = self.changed.is_some_and(|at| at <= now);
        if due {
            (self.changed, self.drawn) = (None, Some(now));
        }
        due
    }

    /// Sets how it is to look.
    pub(super) fn want(&mut self, wanted: WantedList) {
        self.message = self.message.or(wanted.known);
        if self
            .wanted
            .as_ref()
            .is_none_or(|before| before.card != wanted.card)
        {
            (self.form, self.retry) = (None, RetryState::default());
        }
        self.wanted = Some(wanted);
    }

    /// Returns when the next call for it may go; `None` when there is none.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        self.next().map(|_| self.retry.due(now))
    }

    pub(super) fn next(&self) -> Option<OutboxCall> {
        let WantedList {
            card: wanted,
            serials,
            ..
        } = self.wanted.as_ref()?;
        let (card, form) = (wanted.clone(), self.form.unwrap_or(CardForm::Marked));
        match self.message {
            // Nothing waits, and there is no message that would have to say so.
            None if card.keyboard.is_empty() => None,
            // The human who has deleted the list knows of all these.
            None if serials.is_subset(&self.told) => None,
            None => Some(OutboxCall::Send {
                thread: None,
                card,
                form,
                silent: true,
            }),
            Some(message) if self.shown.as_ref() != Some(wanted) => Some(OutboxCall::Edit {
                message,
                card,
                form,
            }),
            Some(message) => (self.pin == Pin::Wanted).then_some(OutboxCall::Pin { message }),
        }
    }

    /// Notes that a call has done its work. Returns the message if that is new.
    pub(super) fn sent(&mut self, call: &OutboxCall, made: Option<i32>) -> Option<i32> {
        self.retry.reset();
        self.note_told(call);
        match call {
            OutboxCall::Send { card, .. } => {
                (self.message, self.shown, self.pin) = (made, Some(card.clone()), Pin::Wanted);
                return made;
            }
            OutboxCall::Edit { card, .. } => self.shown = Some(card.clone()),
            _ => self.pin = Pin::Done,
        }
        None
    }

    /// Notes which asks the list tells of, if it is still wanted as that call sent it. What has
    /// been wanted since is not told yet.
    fn note_told(&mut self, call: &OutboxCall) {
        let (OutboxCall::Send { card, .. } | OutboxCall::Edit { card, .. }) = call else {
            return;
        };
        if let Some(wanted) = self.wanted.as_ref().filter(|wanted| wanted.card == *card) {
            self.told.clone_from(&wanted.serials);
        }
    }

    /// Notes that it got no verdict. Returns the pause after which it is repeated, if that is to be
    /// soon.
    pub(super) fn unanswered(&mut self, at: FailureTime) -> Option<Duration> {
        self.retry.unanswered(at)
    }

    /// Notes that it was refused. Returns `true` when the message is gone.
    pub(super) fn refused(
        &mut self,
        call: &OutboxCall,
        trouble: &CallError,
        has_timer: bool,
    ) -> bool {
        if matches!(call, OutboxCall::Pin { .. }) {
            self.pin = Pin::Done;
            return false;
        }
        if *trouble == CallError::MessageGone && matches!(call, OutboxCall::Edit { .. }) {
            self.lose_message(has_timer);
            return true;
        }
        let form = call.form().unwrap_or(CardForm::Marked);
        self.form = form.poorer().filter(|_| !trouble.is_of_the_place());
        if self.form.is_none() {
            self.wanted = None;
        }
        false
    }

    /// Forgets the message, which was deleted. A new one is sent for asks that the deleted one did
    /// not tell of, also for those that the failed call was to tell of. In a chat that deletes by
    /// itself the list comes back as it was.
    pub(super) fn lose_message(&mut self, has_timer: bool) {
        let mut told = std::mem::take(&mut self.told);
        if has_timer {
            told.clear();
        }
        let wanted = self
            .wanted
            .take()
            .filter(|wanted| !wanted.serials.is_subset(&told));
        let (drawn, changed) = (self.drawn, self.changed);
        *self = Self {
            drawn,
            changed,
            told,
            wanted,
            ..Self::default()
        };
    }

    /// Lets it be tried at once, after the server has answered again.
    pub(super) fn resume(&mut self) {
        self.retry.reset();
    }
}
