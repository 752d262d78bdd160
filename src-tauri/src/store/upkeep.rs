//! The upkeep of the database, in small steps on a thread of its own. The history is pruned by age,
//! number and size, and after an unclean end the whole file is checked once.

use super::{aside, opening, rounds};
use anyhow::Result;
use beckon_client::platform::clock;
use beckon_core::{Span, Timestamp};
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The pause after the start, which has other things to do.
const FIRST: Duration = Duration::from_secs(60);
/// The pause between two looks for anything to prune.
const EVERY: Duration = Duration::from_secs(3_600);
/// The pause between two steps, so that the loop never waits long for its turn to write.
const BETWEEN: Duration = Duration::from_millis(50);
/// The number of asks that are pruned in a step.
const STEP: i64 = 20;
const RECEIPTS_STEP: i64 = 500;
/// The time for which the history is kept.
const KEPT: Span = Span::minutes(365 * 24 * 60);

const LIMITS: HistoryLimits = HistoryLimits {
    most: 50_000,
    bytes: 256 << 20,
    least: 1_000,
    receipts: 100_000,
};

/// The limits of what the history keeps.
#[derive(Clone, Copy, Debug)]
struct HistoryLimits {
    /// The number of settled asks that are kept, as long as the database is no larger than `bytes`.
    most: i64,
    /// The size in bytes above which only `least` settled asks are kept.
    bytes: i64,
    /// The number of the latest settled asks that are kept in a larger database.
    least: i64,
    /// The number of receipts that are kept. Their age does not count, since the clock may have
    /// been wrong.
    receipts: i64,
}

/// The upkeep of one database.
#[derive(Debug)]
pub(crate) struct DatabaseUpkeep {
    database: PathBuf,
    check: bool,
}

impl DatabaseUpkeep {
    /// Makes the upkeep of that database; `check` tells whether its last run ended uncleanly.
    pub(crate) fn of(database: &Path, check: bool) -> Self {
        Self {
            database: database.into(),
            check,
        }
    }

    /// Starts the upkeep, which goes on as long as the program runs. Calls `damaged` if the file is
    /// damaged; the next start then sets it aside.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn start(
        self,
        damaged: impl FnOnce(PathBuf) + Send + 'static,
    ) -> std::io::Result<()> {
        let thread = std::thread::Builder::new().name("upkeep".into());
        thread.spawn(move || self.run(damaged)).map(drop)
    }

    fn run(self, damaged: impl FnOnce(PathBuf)) {
        std::thread::sleep(FIRST);
        if self.check && is_damaged(&self.database) {
            return damaged(self.database);
        }
        loop {
            if let Err(error) = prune(&self.database, clock::now()) {
                tracing::debug!(error = format!("{error:#}"), "the history was not pruned");
            }
            std::thread::sleep(EVERY);
        }
    }
}

/// Reads every page. A file that cannot be read now may still be intact.
fn is_damaged(database: &Path) -> bool {
    let connection = opening::connect_again(database, OpenFlags::SQLITE_OPEN_READ_ONLY);
    let checked = connection
        .map_err(Into::into)
        .and_then(|it| opening::check(&it));
    let Err(opening::OpenObstacle::Corrupt(error)) = checked else {
        return false;
    };
    let error = format!("{error:#}");
    tracing::warn!(
        error,
        "the database is damaged; the next start sets it aside"
    );
    aside::suspect(database);
    true
}

/// Prunes until nothing is left to prune. By age only one step is done at a time, so that little is
/// lost if the clock is wrong.
fn prune(database: &Path, now: Timestamp) -> Result<()> {
    let connection = opening::connect_again(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "synchronous", "normal")?;
    while prune_surplus(&connection, &LIMITS)? {
        std::thread::sleep(BETWEEN);
    }
    prune_old(&connection, Timestamp(now.0 - KEPT.0))?;
    rounds::prune(&connection)
}

/// Prunes one step of what exceeds number or size, and returns whether there may be more.
fn prune_surplus(connection: &Connection, limits: &HistoryLimits) -> Result<bool> {
    let receipts = connection.execute(
        "DELETE FROM receipts WHERE id IN (
             SELECT id FROM receipts
             WHERE id <= (SELECT max(id) FROM receipts) - ?1 ORDER BY id LIMIT ?2)",
        [limits.receipts, RECEIPTS_STEP],
    )?;
    let keep = if bytes(connection)? > limits.bytes {
        limits.least
    } else {
        limits.most
    };
    let first_kept: Option<i64> = connection
        .query_row(
            "SELECT settled_at FROM asks WHERE settled_at IS NOT NULL
             ORDER BY settled_at DESC LIMIT 1 OFFSET ?1 - 1",
            [keep],
            |row| row.get(0),
        )
        .optional()?;
    let asks = match first_kept {
        Some(at) => prune_old(connection, Timestamp(at))?,
        None => 0,
    };
    Ok(receipts > 0 || asks > 0)
}

/// Prunes one step of what was settled before that time. An ask with a card that has yet to be
/// withdrawn is kept until that is done.
fn prune_old(connection: &Connection, before: Timestamp) -> Result<usize> {
    let mut statement = connection.prepare_cached(
        "DELETE FROM asks WHERE serial IN (
             SELECT serial FROM asks WHERE settled_at < ?1 AND NOT EXISTS (
                 SELECT 1 FROM cards WHERE cards.source = asks.source AND cards.own = asks.own)
             ORDER BY settled_at LIMIT ?2)",
    )?;
    Ok(statement.execute([before.0, STEP])?)
}

/// Returns the size of the database in bytes, without pruned pages, which are reused.
fn bytes(connection: &Connection) -> Result<i64> {
    let number = |name: &str| -> rusqlite::Result<i64> {
        connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))
    };
    Ok((number("page_count")? - number("freelist_count")?) * number("page_size")?)
}

#[cfg(test)]
mod tests;
