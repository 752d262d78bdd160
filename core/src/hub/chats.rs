//! The chats that may answer by a bot, and where it writes: the same on every machine that shares
//! it.
//!
//! Every entry carries a mark that grows with each change, and stays when the entry is gone. In
//! whatever order records arrive, and however often an old one comes again, the newest change of
//! each entry holds; of two with the same mark, the one that lets nobody in.
//!
//! Not here: what an entry says (the channel's own words), and whose records are believed.

use super::RECORD_VERSION;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A machine's knowledge of a bot's chats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatsRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The entries by their names.
    pub entries: BTreeMap<String, MarkedEntry>,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkedEntry {
    /// The mark, which grows with each change of the entry.
    pub mark: u64,
    /// The entry's content; `None` when it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The highest mark that is believed: no honest machine makes this many changes.
const HIGHEST: u64 = i64::MAX as u64;

/// A change: the entry's name, and what holds now.
pub type ChatChange = (String, MarkedEntry);

/// Returns the subject where a machine writes what it knows of a bot's chats.
pub fn chats_subject(bot: i64, node: &str) -> String {
    format!("bk.chats.{bot}.{node}")
}

/// Returns the subject of all machines' records of a bot's chats.
pub fn every_chats(bot: i64) -> String {
    format!("bk.chats.{bot}.*")
}

/// The entries that are known of a bot's chats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SharedChats(BTreeMap<String, MarkedEntry>);

impl SharedChats {
    /// Restores the entries as they were kept.
    pub fn restore(entries: BTreeMap<String, MarkedEntry>) -> Self {
        Self(entries)
    }

    /// Merges what another machine knows, and returns the changes that follow here.
    pub fn merge(&mut self, record: ChatsRecord) -> Vec<ChatChange> {
        if record.v != RECORD_VERSION {
            return Vec::new();
        }
        let newer = |(name, entry): &ChatChange| {
            entry.mark <= HIGHEST
                && self
                    .0
                    .get(name)
                    .is_none_or(|known| rank(entry) > rank(known))
        };
        let changes: Vec<ChatChange> = record.entries.into_iter().filter(newer).collect();
        self.0.extend(changes.iter().cloned());
        changes
    }

    /// Notes a change that was made here; `None` if nothing changes by it.
    fn set(&mut self, name: String, value: Option<String>) -> Option<ChatChange> {
        let known = self.0.get(&name);
        if known.map(|known| &known.value) == Some(&value) || (known.is_none() && value.is_none()) {
            return None;
        }
        let mark = known.map_or(0, |known| known.mark).saturating_add(1);
        let entry = MarkedEntry { mark, value };
        self.0.insert(name.clone(), entry.clone());
        Some((name, entry))
    }

    /// Notes that these are the entries here now, and returns what changes by that.
    pub fn reconcile(&mut self, here: &BTreeMap<String, String>) -> Vec<ChatChange> {
        let gone = self
            .0
            .keys()
            .filter(|name| !here.contains_key(*name))
            .cloned();
        let gone: Vec<(String, Option<String>)> = gone.map(|name| (name, None)).collect();
        let there = here
            .iter()
            .map(|(name, value)| (name.clone(), Some(value.clone())));
        let all: Vec<_> = gone.into_iter().chain(there).collect();
        all.into_iter()
            .filter_map(|(name, value)| self.set(name, value))
            .collect()
    }

    /// Returns the record that is told to others.
    pub fn record(&self) -> ChatsRecord {
        ChatsRecord {
            v: RECORD_VERSION,
            entries: self.0.clone(),
        }
    }

    /// Returns the entry's content, unless it is gone.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.value.as_deref()
    }
}

fn rank(entry: &MarkedEntry) -> (u64, bool, Option<&str>) {
    (entry.mark, entry.value.is_none(), entry.value.as_deref())
}
