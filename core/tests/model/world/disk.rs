//! The disk beneath the rows, as the store uses it. Synced commits outlive a power cut, and later
//! ones may in part; a full disk takes nothing. Numbers are reserved before they are used.
//! Re-enacts `store.rs`, `store/durable.rs` and `store/serials.rs`, which are not part of the core.

use super::{Rng, Rows};
use beckon_core::{AskState, Outcome, RowChange};

/// The count of numbers that are reserved at once; the real store reserves more.
const BLOCK: u64 = 8;
/// The count of unused numbers below which the next block is reserved.
const SPARE: u64 = 4;

#[derive(Debug, Default)]
pub struct Disk {
    /// The rows as they are read.
    pub rows: Rows,
    /// The rows as they would be read after a power cut that loses all unsynced commits.
    synced: Rows,
    /// The unsynced commits in order; after a power cut, a part of them may be on the disk.
    unsynced: Vec<Commit>,
    /// The highest number that may be used now.
    reserved: u64,
    /// Whether the disk takes nothing. That ends when the reserved numbers are used up.
    pub full: bool,
}

/// The rows that are committed together.
#[derive(Clone, Debug, Default)]
pub struct Commit {
    pub save: Vec<RowChange>,
    /// The position in Telegram's updates up to which they were read.
    pub read: Option<i64>,
    /// The number of answers that are used up, by the ask's number.
    pub rounds: Vec<(u64, u32)>,
    reserve: Option<u64>,
}

impl Disk {
    /// Commits rows; returns whether they were saved.
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

    /// Commits the rows of shared asks together with the number of answers that are used up.
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

    /// Simulates a power failure; returns how many steps are lost.
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

    /// Opens the disk as a start of Beckon does, which is not possible while there is no room.
    /// Numbers up to the returned one may have been used before.
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

/// Tells whether the row is a promise that somebody relies on, which must be synced to the disk and
/// not only written to the kernel.
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
