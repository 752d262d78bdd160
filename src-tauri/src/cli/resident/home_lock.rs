//! The lock of the home: there is one Beckon per home.
//!
//! The locks are the system's, and end with the process, however it ends. The lock file is beside
//! the database, which it protects, since programs that clean up clear `run/`. A program that clears
//! more could remove the file, and a lock on a new file of that name would hold nobody up. So the
//! folder of the database is locked as well.
//!
//! If the folder itself is moved, removed or replaced, as by whoever restores a backup, the lock
//! stands at a folder that nobody finds any more, and so does the database: what is answered would
//! be forgotten, and a second Beckon could run beside this one. So the place is looked at, and
//! Beckon starts anew if something else is there.

use super::RunMode;
use crate::platform::fault;
use crate::platform::place;
use anyhow::{Context, Result};
use beckon_client::platform::clock;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::Paths;
use beckon_core::Timestamp;
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// How long to wait for the end of a program that is replaced.
const ENDED_WITHIN: Duration = Duration::from_secs(10);
/// The pause between two looks at the place, as long as that of the address file (`api`).
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The number of looks in a row that must find something else, so that a folder that is only being
/// put back is not taken for another one.
const LOOKS: u32 = 2;

/// The locks of a home, which hold until this is dropped.
pub(super) struct HomeLock {
    file: File,
    /// The folder, which is locked unless its file system locks only files. `None` where a folder
    /// can't be opened.
    folder: Option<File>,
    path: PathBuf,
}

/// The folder that is locked, and where it was.
pub(super) struct LockedPlace {
    folder: Option<File>,
    path: PathBuf,
}

/// Locks the home; `None` if another Beckon has it. A Beckon that restarts after a panic waits for
/// the former one to end, if that could not be replaced in its own process. A Beckon to which the
/// running one gives way waits as well.
pub(super) fn take(paths: &Paths, mode: RunMode) -> Result<Option<HomeLock>> {
    let began = Instant::now();
    let mut held = lock(paths)?;
    let waits = mode.after_faults > 0 || mode.takes_over;
    while held.is_none() && waits && began.elapsed() < ENDED_WITHIN {
        std::thread::sleep(Duration::from_millis(100));
        held = lock(paths)?;
    }
    Ok(held)
}

fn lock(paths: &Paths) -> Result<Option<HomeLock>> {
    let path = paths.database.with_file_name("lock");
    let file = File::options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&path);
    let file = file.with_context(|| SystemFailure::Open(path.clone()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| SystemFailure::Open(path));
        }
    }

    let path = path.parent().map(PathBuf::from).unwrap_or_default();
    // Windows cannot open a folder in this way, but it does not let a file that is held be
    // replaced.
    let folder = File::open(&path).ok();
    let locked = folder.as_ref().map(File::try_lock);
    // Some network file systems can lock only files, and any other error is one of theirs.
    let is_anothers = matches!(locked, Some(Err(TryLockError::WouldBlock)));
    Ok((!is_anothers).then_some(HomeLock { file, folder, path }))
}

impl HomeLock {
    /// Returns when the former Beckon of this home ended, if it noted that. The time is the lock
    /// file's modification time, which is set at an orderly end. After a panic, this Beckon starts
    /// at once.
    pub(super) fn end_of_former(&self, mode: RunMode) -> Option<Timestamp> {
        let changed = self.file.metadata().and_then(|of| of.modified());
        // A Beckon that is killed leaves this value.
        self.note_change(Timestamp(0));
        if mode.after_faults > 0 {
            return Some(clock::now());
        }
        let since = changed.ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        let at = i64::try_from(since.as_millis()).ok()?;
        Some(Timestamp(at)).filter(|at| at.0 > 0)
    }

    pub(super) fn note_end(&self) {
        self.note_change(clock::now());
    }

    fn note_change(&self, at: Timestamp) {
        let since = Duration::from_millis(u64::try_from(at.0).unwrap_or(0));
        if let Err(error) = self.file.set_modified(SystemTime::UNIX_EPOCH + since) {
            tracing::debug!(%error, "the time of Beckon's end can't be noted");
        }
    }

    /// Returns the folder, to look after it.
    ///
    /// # Errors
    /// When the system has no more files to open.
    pub(super) fn place(&self) -> Result<LockedPlace> {
        let folder = self.folder.as_ref().map(File::try_clone).transpose();
        Ok(LockedPlace {
            folder: folder.with_context(|| SystemFailure::Open(self.path.clone()))?,
            path: self.path.clone(),
        })
    }
}

impl LockedPlace {
    /// Looks after the place, and starts Beckon anew once another folder, or none, is there. The
    /// folder stays open, so its number is not given to another one meanwhile.
    pub(super) async fn keep(self) {
        let Some(folder) = self.folder else {
            return;
        };
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let mut others = 0;
        while others < LOOKS {
            looks.tick().await;
            others = if place::is_at(&folder, &self.path) {
                0
            } else {
                others + 1
            };
        }
        fault::start_over("the folder of the database was moved, removed or replaced");
    }
}
