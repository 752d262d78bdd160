//! The names of asks, by which lists, events and answers mean the same ask: its own id, with
//! `source/` before it if another source had the same id before. A name does not change as long as
//! its ask is known, whatever other asks come and go: another Beckon knows the ask by it. (Which of
//! two asked first is known by their numbers, so that this holds over a restart as well, unless the
//! first is forgotten by then.)

use super::Desk;
use crate::{AskId, SourceId};
use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The sources that have an ask with the same own id, by that id.
#[derive(Debug, Default)]
pub(super) struct Owners(BTreeMap<String, OwnersOfId>);

#[derive(Debug, Default)]
struct OwnersOfId {
    /// The first source, as long as its ask is known: its asks are named by the own id alone.
    first: Option<SourceId>,
    /// The sources that came while another one was known. Their asks are named `source/own`.
    others: Vec<SourceId>,
}

impl Owners {
    pub(super) fn note(&mut self, id: &AskId) {
        let Some(owners) = self.0.get_mut(&id.own) else {
            let first = Some(id.source.clone());
            self.0.insert(
                id.own.clone(),
                OwnersOfId {
                    first,
                    others: Vec::new(),
                },
            );
            return;
        };
        if owners.first.as_ref() != Some(&id.source) && !owners.others.contains(&id.source) {
            owners.others.push(id.source.clone());
        }
    }

    pub(super) fn forget(&mut self, id: &AskId) {
        if let Some(owners) = self.0.get_mut(&id.own)
            && owners.retain(|source| *source != id.source)
        {
            self.0.remove(&id.own);
        }
    }

    pub(super) fn retain(&mut self, is_known: impl Fn(&AskId) -> bool) {
        self.0.retain(|own, owners| {
            let known = |source: &SourceId| {
                is_known(&AskId {
                    source: source.clone(),
                    own: own.clone(),
                })
            };
            !owners.retain(known)
        });
    }

    fn first(&self, own: &str) -> Option<&SourceId> {
        self.0.get(own)?.first.as_ref()
    }
}

impl OwnersOfId {
    /// Keeps the known sources. Returns true if none is left.
    fn retain(&mut self, is_known: impl Fn(&SourceId) -> bool) -> bool {
        self.first = self.first.take().filter(&is_known);
        self.others.retain(is_known);
        self.first.is_none() && self.others.is_empty()
    }
}

impl Desk {
    /// Returns the name of an ask, which no other ask has.
    pub fn name<'a>(&self, id: &'a AskId) -> Cow<'a, str> {
        match self.owners.0.get(&id.own) {
            Some(owners) if owners.first.as_ref() != Some(&id.source) => Cow::Owned(id.to_string()),
            _ => Cow::Borrowed(&id.own),
        }
    }

    /// Returns the ask with that name, open or remembered. Every ask can also be named
    /// `source/own`.
    pub fn named(&self, name: &str) -> Option<AskId> {
        let first = self.owners.first(name);
        let first = first.map(|source| AskId {
            source: source.clone(),
            own: name.to_owned(),
        });
        let known = || self.entries.keys().chain(self.memory.keys());
        first.or_else(|| known().find(|id| is_called(id, name)).cloned())
    }

    /// Returns the asks, open or remembered, that a person may mean: by `own`, `source/own`, or a
    /// beginning of either. If a beginning fits an open ask and one that has ended, it means both:
    /// it may have been typed for the other one.
    pub fn find(&self, name: &str) -> Vec<AskId> {
        let exact = |id: &&AskId| id.own == name || is_called(id, name);
        let open: Vec<AskId> = self.entries.keys().filter(exact).cloned().collect();
        if !open.is_empty() {
            return open;
        }
        let settled: Vec<AskId> = self.memory.keys().filter(exact).cloned().collect();
        if !settled.is_empty() || name.is_empty() {
            return settled;
        }
        let begins = |id: &&AskId| id.own.starts_with(name) || id.to_string().starts_with(name);
        let open = self.entries.keys().filter(begins);
        let mut begun: Vec<AskId> = open.cloned().collect();
        if !begun.is_empty() {
            begun.extend(self.memory.keys().filter(begins).cloned());
        }
        begun
    }

    /// Restores the names, so that the ask that asked first keeps its own id as its name after a
    /// restart.
    pub(super) fn restore_names(&mut self) {
        let memory = self.memory.iter().map(|(id, memory)| (memory.serial, id));
        let entries = self.entries.iter().map(|(id, entry)| (entry.serial, id));
        let mut known: Vec<(u64, &AskId)> = memory.chain(entries).collect();
        known.sort_unstable();
        self.owners = Owners::default();
        known.into_iter().for_each(|(_, id)| self.owners.note(id));
    }
}

/// Whether that is the whole name of the ask, `source/own`.
fn is_called(id: &AskId, name: &str) -> bool {
    let own = name
        .strip_prefix(id.source.0.as_str())
        .and_then(|rest| rest.strip_prefix('/'));
    own == Some(&id.own)
}
