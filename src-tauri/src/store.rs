//! The database, an SQLite file: opening and migrating it, committing a step, and reading
//! everything back. Each table has a file below.
//!
//! Tables are STRICT and migrations additive: an old one is never edited.

mod aside;
mod asks;
mod backlog;
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
use backlog::{Backlog, KeptStep};
use beckon_client::platform::failure::{DatabaseError, SystemFailure};
use beckon_client::wire::WindowDraft;
use beckon_core::hub::{DeskRecord, MarkedEntry};
use beckon_core::{
    AskId, ButtonTarget, Entry, LeftoverCard, MOST_REMEMBERED, News, Outcome, Reply, Responder,
    RowChange, SavedState, Timestamp,
};
pub(crate) use hub_since::{HubMove, HubSince};
use opening::OpenObstacle;
use presence::Standing;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use rusqlite_migration::M;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The pretend source of the self-test. Its asks are left out of the history.
const PRETEND: &str = beckon_core::SELF_TEST;
/// The time for which saving is tried again when the program ends. Windows gives a program five
/// seconds when its user logs out; other systems give more.
const LAST_WAIT: Duration = Duration::from_secs(3);
const LAST_PAUSE: Duration = Duration::from_millis(100);

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
    M::up(asks::REQUEST),
    M::up(asks::UNDELIVERED),
    M::up(asks::ANSWERED_AT),
    M::up(local_asks::PROOF),
    M::up(local_asks::OVER),
];

/// The database, open for the loop.
#[derive(Debug)]
pub(crate) struct Store {
    connection: Connection,
    path: PathBuf,
    /// Whether a commit waits for the disk now.
    durable: bool,
    /// The highest serial that may have been used before this start.
    used: u64,
    /// The highest serial that may be used now.
    reserved: u64,
    /// The rows that the disk has refused so far.
    backlog: Backlog,
}

/// The rows that one commit writes together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CommitRows<'a> {
    /// The changes that the desk wants saved.
    pub save: &'a [RowChange],
    /// The news of what happened, for the receipts.
    pub news: &'a [News],
    /// The changes of who may answer on Telegram, and of how far its updates were read.
    pub pairings: &'a [PairingChange],
    /// The changes of what was asked through Beckon itself.
    pub asking: &'a [kept::RecordChange],
    /// The number of used-up answers of each shared ask, by the ask's serial.
    pub rounds: &'a [(u64, u32)],
    /// The entries of the chats of a shared bot.
    pub chats: &'a [SharedChatRow],
    /// The answers that somebody has begun in a window, as JSON; `None` where nothing is begun any
    /// more.
    pub drafts: &'a [(AskId, Option<String>)],
    /// The desks, each by its admin's key: who belongs to it.
    pub desks: &'a [(String, DeskRecord)],
    /// The hubs that were joined or left.
    pub moves: &'a [HubMove],
}

impl CommitRows<'_> {
    fn is_empty(&self) -> bool {
        self.save.is_empty()
            && self.news.is_empty()
            && self.pairings.is_empty()
            && self.asking.is_empty()
            && self.rounds.is_empty()
            && self.chats.is_empty()
            && self.drafts.is_empty()
            && self.desks.is_empty()
            && self.moves.is_empty()
    }
}

/// An opened store, and what was found while opening it.
#[derive(Debug)]
pub(crate) struct OpenedStore<T> {
    /// The store itself.
    pub store: Store,
    /// A corrupt file under its new name, or the copy of a damaged log, until the user was told of
    /// it.
    pub set_aside: Option<Aside>,
    /// Whether the last run ended without tidying up: it was killed, or the power failed.
    pub unclean: bool,
    /// The result of the reading that was done while opening.
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

    /// Opens or creates the file, and reads from it. A corrupt file is set aside with the date in
    /// its name, and an empty one takes its place: what is still open comes back from the sources'
    /// lists. The file is not checked as a whole, which would take the longer the more there is:
    /// corruption is found where it is met, and after an unclean end by [`DatabaseUpkeep`].
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
            backlog: Backlog::default(),
        };
        if let Some(up_to) = serials::wanted(used, used) {
            serials::reserve(&store.connection, up_to)?;
            store.reserved = up_to;
        }
        let kept = read(&store)?;
        let tidy = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        store.connection.set_db_config(tidy, false)?;
        // From here on the loop waits for the database. If another program holds it, rows are saved
        // later.
        store.connection.busy_timeout(opening::COMMIT_WAIT)?;
        Ok((store, kept))
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the whole file can be read.
    ///
    /// # Errors
    /// When it cannot; the error says what is wrong with it.
    pub(crate) fn check(path: &Path) -> Result<()> {
        let connection = opening::connect_again(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        match opening::check(&connection) {
            Ok(()) => Ok(()),
            Err(obstacle) => Err(obstacle.into_error(path)),
        }
    }

    /// Returns who belongs to the desk of that admin, according to the file. For commands, which
    /// open no store of their own.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    #[cfg(feature = "hub")]
    pub(crate) fn read_hub_desk(path: &Path, admin: &str) -> Result<Option<DeskRecord>> {
        if !path.exists() {
            return Ok(None);
        }
        let connection = opening::connect_again(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        hub_desk::read(&connection, admin)
    }

    /// Notes that the user was told of the file that was set aside.
    ///
    /// # Errors
    /// When the disk refuses; then the user is told once more.
    pub(crate) fn told_of_aside(&self) -> Result<()> {
        aside::told(&self.connection)
    }

    /// Commits rows, all or nothing. If somebody relies on them from then on (`durable.rs`), they
    /// are on the disk, not only in the kernel, when this returns: they must outlive a power cut.
    /// Rows that the disk refuses for the moment are kept, in their order, and saved by a later
    /// commit or by [`Store::save_again`]; see [`Store::refusal`].
    ///
    /// # Errors
    /// When these rows are not saved: the file is busy, full or broken, or is still waited for.
    pub(crate) fn commit(&mut self, rows: &CommitRows<'_>, at: Timestamp) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }

        if !self.backlog.is_empty() {
            self.backlog.keep(rows, at);
            return self.save_if_due();
        }

        let Err(error) = self.try_commit(rows, at) else {
            return Ok(());
        };
        self.note_refusal(&error);
        if backlog::may_pass(&error) {
            self.backlog.keep(rows, at);
            self.backlog.note_failure(&error);
        }
        Err(error)
    }

    /// Returns why the last commit was refused, in the database's words; `None` if all is saved.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.backlog.refusal()
    }

    /// Returns when saving is to be tried again; `None` if all is saved.
    pub(crate) fn next_attempt(&self) -> Option<Instant> {
        self.backlog.next_attempt()
    }

    /// Tries once more to save what is kept, all or nothing.
    ///
    /// # Errors
    /// When the disk refuses again.
    pub(crate) fn save_again(&mut self) -> Result<()> {
        if self.backlog.is_empty() {
            return Ok(());
        }

        let backlog = std::mem::take(&mut self.backlog);
        let saved = self.try_commit_all(&backlog);
        if let Err(error) = &saved {
            self.note_refusal(error);
            self.backlog = backlog;
            self.backlog.note_failure(error);
        }
        saved
    }

    /// Tries to save for [`LAST_WAIT`], since the program is about to end.
    ///
    /// # Errors
    /// When the disk refuses to the end.
    pub(crate) fn save_before_end(&mut self) -> Result<()> {
        let began = Instant::now();
        loop {
            let saved = self.save_again();
            if saved.is_ok() || began.elapsed() > LAST_WAIT {
                return saved;
            }
            std::thread::sleep(LAST_PAUSE);
        }
    }

    fn save_if_due(&mut self) -> Result<()> {
        let is_due = self
            .backlog
            .next_attempt()
            .is_none_or(|at| Instant::now() >= at);
        if is_due {
            return self.save_again();
        }

        let refusal = self.backlog.refusal().unwrap_or_default().to_owned();
        Err(anyhow::anyhow!(refusal))
    }

    fn note_refusal(&self, error: &anyhow::Error) {
        if opening::is_corruption(error) {
            aside::suspect(&self.path);
        }
    }

    fn try_commit(&mut self, rows: &CommitRows<'_>, at: Timestamp) -> Result<()> {
        let reserve = highest(rows.save).and_then(|serial| serials::wanted(serial, self.reserved));
        self.wait_for_disk(reserve.is_some() || durable::relied_on(rows))?;

        let transaction = begin(&mut self.connection)?;
        if let Some(up_to) = reserve {
            serials::reserve(&transaction, up_to)?;
        }
        put_rows(&transaction, rows, at)?;
        receipts::put(
            &transaction,
            rows.save,
            rows.news.iter().map(|news| (at, news)),
        )?;
        commit(transaction)?;

        self.reserved = reserve.unwrap_or(self.reserved);
        Ok(())
    }

    fn try_commit_all(&mut self, backlog: &Backlog) -> Result<()> {
        let serials = backlog.steps().filter_map(|step| highest(step.rows().save));
        let reserve = serials
            .max()
            .and_then(|serial| serials::wanted(serial, self.reserved));
        // By now somebody may have been told of any of these rows.
        self.wait_for_disk(true)?;

        let mut transaction = begin(&mut self.connection)?;
        if let Some(up_to) = reserve {
            serials::reserve(&transaction, up_to)?;
        }
        for step in backlog.steps() {
            put_kept(&mut transaction, step)?;
        }
        commit(transaction)?;

        self.reserved = reserve.unwrap_or(self.reserved);
        Ok(())
    }

    fn wait_for_disk(&mut self, durable: bool) -> Result<()> {
        if durable != self.durable {
            let level = if durable { "full" } else { "normal" };
            self.connection.pragma_update(None, "synchronous", level)?;
            self.durable = durable;
        }
        Ok(())
    }

    /// Reads everything that a desk needs to go on; of the asks that settled since `since`, the
    /// latest.
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
    /// Returns the last asks that were answered since then, at most that many, the newest last.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn latest(&self, since: Timestamp, most: usize) -> Result<Vec<Entry>> {
        asks::latest(&self.connection, since, most)
    }

    /// Returns how the ask that a button was made for ended, however long ago, as long as the
    /// history has it.
    ///
    /// # Errors
    /// When the row cannot be read.
    pub(crate) fn outcome(&self, target: ButtonTarget) -> Result<Option<Outcome>> {
        asks::outcome(&self.connection, target)
    }

    /// Returns who gave the answer to that ask, as far as that is known.
    ///
    /// # Errors
    /// When the row cannot be read.
    pub(crate) fn responder(&self, ask: &AskId) -> Result<Option<Responder>> {
        asks::responder_to(&self.connection, ask)
    }

    /// Returns a random word that belongs to this database for ever. In another database serials
    /// begin anew, so buttons carry this word beside them.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub(crate) fn seal(&self) -> Result<String> {
        instance_id::read_or_create(&self.connection)
    }

    /// Keeps the answer that somebody has begun in a window.
    ///
    /// # Errors
    /// When it is not saved now; see [`Store::commit`].
    pub(crate) fn keep_draft(
        &mut self,
        ask: &AskId,
        draft: &WindowDraft,
        at: Timestamp,
    ) -> Result<()> {
        let is_empty = draft.replies.iter().all(|reply| *reply == Reply::default());
        let text = serde_json::to_string(draft)?;
        let row = (ask.clone(), (!is_empty).then_some(text));

        let rows = CommitRows {
            drafts: &[row],
            ..CommitRows::default()
        };
        self.commit(&rows, at)
    }

    /// Returns the answers that were begun in windows.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn drafts(&self) -> Result<BTreeMap<AskId, WindowDraft>> {
        let mut rows = window_drafts::all(&self.connection)?;
        for (ask, draft) in self.backlog.steps().flat_map(|step| step.drafts()) {
            match draft {
                Some(text) => _ = rows.insert(ask.clone(), text.clone()),
                None => _ = rows.remove(ask),
            }
        }

        // A draft of another shape, as another version wrote it, is passed over: its answer is
        // begun anew.
        let read = |(ask, text): (AskId, String)| Some((ask, serde_json::from_str(&text).ok()?));
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// Returns what is remembered of Telegram: who may answer, and how far its updates were read.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn pairings(&self) -> Result<Pairings> {
        pairings::read(&self.connection)
    }

    /// Returns the entries that are known of the chats of a shared bot.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn shared_chats(&self, bot: i64) -> Result<BTreeMap<String, MarkedEntry>> {
        shared_chats::read(&self.connection, bot)
    }

    /// Returns how many answers of each shared ask are used up, by its serial.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn rounds(&self) -> Result<BTreeMap<u64, u32>> {
        rounds::read(&self.connection)
    }

    /// Returns who belongs to the desk of that admin, by the last list of it that was kept.
    ///
    /// # Errors
    /// When the row cannot be read.
    pub(crate) fn hub_desk(&self, admin: &str) -> Result<Option<DeskRecord>> {
        hub_desk::read(&self.connection, admin)
    }

    /// Keeps who belongs to the desk of that admin: a device that was taken off must not come back
    /// after a power cut.
    ///
    /// # Errors
    /// When it is not saved now; see [`Store::commit`].
    pub(crate) fn keep_hub_desk(
        &mut self,
        admin: &str,
        desk: &DeskRecord,
        at: Timestamp,
    ) -> Result<()> {
        let rows = CommitRows {
            desks: &[(admin.to_owned(), desk.clone())],
            ..CommitRows::default()
        };
        self.commit(&rows, at)
    }

    /// Notes that this machine is on that hub, and returns since when it is.
    ///
    /// # Errors
    /// When the database can't be read.
    pub(crate) fn at_hub(&mut self, hub: &str, at: Timestamp) -> Result<HubSince> {
        let since = hub_since::read(&self.connection, hub)?;
        if !since.is_known || !self.backlog.is_empty() {
            self.move_to(HubMove::Joined(hub.to_owned()), at);
        }
        Ok(since.since)
    }

    /// Notes that this machine is on no hub; `is_bot_shared` says whether other machines of the hub
    /// that it leaves have its bot as well. Returns whether a bot stays with a hub that was left.
    ///
    /// # Errors
    /// When the database can't be read.
    pub(crate) fn at_no_hub(&mut self, is_bot_shared: bool, at: Timestamp) -> Result<bool> {
        let left = hub_since::read_left(&self.connection, is_bot_shared)?;
        if left.is_news || !self.backlog.is_empty() {
            self.move_to(HubMove::Left { is_bot_shared }, at);
        }
        Ok(left.stays)
    }

    fn move_to(&mut self, to: HubMove, at: Timestamp) {
        let rows = CommitRows {
            moves: &[to],
            ..CommitRows::default()
        };
        if let Err(error) = self.commit(&rows, at) {
            let error = format!("{error:#}");
            tracing::warn!(error, "joining or leaving a hub could not be saved yet");
        }
    }

    /// Returns what was asked through Beckon itself.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub(crate) fn asking(&self) -> Result<Vec<kept::AskRecord>> {
        local_asks::read(&self.connection)
    }
}

/// Begins a transaction that writes from its start: otherwise another connection could write
/// between a read and a write of ours.
fn begin(connection: &mut Connection) -> Result<Transaction<'_>> {
    let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    begun.context("Failed to begin to write to the database")
}

fn commit(transaction: Transaction<'_>) -> Result<()> {
    transaction
        .commit()
        .context("Failed to commit to the database")
}

/// Puts all rows but the news.
fn put_rows(connection: &Connection, rows: &CommitRows<'_>, at: Timestamp) -> Result<()> {
    for row in rows.save {
        put(connection, row, at)?;
    }
    pairings::put(connection, rows.pairings)?;
    local_asks::put(connection, rows.asking)?;
    rounds::put(connection, rows.rounds)?;
    shared_chats::put(connection, rows.chats)?;
    for (ask, draft) in rows.drafts {
        window_drafts::put(connection, ask, draft.as_deref())?;
    }
    for (admin, desk) in rows.desks {
        hub_desk::put(connection, admin, desk)?;
    }
    for to in rows.moves {
        hub_since::put(connection, to)?;
    }
    Ok(())
}

/// Puts a step that was kept. If its rows can never be saved, only this step is given up: it must
/// not hold up all that come after it.
fn put_kept(transaction: &mut Transaction<'_>, step: &KeptStep) -> Result<()> {
    let savepoint = transaction.savepoint()?;
    let rows = step.rows();
    let put = put_rows(&savepoint, &rows, step.at()).and_then(|()| {
        let news = step.news().iter().map(|(at, news)| (*at, news));
        receipts::put(&savepoint, rows.save, news)
    });

    match put {
        Ok(()) => Ok(savepoint.commit()?),
        Err(error) if backlog::may_pass(&error) => Err(error),
        Err(error) => {
            let error = format!("{error:#}");
            tracing::warn!(error, "a step can't be saved as it is, and is given up");
            // A savepoint that is dropped is rolled back.
            Ok(())
        }
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
