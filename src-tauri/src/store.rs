//! SQLite: open, migrate, commit a step, read everything back. One table per file below.
//!
//! Tables are STRICT and migrations additive: an old one is never edited.

mod asking;
mod asks;
mod book;
mod cards;
mod history;
mod receipts;
mod seal;
mod standing;
#[cfg(test)]
mod tests;
mod window_drafts;

pub use history::{History, Leftover, Query};

use crate::asking as kept;
use crate::book::{self as telegram_book, Book};
use crate::failed::Failed;
use crate::wire::WindowDraft;
use anyhow::{Context, Result};
use beckon_core::{AskId, Entry, News, Reply, Save, Saved, Timestamp};
use rusqlite::Connection;
use rusqlite_migration::{M, Migrations};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A pretend source whose asks are nobody's history.
const PRETEND: &str = "self-test";

const MIGRATIONS: &[M<'static>] = &[
    M::up(asks::CREATE),
    M::up(cards::CREATE),
    M::up(standing::CREATE),
    M::up(receipts::CREATE),
    M::up(asks::DRAFTS),
    M::up(cards::CLOSED),
    M::up(standing::UNTIL),
    M::up(seal::CREATE),
    M::up(book::CREATE),
    M::up(window_drafts::CREATE),
    M::up(asking::CREATE),
    M::up(asking::RECEIPTS),
];

/// The database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    /// Does a commit wait for the disk now?
    durable: bool,
}

/// What is committed together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows<'a> {
    /// What the desk wants saved.
    pub save: &'a [Save],
    /// What happened, for the receipts.
    pub news: &'a [News],
    /// Changes of the book.
    pub book: &'a [telegram_book::Entry],
    /// Changes of what was asked through Beckon itself.
    pub asking: &'a [kept::Change],
}

/// An opened store, and where a broken predecessor was put.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// The file that could not be read, under its new name.
    pub set_aside: Option<PathBuf>,
}

impl Store {
    /// Opens or creates the file. A broken one is set aside with its date in the name, and an empty
    /// one takes its place: what is still open comes back from the sources' lists.
    ///
    /// # Errors
    /// When the file was written by a newer Beckon, or cannot be created.
    pub fn open(path: &Path, now: Timestamp) -> Result<Opened> {
        match Self::try_open(path) {
            Ok(store) => Ok(Opened { store, set_aside: None }),
            Err(newer @ Broken::Newer(_)) => Err(newer.into_error(path)),
            Err(Broken::Unreadable(error)) => {
                let aside = set_aside(path, now)?;
                tracing::warn!(%error, aside = %aside.display(), "the database was broken and is set aside");
                let store = Self::try_open(path).map_err(|broken| broken.into_error(path))?;
                Ok(Opened { store, set_aside: Some(aside) })
            }
        }
    }

    /// Can the file be read?
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn check(path: &Path) -> Result<()> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let connection = Connection::open_with_flags(path, flags)?;
        let check: String = connection.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
        anyhow::ensure!(check == "ok", "quick_check says: {check}");
        Ok(())
    }

    fn try_open(path: &Path) -> Result<Self, Broken> {
        create_private(path).map_err(|error| Broken::Unreadable(error.into()))?;
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(2))?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if usize::try_from(version).is_ok_and(|version| version > MIGRATIONS.len()) {
            return Err(Broken::Newer(version));
        }
        let check: String = connection.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
        if check != "ok" {
            return Err(Broken::Unreadable(anyhow::anyhow!("quick_check says: {check}")));
        }
        connection.pragma_update(None, "journal_mode", "wal")?;
        connection.pragma_update(None, "synchronous", "normal")?;
        let migrations = Migrations::from_slice(MIGRATIONS);
        migrations.to_latest(&mut connection).map_err(|e| Broken::Unreadable(e.into()))?;
        connection.execute(
            "DELETE FROM receipts WHERE at < (SELECT max(at) FROM receipts) - 7776000000",
            [],
        )?;
        Ok(Self { connection, durable: false })
    }

    /// Commits rows, all or nothing. With `durably` it is on the disk,
    /// not only in the kernel, when this returns: an accepted answer must outlive a power cut.
    ///
    /// # Errors
    /// When the disk is full or broken; then nothing of the step is saved.
    pub fn commit(&mut self, rows: &Rows<'_>, at: Timestamp, durably: bool) -> Result<()> {
        let Rows { save, news, book, asking } = rows;
        if save.is_empty() && news.is_empty() && book.is_empty() && asking.is_empty() {
            return Ok(());
        }
        if durably != self.durable {
            let level = if durably { "full" } else { "normal" };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.durable = durably;
        }
        let transaction = self.connection.transaction()?;
        for row in *save {
            match row {
                Save::Ask(entry) => {
                    asks::put(&transaction, entry)?;
                    if entry.state.is_settled() {
                        window_drafts::delete(&transaction, &entry.ask.id)?;
                    }
                }
                Save::Card { ask, channel, handle, closed } => {
                    cards::put(&transaction, ask, *channel, handle.as_deref(), *closed)?;
                }
                Save::NoCard { ask, channel } => cards::delete(&transaction, ask, *channel)?,
                Save::Gone { ask, given, inquired } => {
                    asks::put_gone(&transaction, ask, given.as_ref(), *inquired)?;
                }
                Save::Standing { said, said_until, paused_until } => {
                    standing::put(&transaction, *said, *said_until, *paused_until)?;
                }
            }
        }
        receipts::put(&transaction, news, at)?;
        book::put(&transaction, book)?;
        asking::put(&transaction, asking)?;
        transaction.commit().context("Failed to commit to the database")
    }

    /// Everything a desk needs to go on; settled asks since `since`.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn load(&self, since: Timestamp) -> Result<Saved> {
        let mut entries = asks::open(&self.connection)?;
        cards::fill(&self.connection, &mut entries)?;
        let (said, said_until, paused_until) = standing::read(&self.connection)?;
        Ok(Saved {
            entries,
            memory: asks::settled_since(&self.connection, since)?,
            last_serial: asks::last_serial(&self.connection)?,
            said,
            said_until,
            paused_until,
        })
    }
}

impl Store {
    /// The last so many asks that were answered since then, the newest last.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn latest(&self, since: Timestamp, most: usize) -> Result<Vec<Entry>> {
        asks::latest(&self.connection, since, most)
    }

    /// A random word that belongs to this database for ever. Serials begin anew in another one, so
    /// buttons carry the seal beside them.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub fn seal(&self) -> Result<String> {
        seal::read_or_create(&self.connection)
    }

    /// Keeps what somebody has begun to answer in a window.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep_draft(&self, ask: &AskId, draft: &WindowDraft) -> Result<()> {
        let empty = draft.replies.iter().all(|reply| *reply == Reply::default());
        let text = serde_json::to_string(draft)?;
        window_drafts::put(&self.connection, ask, (!empty).then_some(&text))
    }

    /// What was begun in windows.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn drafts(&self) -> Result<BTreeMap<AskId, WindowDraft>> {
        let rows = window_drafts::all(&self.connection)?;
        // One of another shape is begun anew.
        let read = |(ask, text): (AskId, String)| Some((ask, serde_json::from_str(&text).ok()?));
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// What is remembered of Telegram.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn book(&self) -> Result<Book> {
        book::read(&self.connection)
    }

    /// What was asked through Beckon itself.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn asking(&self) -> Result<Vec<kept::Record>> {
        asking::read(&self.connection)
    }
}

enum Broken {
    Newer(i64),
    Unreadable(anyhow::Error),
}

impl Broken {
    fn into_error(self, path: &Path) -> anyhow::Error {
        match self {
            Self::Newer(found) => {
                Failed::Newer { file: path.into(), found, known: MIGRATIONS.len() }.into()
            }
            Self::Unreadable(error) => error.context(Failed::Open(path.into())),
        }
    }
}

impl From<rusqlite::Error> for Broken {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unreadable(error.into())
    }
}

/// Answers stand in it: only its owner reads it, wherever it lies.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

fn set_aside(path: &Path, now: Timestamp) -> Result<PathBuf> {
    let date = jiff::Timestamp::from_millisecond(now.0).unwrap_or_default();
    let aside = path.with_extension(format!("broken-{}.db", date.strftime("%Y%m%dT%H%M%S")));
    std::fs::rename(path, &aside)
        .with_context(|| format!("Failed to set the broken database {} aside", path.display()))?;
    for tail in ["-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(tail);
        // They belong to the broken file; most of the time there are none.
        let _ = std::fs::remove_file(name);
    }
    Ok(aside)
}
