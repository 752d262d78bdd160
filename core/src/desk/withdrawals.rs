//! Cards on their way out. A card's row stays until its channel has confirmed that it is gone, so
//! that a crash, or an outage of the channel, leaves no card behind.

use super::{Card, Desk, Entry};
use crate::{AskId, Channel, Effect, RowChange, Span, Step, Timestamp};

/// A channel that does not come back is not waited for longer than this: it may never have been set
/// up again.
const GIVEN_UP_AFTER: Span = Span::minutes(30 * 24 * 60);

/// A card that is no longer wanted.
#[derive(Debug)]
pub(super) struct PendingWithdrawal {
    handle: Option<String>,
    ending: Option<Box<Entry>>,
    since: Timestamp,
}

impl PendingWithdrawal {
    pub(super) fn shift(&mut self, by: Span) {
        self.since = self.since + by;
    }
}

impl Desk {
    /// It ended, and Beckon did too before every card was taken away.
    pub(super) fn restore_leaving(&mut self, mut entry: Entry, since: Timestamp) {
        let cards = std::mem::take(&mut entry.cards);
        for (channel, card) in cards {
            let ending = Some(Box::new(entry.clone()));
            let leaving = PendingWithdrawal { handle: card.handle, ending, since };
            self.leaving.insert((channel, entry.ask.id.clone()), leaving);
        }
    }

    /// Takes a card away: now, or when its channel works again.
    pub(super) fn withdraw(
        &mut self,
        channel: Channel,
        id: &AskId,
        handle: Option<String>,
        ending: Option<Box<Entry>>,
        now: Timestamp,
        step: &mut Step,
    ) {
        let key = (channel, id.clone());
        let before = self.leaving.remove(&key);
        let (old_handle, old_ending) = before.map_or((None, None), |l| (l.handle, l.ending));
        let (handle, ending) = (handle.or(old_handle), ending.or(old_ending));
        self.leaving.insert(key.clone(), PendingWithdrawal { handle, ending, since: now });
        if self.works(channel) {
            self.tell(key, step);
        }
    }

    /// How an ask ended is known better; its last line may not be written yet.
    pub(super) fn correct_ending(&mut self, entry: &Entry, now: Timestamp, step: &mut Step) {
        for channel in Channel::ALL.into_iter().filter(|channel| channel.stays_until_settled()) {
            let key = (channel, entry.ask.id.clone());
            if self.leaving.contains_key(&key) {
                let ending = Some(Box::new(entry.clone()));
                self.withdraw(channel, &key.1, None, ending, now, step);
            }
        }
    }

    /// A channel works (again): it is told of everything that was to go, also of what it was told
    /// before.
    pub(super) fn tell_leaving(&mut self, channel: Channel, step: &mut Step) {
        let of_channel = |key: &&(Channel, AskId)| key.0 == channel;
        let keys: Vec<_> = self.leaving.keys().filter(of_channel).cloned().collect();
        self.unconfirmed.retain(|(of, _), _| *of != channel);
        keys.into_iter().for_each(|key| self.tell(key, step));
    }

    fn tell(&mut self, key: (Channel, AskId), step: &mut Step) {
        let Some(PendingWithdrawal { handle, ending, .. }) = self.leaving.get(&key) else { return };
        let (handle, ending) = (handle.clone(), ending.clone());
        let (channel, ask) = key.clone();
        step.effects.push(Effect::Withdraw { channel, ask, handle, ending });
        *self.unconfirmed.entry(key).or_default() += 1;
    }

    /// The channel has done as it was told. Only the last of several withdrawals counts: before the
    /// others the card may have been shown again.
    pub(super) fn on_withdrawn(&mut self, channel: Channel, ask: AskId, step: &mut Step) {
        let key = (channel, ask);
        let Some(count) = self.unconfirmed.get_mut(&key) else { return };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.unconfirmed.remove(&key);
        if self.leaving.remove(&key).is_some() {
            step.save.push(RowChange::NoCard { ask: key.1, channel });
        }
    }

    /// An ask that had ended is open again: a message that tells its end is taken up again, so that
    /// it says what holds, and the phone does not ring twice.
    pub(super) fn take_back(&mut self, entry: &mut Entry) {
        for channel in Channel::ALL.into_iter().filter(|channel| channel.stays_until_settled()) {
            let key = (channel, entry.ask.id.clone());
            if let Some(PendingWithdrawal { handle, .. }) = self.leaving.remove(&key) {
                let card = Card { handle, stale: true, ..Card::default() };
                entry.cards.insert(channel, card);
            }
        }
    }

    /// Gives up the cards of a channel that never comes back.
    pub(super) fn forget_leaving(&mut self, now: Timestamp, step: &mut Step) {
        let old = |leaving: &PendingWithdrawal| now - leaving.since >= GIVEN_UP_AFTER;
        let keys = self.leaving.iter().filter(|(_, leaving)| old(leaving)).map(|(key, _)| key);
        for key in keys.cloned().collect::<Vec<_>>() {
            self.leaving.remove(&key);
            self.unconfirmed.remove(&key);
            step.save.push(RowChange::NoCard { ask: key.1, channel: key.0 });
        }
    }
}
