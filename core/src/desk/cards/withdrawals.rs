//! The cards that are being withdrawn. A card's row stays until its channel has confirmed that the
//! card is gone, so that neither a crash nor an outage of the channel leaves a card behind. An ask
//! id has one card on a channel at a time. If the id is given to another ask meanwhile, that ask's
//! card waits until the former one is gone.

use crate::desk::{Card, Desk, Entry, LeftoverCard, Transition};
use crate::{AskId, Channel, Effect, RowChange, Span, Timestamp};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest wait for a channel that does not come back, which may never be set up again.
const GIVEN_UP_AFTER: Span = Span::minutes(30 * 24 * 60);

/// A card that is no longer wanted.
#[derive(Debug)]
pub(in crate::desk) struct PendingWithdrawal {
    /// The serial of the ask that it shows, as far as that is known.
    serial: Option<u64>,
    handle: Option<String>,
    ending: Option<Box<Entry>>,
    since: Timestamp,
}

impl PendingWithdrawal {
    pub(in crate::desk) fn shift(&mut self, by: Span) {
        self.since = self.since + by;
    }
}

impl Transition<'_> {
    /// Withdraws a card of the ask with that number: now, or when its channel works again.
    pub(in crate::desk) fn withdraw(
        &mut self,
        channel: Channel,
        (id, serial): (&AskId, Option<u64>),
        handle: Option<String>,
        ending: Option<Box<Entry>>,
    ) {
        let key = (channel, id.clone());
        let before = self.desk.leaving.remove(&key);
        let (old_handle, old_ending) = before.map_or((None, None), |l| (l.handle, l.ending));
        let (handle, ending) = (handle.or(old_handle), ending.or(old_ending));
        let leaving = PendingWithdrawal {
            serial,
            handle,
            ending,
            since: self.now,
        };
        self.desk.leaving.insert(key.clone(), leaving);
        if self.desk.works(channel) {
            self.tell(key);
        }
    }

    /// Corrects how an ask ended on cards that show their ending. Either the ending is not written
    /// yet, or it was written recently; then the channel still knows the message.
    pub(in crate::desk) fn correct_ending(&mut self, entry: &Entry, told_on: &[Channel]) {
        let (id, serial) = (&entry.ask.id, Some(entry.serial));
        for channel in Channel::ALL
            .into_iter()
            .filter(|channel| channel.stays_until_settled())
        {
            let tells = match self.desk.leaving_serial(channel, id) {
                Some(leaving) => leaving == serial,
                None => told_on.contains(&channel),
            };
            if tells {
                let ending = Some(Box::new(entry.clone()));
                self.withdraw(channel, (id, serial), None, ending);
            }
        }
    }

    /// Repeats all withdrawals to a channel that works (again), also those that it was told before.
    pub(in crate::desk) fn tell_leaving(&mut self, channel: Channel) {
        let of_channel = |key: &&(Channel, AskId)| key.0 == channel;
        let keys: Vec<_> = self
            .desk
            .leaving
            .keys()
            .filter(of_channel)
            .cloned()
            .collect();
        self.desk.unconfirmed.retain(|(of, _), _| *of != channel);
        keys.into_iter().for_each(|key| self.tell(key));
    }

    fn tell(&mut self, key: (Channel, AskId)) {
        let Some(PendingWithdrawal { handle, ending, .. }) = self.desk.leaving.get(&key) else {
            return;
        };
        let (handle, ending) = (handle.clone(), ending.clone());
        let (channel, ask) = key.clone();
        self.step.effects.push(Effect::Withdraw {
            channel,
            ask,
            handle,
            ending,
        });
        *self.desk.unconfirmed.entry(key).or_default() += 1;
    }

    /// Notes that the channel has withdrawn a card. Of several withdrawals only the last counts,
    /// since the card may have been shown again before it. Another ask with the same id may wait
    /// for this.
    pub(in crate::desk) fn on_withdrawn(&mut self, channel: Channel, ask: AskId) {
        let key = (channel, ask);
        let Some(count) = self.desk.unconfirmed.get_mut(&key) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.desk.unconfirmed.remove(&key);
        if self.desk.leaving.remove(&key).is_some() {
            self.step.save.push(RowChange::NoCard {
                ask: key.1.clone(),
                channel,
            });
            self.ring(&key.1);
        }
    }

    /// Forgets a card whose ending another machine has shown already, so that nothing is left to
    /// do.
    pub(in crate::desk) fn forget_card(&mut self, channel: Channel, ask: AskId) {
        let key = (channel, ask);
        self.desk.unconfirmed.remove(&key);
        if self.desk.leaving.remove(&key).is_some() {
            self.step.save.push(RowChange::NoCard {
                ask: key.1.clone(),
                channel,
            });
            self.ring(&key.1);
        }
    }

    /// Gives up the cards of a channel that never comes back.
    pub(in crate::desk) fn forget_leaving(&mut self) {
        let old = |leaving: &PendingWithdrawal| self.now - leaving.since >= GIVEN_UP_AFTER;
        let keys = self
            .desk
            .leaving
            .iter()
            .filter(|(_, leaving)| old(leaving))
            .map(|(key, _)| key);
        for key in keys.cloned().collect::<Vec<_>>() {
            self.desk.leaving.remove(&key);
            self.desk.unconfirmed.remove(&key);
            self.step.save.push(RowChange::NoCard {
                ask: key.1.clone(),
                channel: key.0,
            });
            self.ring(&key.1);
            self.desk.schedule_after(&key.1, Some(self.now));
        }
    }
}

impl Desk {
    /// Restores the withdrawals of an ask that had ended before Beckon did, for cards that are
    /// still shown.
    pub(in crate::desk) fn restore_leaving(&mut self, mut entry: Entry, since: Timestamp) {
        let cards = core::mem::take(&mut entry.cards);
        for (channel, card) in cards {
            let ending = Some(Box::new(entry.clone()));
            let (serial, handle) = (Some(entry.serial), card.handle);
            let leaving = PendingWithdrawal {
                serial,
                handle,
                ending,
                since,
            };
            self.leaving
                .insert((channel, entry.ask.id.clone()), leaving);
        }
    }

    /// Restores the withdrawal of a card whose ask had ended and whose id is another ask's now, so
    /// that nothing more is known of its ask.
    pub(in crate::desk) fn restore_leftover(&mut self, card: LeftoverCard, since: Timestamp) {
        let LeftoverCard {
            ask,
            channel,
            serial,
            handle,
        } = card;
        let leaving = PendingWithdrawal {
            serial,
            handle,
            ending: None,
            since,
        };
        self.leaving.insert((channel, ask), leaving);
    }

    /// Returns the cards of ended asks that do not show the ending yet: each with its ask and its
    /// handle.
    pub fn unended_cards(&self, channel: Channel) -> impl Iterator<Item = (&Entry, &str)> {
        let leaving = self.leaving.iter();
        leaving
            .filter(move |((of, _), _)| *of == channel)
            .filter_map(|(_, leaving)| {
                Some((&**leaving.ending.as_ref()?, leaving.handle.as_deref()?))
            })
    }

    /// Returns the serial of the card with that id that is being withdrawn there, if one is; the
    /// serial may be unknown.
    pub(in crate::desk) fn leaving_serial(
        &self,
        channel: Channel,
        id: &AskId,
    ) -> Option<Option<u64>> {
        self.leaving
            .get(&(channel, id.clone()))
            .map(|leaving| leaving.serial)
    }

    /// Takes a withdrawal back, since an ask that had ended is open again. A message that shows its
    /// end is used again, so that it becomes true, and the phone does not ring twice.
    pub(in crate::desk) fn take_back(&mut self, entry: &mut Entry) {
        for channel in Channel::ALL
            .into_iter()
            .filter(|channel| channel.stays_until_settled())
        {
            let key = (channel, entry.ask.id.clone());
            if self.leaving_serial(channel, &key.1) != Some(Some(entry.serial)) {
                continue;
            }
            if let Some(PendingWithdrawal { handle, .. }) = self.leaving.remove(&key) {
                let card = Card {
                    handle,
                    stale: true,
                    ..Card::default()
                };
                entry.cards.insert(channel, card);
            }
        }
    }
}
