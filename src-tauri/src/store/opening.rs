//! The opening of the file: what may keep it from being opened, and what is done about each cause.
//! Only a file that is proven corrupt is set aside (`aside.rs`). For any other cause the reason is
//! told, and the file stays as it is.

use super::{MIGRATIONS, aside, wal};
use anyhow::Error;
use beckon_client::platform::failure::{DatabaseError, SystemFailure};
use beckon_client::platform::paths::sync_directory_of;
use beckon_core::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rusqlite_migration::Migrations;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time for which another program that holds the file, such as a backup or a viewer, is waited
/// for.
const WAIT: Duration = Duration::from_secs(10);
/// The time for which SQLite itself waits at the start, and in connections on which the loop does
/// not wait.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// The time for which a commit of the loop waits for another program's write, which takes some
/// milliseconds. The loop may be busy for 50 ms in all.
pub(super) const COMMIT_WAIT: Duration = Duration::from_millis(20);
/// The pause before the next try, since SQLite refuses some locks at once.
const PAUSE: Duration = Duration::from_millis(50);

/// A reason why the database is not used.
#[derive(Debug)]
pub(super) enum OpenObstacle {
    /// A newer Beckon wrote it.
    Newer(i64),
    /// The file is proven corrupt.
    Corrupt(Error),
    /// The file cannot be used now, but may well be intact.
    Unavailable(DatabaseError, Error),
}

impl OpenObstacle {
    pub(super) fn into_error(self, path: &Path) -> Error {
        let file = PathBuf::from(path);
        match self {
            Self::Newer(found) => SystemFailure::Newer {
                file,
                found,
                known: MIGRATIONS.len(),
            }
            .into(),
            Self::Corrupt(error) => error.context(SystemFailure::Open(file)),
            Self::Unavailable(why, error) => error.context(SystemFailure::Database { file, why }),
        }
    }
}

impl From<rusqlite::Error> for OpenObstacle {
    fn from(error: rusqlite::Error) -> Self {
        Self::from(Error::from(error))
    }
}

impl From<std::io::Error> for OpenObstacle {
    fn from(error: std::io::Error) -> Self {
        let why = match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                DatabaseError::NotPermitted
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => DatabaseError::Full,
            _ => DatabaseError::Unreachable,
        };
        Self::Unavailable(why, error.into())
    }
}

impl From<Error> for OpenObstacle {
    fn from(error: Error) -> Self {
        let why = match code(&error) {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                return Self::Corrupt(error);
            }
            Some(
                ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::FileLockingProtocolFailed,
            ) => DatabaseError::Busy,
            Some(ErrorCode::DiskFull) => DatabaseError::Full,
            Some(
                ErrorCode::PermissionDenied
                | ErrorCode::ReadOnly
                | ErrorCode::AuthorizationForStatementDenied,
            ) => DatabaseError::NotPermitted,
            _ => DatabaseError::Unreachable,
        };
        Self::Unavailable(why, error)
    }
}

/// Whether the content of the file is to blame for an error.
pub(super) fn is_corruption(error: &Error) -> bool {
    matches!(
        code(error),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
    )
}

/// Whether the database itself refuses, and not because of the content of a row.
pub(super) fn is_of_sqlite(error: &Error) -> bool {
    code(error).is_some()
}

fn code(error: &Error) -> Option<ErrorCode> {
    let of = |cause: &(dyn std::error::Error + 'static)| {
        cause
            .downcast_ref::<rusqlite::Error>()
            .and_then(rusqlite::Error::sqlite_error_code)
    };
    let migrating = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref()? {
        rusqlite_migration::Error::RusqliteError { err, .. } => err.sqlite_error_code(),
        _ => None,
    };
    error
        .chain()
        .find_map(|cause| of(cause).or_else(|| migrating(cause)))
}

/// Tries for a while, until no other program holds the file any more.
pub(super) fn patiently<T>(
    path: &Path,
    mut attempt: impl FnMut() -> Result<T, OpenObstacle>,
) -> Result<T, OpenObstacle> {
    let began = Instant::now();
    let mut said = false;
    loop {
        match attempt() {
            Err(OpenObstacle::Unavailable(DatabaseError::Busy, _)) if began.elapsed() < WAIT => {}
            done => return done,
        }
        if !said {
            let (file, seconds) = (path.display(), WAIT.as_secs());
            tracing::warn!(%file, seconds, "another program uses the database: waiting for it");
            said = true;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Opens or creates the file with the present schema. What this writes is on the disk when it
/// returns.
pub(super) fn connect(path: &Path, now: Timestamp) -> Result<Connection, OpenObstacle> {
    create_private(path)?;
    if aside::is_emptied(path)? {
        let why = "the database is empty, and its log is not";
        return Err(OpenObstacle::Corrupt(anyhow::anyhow!(why)));
    }
    let log_is_damaged = wal::is_damaged(&aside::log_of(path))?;
    let mut connection = Connection::open(path)?;
    // Whatever is found, the log stays with the file.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if usize::try_from(version).is_ok_and(|version| version > MIGRATIONS.len()) {
        return Err(OpenObstacle::Newer(version));
    }
    // The log may have been lost while it was being copied into the database.
    if log_is_damaged || aside::is_suspect(path) {
        check(&connection)?;
        aside::clear_suspicion(path);
    }
    let log = log_is_damaged
        .then(|| aside::keep_log(path, now))
        .transpose()?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    let migrations = Migrations::from_slice(MIGRATIONS);
    migrations.to_latest(&mut connection).map_err(Error::from)?;
    if version == 0 {
        aside::note_latest(&connection, path)?;
        sync_directory_of(path)?;
    }
    if let Some(log) = log {
        aside::note(&connection, &log)?;
    }
    Ok(connection)
}

/// Reads every page. Takes seconds where there is much.
pub(super) fn check(connection: &Connection) -> Result<(), OpenObstacle> {
    let check: String = connection.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
    match check.as_str() {
        "ok" => Ok(()),
        found => Err(OpenObstacle::Corrupt(anyhow::anyhow!(
            "quick_check says: {found}"
        ))),
    }
}

/// Opens one more connection to a database that is open already.
pub(super) fn connect_again(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Creates the file so that only its owner can read it, wherever it is: it has answers in it.
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

#[cfg(test)]
mod tests;
