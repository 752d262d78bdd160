//! The publishing of our own asks on the hub: when one changes, after a time without the hub, and
//! whenever the hub shows something else than what was published last.
//!
//! Not here: what is published (`owner.rs`).

use super::{AnswerSubject, AskRecord, AskSubject, HubOwner, SharedEnd, SharedState};
use crate::{AskState, Entry, News};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The number of ended asks that are remembered, in case the hub has not got their ends.
const MOST_ENDS: usize = 4_096;

/// The number of counts that a connection has for itself. A record of an earlier connection may
/// still be on its way, so its count is lower than any of a later one.
const OF_ONE_CONNECTION: u64 = 1 << 32;
/// The key in the used rounds under which the number of connections is counted: no ask has this
/// number.
pub(super) const CONNECTIONS: u64 = 0;

/// The records that were published, and which of them the hub was heard to have.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// The count of the latest record.
    count: u64,
    /// The latest record of each ask since the connection was made, by serial.
    latest: BTreeMap<u64, Latest>,
    /// The last records of ended asks, by serial.
    ends: BTreeMap<u64, AskRecord>,
}

#[derive(Clone, Copy, Debug)]
struct Latest {
    count: u64,
    /// Whether the hub has shown that it has the record.
    heard: bool,
}

impl HubOwner {
    /// Whether others are told of that news.
    pub fn is_worth_sharing(news: &News) -> bool {
        match news {
            News::Asked(_)
            | News::Answered(..)
            | News::Returned(_)
            | News::Settled(..)
            | News::Reopened(_)
            | News::Agreed(_)
            // An own ask may have lost the yes of a person that does not count any more.
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

    /// Returns the subject on the hub at which an answer that was given here is put for its round,
    /// so that no other answer can be put there.
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

    /// Returns the record of an ask as it is now, to be published. `ask` writes the ask itself,
    /// which is added to the rest of the record.
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
            // The record that is published now comes back soon, and must be recognized then.
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

    /// Begins a connection, after everything was read from the hub, with its records of our own
    /// asks. What is published from here on counts more than all that was published before. The
    /// result is to be committed like the rounds, before anything is published.
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

    /// Returns the records that end, on the hub too, those of these own asks that are over. Open
    /// asks are published anew by the caller.
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

    /// Returns the record that ends an ask of which only the hub still has a record.
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

    /// Notes that the hub has this record of an own ask now. Returns true if the ask must be
    /// published again: a delayed older record may have overwritten a newer one.
    pub fn hear(&mut self, serial: u64, record: &AskRecord) -> bool {
        let Some(latest) = self.told.latest.get_mut(&serial) else {
            return true;
        };
        latest.heard |= latest.count == record.count;
        latest.count < record.count || (latest.heard && latest.count > record.count)
    }
}
