//! The setting aside of a database file that is proven corrupt. It is renamed as a whole, together
//! with the log that belongs to it, and nothing of it is removed. If only a log is damaged it is
//! copied, since SQLite overwrites what it does not understand. The table `set_aside` names the
//! file until the user was told. A file beside the database requests a check at the next start.

use anyhow::{Context, Result};
use beckon_client::platform::paths::sync_directory_of;
use beckon_core::Timestamp;
use rusqlite::{Connection, OptionalExtension};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(super) const CREATE: &str = "
    CREATE TABLE set_aside (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        file     TEXT NOT NULL
    ) STRICT;";

const LOG: &str = "-wal";

/// The suffixes of the files that SQLite keeps for a database, in the order in which they are
/// renamed. The log comes first. A database without its log may be an intact one of long ago, but a
/// log without its database would be taken for the next one's.
const PARTS: [&str; 3] = [LOG, "-shm", ""];

/// A file that was set aside, with its new name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Aside {
    /// The database, with all that belongs to it.
    Database(PathBuf),
    /// A copy of its write-ahead log.
    Log(PathBuf),
}

/// Renames the file and what belongs to it, and returns its new name.
pub(super) fn set_aside(path: &Path, now: Timestamp) -> Result<PathBuf> {
    let aside = free_name(path, now);
    for part in PARTS {
        match std::fs::rename(with_tail(path, part), with_tail(&aside, part)) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            done => done.with_context(|| format!("Failed to set {} aside", path.display()))?,
        }
    }
    clear_suspicion(path);
    sync_directory_of(path)?;
    Ok(aside)
}

/// Copies the log, and returns the copy's name. A start that is tried again keeps one copy.
pub(super) fn keep_log(path: &Path, now: Timestamp) -> std::io::Result<PathBuf> {
    let log = log_of(path);
    if let Some(kept) = copy_of(&log, path)? {
        return Ok(kept);
    }
    let copy = log_of(&free_name(path, now));
    // The copy has another name until it is complete, and is as private as the log.
    let under_way = with_tail(&copy, ".new");
    std::fs::copy(&log, &under_way)?;
    std::fs::OpenOptions::new()
        .append(true)
        .open(&under_way)?
        .sync_all()?;
    std::fs::rename(&under_way, &copy)?;
    sync_directory_of(&copy)?;
    tracing::warn!(copy = %copy.display(), "the database's log was broken; a copy of it is kept");
    Ok(copy)
}

fn copy_of(log: &Path, path: &Path) -> std::io::Result<Option<PathBuf>> {
    let Some(copy) = latest(path, &format!(".db{LOG}")) else {
        return Ok(None);
    };
    let is_equal = std::fs::read(&copy)? == std::fs::read(log)?;
    Ok(is_equal.then_some(copy))
}

/// Returns a name that is free: two files in one second must not replace each other.
fn free_name(path: &Path, now: Timestamp) -> PathBuf {
    let date = jiff::Timestamp::from_millisecond(now.0).unwrap_or_default();
    let date = date.strftime("%Y%m%dT%H%M%S").to_string();
    let name = |again: u32| match again {
        1 => path.with_extension(format!("broken-{date}.db")),
        again => path.with_extension(format!("broken-{date}_{again}.db")),
    };
    let taken = |name: &Path| PARTS.iter().any(|part| with_tail(name, part).exists());
    (1..)
        .map(name)
        .find(|name| !taken(name))
        .unwrap_or_else(|| name(0))
}

/// Notes, in a new database, the last file that was set aside before it. The start that set it
/// aside may have failed before the user was told.
pub(super) fn note_latest(connection: &Connection, path: &Path) -> Result<()> {
    latest(path, ".db").map_or(Ok(()), |file| note(connection, &file))
}

/// Notes the file that was set aside, so that the user is told of it.
pub(super) fn note(connection: &Connection, file: &Path) -> Result<()> {
    connection.execute(
        "INSERT OR REPLACE INTO set_aside (only_row, file) VALUES (1, ?1)",
        [file.to_string_lossy()],
    )?;
    Ok(())
}

fn latest(path: &Path, ends: &str) -> Option<PathBuf> {
    let begins = format!("{}.broken-", path.file_stem()?.to_string_lossy());
    let files = std::fs::read_dir(path.parent()?)
        .ok()?
        .filter_map(Result::ok);
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    // The dates in the names have one length, so the last name is the latest.
    let name = names
        .filter(|name| name.starts_with(&begins) && name.ends_with(ends))
        .max()?;
    Some(path.with_file_name(name))
}

/// Returns what was set aside, until the user was told; `None` also if the file is gone.
pub(super) fn untold(connection: &Connection) -> Result<Option<Aside>> {
    let file: Option<String> = connection
        .query_row("SELECT file FROM set_aside", [], |row| row.get(0))
        .optional()?;
    let is_log = file.as_ref().is_some_and(|file| file.ends_with(LOG));
    let file = file.map(PathBuf::from).filter(|file| file.exists());
    Ok(file.map(if is_log { Aside::Log } else { Aside::Database }))
}

/// Notes that the user was told.
pub(super) fn told(connection: &Connection) -> Result<()> {
    connection.execute("DELETE FROM set_aside", [])?;
    Ok(())
}

/// Notes that invalid content was found in the file, so that the next start checks all of it. The
/// note is a file and no row, since the database is what is in doubt.
pub(super) fn suspect(path: &Path) {
    if let Err(error) = std::fs::write(suspicion(path), "") {
        tracing::warn!(%error, "the database will not be checked at the next start");
    }
}

pub(super) fn is_suspect(path: &Path) -> bool {
    suspicion(path).exists()
}

pub(super) fn clear_suspicion(path: &Path) {
    // A note that stays costs a check, and nothing else.
    let _ = std::fs::remove_file(suspicion(path));
}

fn suspicion(path: &Path) -> PathBuf {
    with_tail(path, "-suspect")
}

/// Returns the path at which SQLite keeps the log of that database.
pub(super) fn log_of(path: &Path) -> PathBuf {
    with_tail(path, LOG)
}

fn with_tail(path: &Path, tail: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(tail);
    name.into()
}

/// Whether the database is gone or empty, but its log is not. SQLite would silently remove the log,
/// which may hold everything that was committed.
pub(super) fn is_emptied(path: &Path) -> std::io::Result<bool> {
    let length = |path: &Path| match std::fs::metadata(path) {
        Ok(found) => Ok(found.len()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    };
    Ok(length(path)? == 0 && length(&log_of(path))? > 0)
}

/// Whether the last run did not end in order. A log is left behind then.
pub(super) fn ended_uncleanly(path: &Path) -> bool {
    std::fs::metadata(log_of(path)).is_ok_and(|log| log.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_in_one_second_do_not_replace_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("beckon.db");
        let aside = ["one", "two", "three"].map(|content| {
            std::fs::write(&path, content).unwrap();
            set_aside(&path, Timestamp(0)).unwrap()
        });
        let kept = aside
            .each_ref()
            .map(|file| std::fs::read_to_string(file).unwrap());
        assert_eq!(kept, ["one", "two", "three"]);
        assert_eq!(latest(&path, ".db").as_ref(), Some(&aside[2]));
    }
}
