//! SQLite: open, migrate, commit a step, read everything back. One table per file below.
//!
//! Tables are STRICT and migrations additive: an old one is never edited.

mod aside;
mod asks;
mod cards;
mod durable;
mod history;
mod hub_desk;
mod hub_since;
mod instance_id;
mod local_asks;
mod opening;
mod pairings;
mod presence;
mod readable;
mod receipts;
mod rounds;
mod serials;
mod shared_chats;
#[cfg(test)]
mod tests;
mod upkeep;
mod wal;
mod window_drafts;

pub(crate) use aside::Aside;
pub(crate) use history::audit;
pub(crate) use history::{GrantRow, HistoryFilter, HistoryReader, HistoryRow, Wait};
pub(crate) use shared_chats::SharedChatRow;
pub(crate) use upkeep::DatabaseUpkeep;

use crate::channels::telegram::pairing::pairings::{PairingChange, Pairings};
use crate::sources::local_asks::messages as kept;
use anyhow::{Context, Result};
use beckon_client::platform::failure::{DatabaseError, SystemFailure};
use beckon_client::wire::WindowDraft;
use beckon_core::hub::{DeskRecord, MarkedEntry};
use beckon_core::{
    AskId, ButtonTarget, Entry, LeftoverCard, MOST_REMEMBERED, News, Outcome, Reply, Responder,
    RowChange, SavedState, Timestamp,
};
pub(crate) use hub_since::HubSince;
use opening::OpenObstacle;
use presence::Standing;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rusqlite_migration::M;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A pretend source whose asks are nobody's history.
const PRETEND: &str = "self-test";

const MIGRATIONS: &[M<'static>] = &[
    M::up(asks::CREATE),
    M::up(cards::CREATE),
    M::up(presence::CREATE),
    M::up(receipts::CREATE),
    M::up(asks::DRAFTS),
    M::up(cards::CLOSED),
    M::up(presence::UNTIL),
    M::up(instance_id::CREATE),
    M::up(pairings::CREATE),
    M::up(window_drafts::CREATE),
    M::up(local_asks::CREATE),
    M::up(serials::CREATE),
    M::up(aside::CREATE),
    M::up(asks::INDEXES),
    M::up(pairings::ADDRESS),
    M::up(local_asks::RECEIPTS),
    M::up(presence::AT),
    M::up(asks::RETURNED),
    M::up(cards::SERIAL),
    M::up(pairings::LISTS),
    M::up(asks::ATTENTION),
    M::up(asks::RESPONDER),
    M::up(receipts::DETAILS),
    M::up(rounds::CREATE),
    M::up(hub_desk::CREATE),
    M::up(asks::AGREED),
    M::up(shared_chats::CREATE),
    M::up(hub_since::CREATE),
    M::up(hub_since::BOT_AT),
    M::up(asks::LATE),
];

/// The database.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Connection,
    path: PathBuf,
    /// Does a commit wait for the disk now?
    durable: bool,
    /// Numbers up to this one may have been used before this start.
    used: u64,
    /// Numbers up to this one may be used now.
    reserved: u64,
}

/// What is committed together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CommitRows<'a> {
    /// What the desk wants saved.
    pub save: &'a [RowChange],
    /// What happened, for the receipts.
    pub news: &'a [News],
    /// Changes of who may answer on Telegram, and how far was read.
    pub pairings: &'a [PairingChange],
    /// Changes of what was asked through Beckon itself.
    pub asking: &'a [kept::RecordChange],
    /// How many answers of shared asks are used up by now.
    pub rounds: &'a [(u64, u32)],
    /// What is known of the chats of a bot that is shared.
    pub chats: &'a [SharedChatRow],
}

/// An opened store, and what was found.
#[derive(Debug)]
pub(crate) struct OpenedStore<T> {
    /// The store.
    pub store: Store,
    /// A corrupt predecessor under its new name, or a copy of its log, as long as nobody was told.
    pub set_aside: Option<Aside>,
    /// The last run has not tidied up: it was killed, or the power failed.
    pub unclean: bool,
    /// What was read at once.
    pub kept: T,
}

impl Store {
    /// Opens or creates the file.
    ///
    /// # Errors
    /// As [`Store::open_reading`].
    #[cfg(test)]
    pub(crate) fn open(path: &Path, now: Timestamp) -> Result<OpenedStore<()>> {
        Self::open_reading(path, now, |_| Ok(()))
    }

    /// Opens or creates the file, and reads from it. A corrupt one is set aside with its date in the
    /// name, and an empty one takes its place: what is still open comes back from the sources'
    /// lists. It is not read as a whole, which would take the longer the more there is: corruption
    /// is found where it is met, and after an unclean end by [`DatabaseUpkeep`].
    ///
    /// # Errors
    /// When the file was written by a newer Beckon, cannot be created, or cannot be used at the
    /// moment; then nothing is touched.
    pub(crate) fn open_reading<T>(
        path: &Path,
        now: Timestamp,
        read: impl Fn(&Self) -> Result<T>,
    ) -> Result<OpenedStore<T>> {
        let unclean = aside::ended_uncleanly(path);
        let open = || opening::patiently(path, || Self::try_open(path, now, &read));
        let opened = match open() {
            Err(OpenObstacle::Corrupt(error)) => {
                let why = DatabaseError::Unreachable;
                let failed = || SystemFailure::Database {
                    file: path.into(),
                    why,
                };
                let aside = aside::set_aside(path, now).with_context(failed)?;
                let error = format!("{error:#}");
                tracing::warn!(error, aside = %aside.display(), "the database was broken and is set aside");
                open()
            }
            opened => opened,
        };
        let (store, kept) = opened.map_err(|obstacle| obstacle.into_error(path))?;
        let set_aside = aside::untold(&store.connection)?;
        Ok(OpenedStore {
            store,
            set_aside,
            unclean,
            kept,
        })
    }

    fn try_open<T>(
        path: &Path,
        now: Timestamp,
        read: &impl Fn(&Self) -> Result<T>,
    ) -> Result<(Self, T), OpenObstacle> {
        let connection = opening::connect(path, now)?;
        let used = serials::reserved(&connection)?;
        let mut store = Self {
            connection,
            path: path.into(),
            durable: true,
            used,
            reserved: used,
        };
        if let Some(up_to) = serials::wanted(used, used) {
            serials::reserve(&store.connection, up_to)?;
            store.reserved = up_to;
        }
        let kept = read(&store)?;
        let tidy = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        store.connection.set_db_config(tidy, false)?;
        Ok((store, kept))
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Can the whole file be read?
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub(crate) fn check(path: &Path) -> Result<()> {
        let connection = opening::connect_again(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        match opening::check(&connection) {
            Ok(()) => Ok(()),
            Err(obstacle) => Err(obstacle.into_error(path)),
        }
    }

    /// Somebody was told of the file that was set aside.
    ///
    /// # Errors
    /// When the disk refuses; then it is told once more.
    pub(crate) fn told_of_aside(&self) -> Result<()> {
        aside::told(&self.connection)
    }

    /// Commits rows, all or nothing. What somebody relies on from then on (`durable.rs`) is on the
    /// disk, not only in the kernel, when this returns: it must outlive a power cut.
    ///
    /// # Errors
    /// When the disk is full or broken; then nothing of the step is saved.
    pub(crate) fn commit(&mut self, rows: &CommitRows<'_>, at: Timestamp) -> Result<()> {
        let CommitRows {
            save,
            news,
            pairings,
            asking,
            rounds,
            chats,
        } = rows;
        let is_empty = save.is_empty() && news.is_empty() && pairings.is_empty();
        if is_empty && asking.is_empty() && rounds.is_empty() && chats.is_empty() {
            return Ok(());
        }
        let reserve = highest(save).and_then(|serial| serials::wanted(serial, self.reserved));
        let committed = self.try_commit(rows, at, reserve);
        match &committed {
            Ok(()) => self.reserved = reserve.unwrap_or(self.reserved),
            Err(error) if opening::is_corruption(error) => aside::suspect(&self.path),
            Err(_) => {}
        }
        committed
    }

    fn try_commit(
        &mut self,
        rows: &CommitRows<'_>,
        at: Timestamp,
        reserve: Option<u64>,
    ) -> Result<()> {
        self.wait_for_disk(reserve.is_some() || durable::relied_on(rows))?;
        // At once: another connection may write between a read and a write of ours.
        let begin = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(begin)?;
        if let Some(up_to) = reserve {
            serials::reserve(&transaction, up_to)?;
        }
        rows.save
            .iter()
            .try_for_each(|row| put(&transaction, row, at))?;
        receipts::put(&transaction, rows, at)?;
        pairings::put(&transaction, rows.pairings)?;
        local_asks::put(&transaction, rows.asking)?;
        rounds::put(&transaction, rows.rounds)?;
        shared_chats::put(&transaction, rows.chats)?;
        transaction
            .commit()
            .context("Failed to commit to the database")
    }

    fn wait_for_disk(&mut self, durable: bool) -> Result<()> {
        if durable != self.durable {
            let level = if durable { "full" } else { "normal" };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.durable = durable;
        }
        Ok(())
    }

    /// Everything a desk needs to go on; of the asks that settled since `since`, the latest.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn load(&self, since: Timestamp) -> Result<SavedState> {
        let mut entries = asks::open(&self.connection)?;
        let leftover = cards::fill(&self.connection, &mut entries)?;
        let Standing {
            said,
            said_until,
            paused_until,
            at,
        } = presence::read(&self.connection)?;
        Ok(SavedState {
            entries,
            leftover,
            memory: asks::settled_since(&self.connection, since, MOST_REMEMBERED)?,
            last_serial: self.used,
            said,
            said_until,
            paused_until,
            standing_at: at,
        })
    }
}

impl Store {
    /// The last so many asks that were answered since then, the newest last.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn latest(&self, since: Timestamp, most: usize) -> Result<Vec<Entry>> {
        asks::latest(&self.connection, since, most)
    }

    /// How the ask that a button was made for ended, however long ago, as long as the history has
    /// it.
    ///
    /// # Errors
    /// When the row cannot be read.
    pub(crate) fn outcome(&self, target: ButtonTarget) -> Result<Option<Outcome>> {
        asks::outcome(&self.connection, target)
    }

    /// Who gave the answer of that ask, as far as that is known.
    ///
    /// # Errors
    /// When the row cannot be read.
    pub(crate) fn responder(&self, ask: &AskId) -> Result<Option<Responder>> {
        asks::responder_to(&self.connection, ask)
    }

    /// A random word that belongs to this database for ever. Serials begin anew in another one, so
    /// buttons carry the seal beside them.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn seal(&self) -> Result<String> {
        instance_id::read_or_create(&self.connection)
    }

    /// Keeps what somebody has begun to answer in a window.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn keep_draft(&self, ask: &AskId, draft: &WindowDraft) -> Result<()> {
        let empty = draft.replies.iter().all(|reply| *reply == Reply::default());
        let text = serde_json::to_string(draft)?;
        window_drafts::put(&self.connection, ask, (!empty).then_some(&text))
    }

    /// What was begun in windows.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn drafts(&self) -> Result<BTreeMap<AskId, WindowDraft>> {
        let rows = window_drafts::all(&self.connection)?;
        // One of another shape is begun anew.
        let read = |(ask, text): (AskId, String)| Some((ask, serde_json::from_str(&text).ok()?));
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// What is remembered of Telegram.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn pairings(&self) -> Result<Pairings> {
        pairings::read(&self.connection)
    }

    /// What is known of the chats of a bot that is shared.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn shared_chats(&self, bot: i64) -> Result<BTreeMap<String, MarkedEntry>> {
        shared_chats::read(&self.connection, bot)
    }

    /// How many answers of each shared ask are used up.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn rounds(&self) -> Result<BTreeMap<u64, u32>> {
        rounds::read(&self.connection)
    }

    /// Who belongs to the desk of that admin, as it was said last.
    ///
    /// # Errors
    /// When the row cannot be read.
    pub(crate) fn hub_desk(&self, admin: &str) -> Result<Option<DeskRecord>> {
        hub_desk::read(&self.connection, admin)
    }

    /// Keeps it, on the disk: who was taken off must not come back with the power.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn keep_hub_desk(&mut self, admin: &str, desk: &DeskRecord) -> Result<()> {
        self.wait_for_disk(true)?;
        hub_desk::put(&self.connection, admin, desk)
    }

    /// This machine is on that hub: since when?
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn at_hub(&mut self, hub: &str) -> Result<HubSince> {
        self.wait_for_disk(true)?;
        hub_since::begin(&self.connection, hub)
    }

    /// It is on none; the bot of one that it leaves is shared, or not. Does a bot stay with a hub that
    /// was left?
    ///
    /// # Errors
    /// When the disk refuses.
    pub(crate) fn at_no_hub(&mut self, is_bot_shared: bool) -> Result<bool> {
        self.wait_for_disk(true)?;
        hub_since::end(&self.connection, is_bot_shared)
    }

    /// What was asked through Beckon itself.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn asking(&self) -> Result<Vec<kept::AskRecord>> {
        local_asks::read(&self.connection)
    }
}

fn highest(save: &[RowChange]) -> Option<u64> {
    let serial = |save: &RowChange| match save {
        RowChange::Ask(entry) => Some(entry.serial),
        _ => None,
    };
    save.iter().filter_map(serial).max()
}

fn put(connection: &Connection, row: &RowChange, at: Timestamp) -> Result<()> {
    match row {
        RowChange::Ask(entry) => {
            asks::put(connection, entry)?;
            if entry.state.is_settled() {
                window_drafts::delete(connection, &entry.ask.id)?;
            }
            Ok(())
        }
        RowChange::Card {
            ask,
            serial,
            channel,
            handle,
            closed,
        } => {
            let (ask, handle) = (ask.clone(), handle.clone());
            let card = LeftoverCard {
                ask,
                channel: *channel,
                serial: *serial,
                handle,
            };
            cards::put(connection, &card, *closed)
        }
        RowChange::NoCard { ask, channel } => cards::delete(connection, ask, *channel),
        RowChange::Gone {
            ask,
            given,
            inquired,
        } => asks::put_gone(connection, ask, given.as_ref(), *inquired),
        RowChange::Standing {
            said,
            said_until,
            paused_until,
        } => {
            let (said, said_until, paused_until) = (*said, *said_until, *paused_until);
            presence::put(
                connection,
                &Standing {
                    said,
                    said_until,
                    paused_until,
                    at: Some(at),
                },
            )
        }
    }
}
