//! The disk beneath the rows, as the store uses it: what was synced outlives a power cut, of what was
//! committed after it a part may; a full disk takes nothing. Numbers are reserved before they are
//! used. (Plays `store.rs`, `store/durable.rs` and `store/serials.rs`, which are not of the core.)

use super::{Rng, Rows};
use beckon_core::{AskState, Outcome, RowChange};

/// So many numbers are reserved at once; the real store reserves more.
const BLOCK: u64 = 8;
/// The next block is reserved when fewer are left.
const SPARE: u64 = 4;

#[derive(Debug, Default)]
pub struct Disk {
    /// As they are read.
    pub rows: Rows,
    /// As they would be read after a power cut …
    synced: Rows,
    /// … and what the kernel may or may not have written by then, in this order.
    unsynced: Vec<Commit>,
    /// Numbers up to this one may be used now.
    reserved: u64,
    /// It takes nothing, but not for longer than there are numbers left.
    pub full: bool,
}

/// What is committed together.
#[derive(Clone, Debug, Default)]
pub struct Commit {
    pub save: Vec<RowChange>,
    /// How far the updates of Telegram were read.
    pub read: Option<i64>,
    /// How many answers are used up, by number.
    pub rounds: Vec<(u64, u32)>,
    reserve: Option<u64>,
}

impl Disk {
    /// Was it saved?
    pub fn commit(&mut self, save: &[RowChange], read: Option<i64>) -> bool {
        if save.is_empty() && read.is_none() {
            return true;
        }
        let highest = highest(save);
        self.full &= highest.is_none_or(|serial| serial < self.reserved);
        if self.full {
            return false;
        }
        let reserve = highest.and_then(|serial| wanted(serial, self.reserved));
        self.write(Commit {
            save: save.to_vec(),
            read,
            reserve,
            ..Commit::default()
        });
        true
    }

    /// What is shared over a hub is saved together with how many answers are used up.
    pub fn commit_rounds(&mut self, save: &[RowChange], rounds: &[(u64, u32)]) {
        if save.is_empty() && rounds.is_empty() {
            return;
        }
        let reserve = highest(save).and_then(|serial| wanted(serial, self.reserved));
        let (save, rounds) = (save.to_vec(), rounds.to_vec());
        self.write(Commit {
            save,
            rounds,
            reserve,
            ..Commit::default()
        });
    }

    fn write(&mut self, commit: Commit) {
        self.reserved = commit.reserve.unwrap_or(self.reserved);
        let relied_on = commit.reserve.is_some()
            || !commit.rounds.is_empty()
            || commit.save.iter().any(is_promise);
        self.rows.take(&commit);
        self.unsynced.push(commit);
        if relied_on {
            self.unsynced
                .drain(..)
                .for_each(|commit| self.synced.take(&commit));
        }
    }

    /// The power fails: how many steps are lost?
    pub fn lose_tail(&mut self, rng: &mut Rng) -> u64 {
        let kept = rng.below(self.unsynced.len() + 1);
        let lost = self.unsynced.len() - kept;
        self.unsynced
            .drain(..)
            .take(kept)
            .for_each(|commit| self.synced.take(&commit));
        self.rows = self.synced.clone();
        lost as u64
    }

    /// Beckon starts, which it cannot while there is no room. Numbers up to the returned one may have
    /// been used before.
    pub fn open(&mut self) -> u64 {
        self.full = false;
        let used = self.rows.reserved.max(self.rows.highest());
        self.reserved = used;
        let reserve = wanted(used, used);
        self.write(Commit {
            reserve,
            ..Commit::default()
        });
        used
    }
}

impl Commit {
    pub fn reserve(&self) -> Option<u64> {
        self.reserve
    }
}

fn wanted(serial: u64, reserved: u64) -> Option<u64> {
    (serial + SPARE > reserved).then_some(serial + BLOCK)
}

fn highest(save: &[RowChange]) -> Option<u64> {
    let serial = |save: &RowChange| match save {
        RowChange::Ask(entry) => Some(entry.serial),
        _ => None,
    };
    save.iter().filter_map(serial).max()
}

/// Whatever somebody relies on is on the disk, and not only in the kernel.
fn is_promise(save: &RowChange) -> bool {
    match save {
        RowChange::Ask(entry) => match &entry.state {
            AskState::Answering {
                attempts, sent_at, ..
            } => *attempts <= 1 || sent_at.is_some(),
            AskState::Settled { outcome, .. } => matches!(outcome, Outcome::Answered { .. }),
            AskState::Open => entry.returned.is_some() || entry.draft.is_some(),
        },
        RowChange::Standing { .. } => true,
        RowChange::Card {
            channel, handle, ..
        } => channel.stays_until_settled() && handle.is_some(),
        RowChange::NoCard { .. } | RowChange::Gone { .. } => false,
    }
}
