//! The times at which others are told of an own ask: as it changes, after a pause without the hub,
//! and whenever the hub shows something else than what was told last.
//!
//! Not here: what is told (`owner.rs`).

use super::{AnswerSubject, AskRecord, AskSubject, HubOwner, SharedEnd, SharedState};
use crate::{AskState, Entry, News};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of ends that are remembered, in case that the hub has not heard of them.
const MOST_ENDS: usize = 4_096;

/// The number of counts of one connection: whatever is told on one counts less than anything on the
/// next, since it may be on its way still.
const OF_ONE_CONNECTION: u64 = 1 << 32;
/// The key among the used rounds for the number of connections that were made: no ask has this
/// number.
pub(super) const CONNECTIONS: u64 = 0;

/// The records that were told, and what was heard of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The count of the latest record.
    count: u64,
    /// The latest that was told of each ask since the connection was made.
    latest: BTreeMap<u64, Latest>,
    /// The ends of asks, by serial.
    ends: BTreeMap<u64, AskRecord>,
}

#[derive(Clone, Copy, Debug)]
struct Latest {
    count: u64,
    /// Whether the hub was heard to have it.
    heard: bool,
}

impl HubOwner {
    /// Whether others learn of that.
    pub fn is_worth_sharing(news: &News) -> bool {
        match news {
            News::Asked(_)
            | News::Answered(..)
            | News::Returned(_)
            | News::Settled(..)
            | News::Reopened(_)
            | News::Agreed(_)
            // An own ask may have lost the yes of a person that counts no longer.
            | News::Held(_)
            | News::Changed(_)
            | News::CallTold(_) => true,
            News::Shown(..)
            | News::Sent(_)
            | News::Undelivered(_)
            | News::Attention(_)
            | News::Source(_)
            | News::Standing => false,
        }
    }

    /// Returns the subject at which an answer that was given here takes the place of its round, so
    /// that no other answer does.
    pub fn takes_place(&self, news: &News, entry: &Entry) -> Option<AnswerSubject> {
        let is_answered = matches!(news, News::Answered(..))
            && matches!(entry.state, AskState::Answering { .. })
            && self.nonce(entry.serial).is_none();
        let (ask, round) = (self.subject(entry.serial), self.round(entry));
        is_answered.then_some(AnswerSubject { ask, round })
    }

    /// Returns the subject of an own ask.
    pub fn subject(&self, serial: u64) -> AskSubject {
        AskSubject {
            node: self.node().to_owned(),
            serial,
        }
    }

    /// Returns an ask's record as it is now, to be told. `ask` says what is asked, beside the rest
    /// of the record.
    pub fn share(
        &mut self,
        entry: &Entry,
        name: &str,
        ask: impl FnOnce(&AskRecord) -> String,
    ) -> AskRecord {
        let mut record = self.record(entry, name);
        match record.state {
            SharedState::Ended(_) => self.note_end(entry.serial, &record),
            SharedState::Open | SharedState::Answering(_) => {
                self.told.ends.remove(&entry.serial);
                record.ask = ask(&record);
            }
        }
        self.counted(entry.serial, record)
    }

    fn counted(&mut self, serial: u64, record: AskRecord) -> AskRecord {
        self.told.count = self.told.count.saturating_add(1);
        let count = self.told.count;
        self.told.latest.insert(
            serial,
            Latest {
                count,
                heard: false,
            },
        );
        if self.told.latest.len() > 2 * MOST_ENDS {
            // The record that is told now comes back soon, and must be recognized then.
            let oldest = self
                .told
                .latest
                .keys()
                .copied()
                .find(|known| *known != serial);
            oldest.and_then(|oldest| self.told.latest.remove(&oldest));
        }
        AskRecord { count, ..record }
    }

    fn note_end(&mut self, serial: u64, record: &AskRecord) {
        self.forget(serial);
        self.told.ends.insert(serial, record.clone());
        if self.told.ends.len() > MOST_ENDS {
            self.told.ends.pop_first();
        }
    }

    /// Begins after the hub was read whole, with its records of own asks. What is told from here on
    /// counts more than all that was told before. The result is to be committed like the rounds,
    /// before anything is told.
    pub fn begin(&mut self, own: &[(u64, &AskRecord)]) -> (u64, u32) {
        self.told.latest.clear();
        for (serial, record) in own {
            self.learn(*serial, record);
        }
        let known = own
            .iter()
            .map(|(_, record)| record.count / OF_ONE_CONNECTION)
            .max();
        let known = u32::try_from(known.unwrap_or_default()).unwrap_or(u32::MAX);
        let used = self.used(CONNECTIONS).max(known).saturating_add(1);
        self.told.count = u64::from(used) * OF_ONE_CONNECTION;
        self.set_used(CONNECTIONS, used);
        (CONNECTIONS, used)
    }

    /// Ends there, too, what is over of these own records; what is open is told anew beside that.
    pub fn end_others(
        &mut self,
        own: &[(u64, &AskRecord)],
        is_open: impl Fn(u64) -> bool,
    ) -> Vec<(AskSubject, AskRecord)> {
        let is_over =
            |(serial, record): &&(u64, &AskRecord)| !is_open(*serial) && !record.is_ended();
        let over = own.iter().filter(is_over);
        over.map(|(serial, record)| (self.subject(*serial), self.end(*serial, record)))
            .collect()
    }

    /// Returns the end of an ask that is not there any more.
    pub fn end(&mut self, serial: u64, there: &AskRecord) -> AskRecord {
        let known = self.told.ends.get(&serial).cloned();
        let state = SharedState::Ended(SharedEnd::Gone);
        let gone = || AskRecord {
            state,
            ask: String::new(),
            ..there.clone()
        };
        self.counted(serial, known.unwrap_or_else(gone))
    }

    /// Notes that the hub has this record of an own ask now. Returns true if the ask must be told
    /// once more: what was told before may have been on its way for long, and lie over what was
    /// told since.
    pub fn hear(&mut self, serial: u64, record: &AskRecord) -> bool {
        let Some(latest) = self.told.latest.get_mut(&serial) else {
            return true;
        };
        latest.heard |= latest.count == record.count;
        latest.count < record.count || (latest.heard && latest.count > record.count)
    }
}
