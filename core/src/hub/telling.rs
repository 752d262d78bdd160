//! When others are told of an own ask: as it changes, after a pause without the hub, and whenever the
//! hub shows something else than what was told last.
//!
//! Not here: what is told (`owner.rs`).

use super::{AnswerSubject, AskRecord, AskSubject, HubOwner, SharedEnd, SharedState};
use crate::{AskState, Entry, News};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// So many ends are remembered, in case that the hub has not heard of them.
const MOST_ENDS: usize = 4_096;

/// What was told, and what was heard of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// So many records, in this run and in those that the hub knows of.
    count: u64,
    /// The latest that the hub was heard to have, of each ask.
    heard: BTreeMap<u64, u64>,
    /// How asks ended.
    ends: BTreeMap<u64, AskRecord>,
}

impl HubOwner {
    /// Do others learn of that?
    pub fn is_worth_sharing(news: &News) -> bool {
        match news {
            News::Asked(_)
            | News::Answered(..)
            | News::Returned(_)
            | News::Settled(..)
            | News::Reopened(_)
            | News::Agreed(_)
            | News::Changed(_) => true,
            News::Shown(..)
            | News::Sent(_)
            | News::Undelivered(_)
            | News::Attention(_)
            | News::Held(_)
            | News::Source(_)
            | News::Standing => false,
        }
    }

    /// Where an answer that was given here takes the place of its round, so that nobody else's does.
    pub fn takes_place(&self, news: &News, entry: &Entry) -> Option<AnswerSubject> {
        let is_answered = matches!(news, News::Answered(..))
            && matches!(entry.state, AskState::Answering { .. })
            && self.nonce(entry.serial).is_none();
        let (ask, round) = (self.subject(entry.serial), self.round(entry));
        is_answered.then_some(AnswerSubject { ask, round })
    }

    /// Where an own ask stands.
    pub fn subject(&self, serial: u64) -> AskSubject {
        AskSubject { node: self.node().to_owned(), serial }
    }

    /// An ask as it is now, to be told. `ask` says what is asked, beside the rest of the record.
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
        self.counted(record)
    }

    fn counted(&mut self, record: AskRecord) -> AskRecord {
        self.told.count += 1;
        AskRecord { count: self.told.count, ..record }
    }

    fn note_end(&mut self, serial: u64, record: &AskRecord) {
        self.forget(serial);
        self.told.ends.insert(serial, record.clone());
        if self.told.ends.len() > MOST_ENDS {
            self.told.ends.pop_first();
        }
    }

    /// The hub was read whole, and has these own records. Of them what is over is ended there, too;
    /// what is open is told anew beside that.
    pub fn end_others(
        &mut self,
        own: &[(u64, &AskRecord)],
        is_open: impl Fn(u64) -> bool,
    ) -> Vec<(AskSubject, AskRecord)> {
        self.told.heard.clear();
        for (serial, record) in own {
            self.learn(*serial, record);
            self.hear(*serial, record);
        }
        let is_over = |(serial, record): &&(u64, &AskRecord)| {
            !is_open(*serial) && !matches!(record.state, SharedState::Ended(_))
        };
        let over = own.iter().filter(is_over);
        over.map(|(serial, record)| (self.subject(*serial), self.end(*serial, record))).collect()
    }

    /// How an ask ended that is not there any more.
    pub fn end(&mut self, serial: u64, there: &AskRecord) -> AskRecord {
        let known = self.told.ends.get(&serial).cloned();
        let state = SharedState::Ended(SharedEnd::Gone);
        let gone = || AskRecord { state, ask: String::new(), ..there.clone() };
        self.counted(known.unwrap_or_else(gone))
    }

    /// The hub has this of an own ask now. Is it to be told once more? What was told before may have
    /// been on its way for long, and lie over what was told since.
    pub fn hear(&mut self, serial: u64, record: &AskRecord) -> bool {
        self.told.count = self.told.count.max(record.count);
        let heard = self.told.heard.entry(serial).or_default();
        let is_old = record.count < *heard;
        *heard = (*heard).max(record.count);
        if self.told.heard.len() > 2 * MOST_ENDS {
            self.told.heard.pop_first();
        }
        is_old
    }
}
