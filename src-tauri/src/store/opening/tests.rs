//! Tests of which refusal of the database or of the system is which obstacle.

use super::*;
use rusqlite::ffi;

/// Returns what is done about a refusal of SQLite's.
fn kind(code: i32) -> &'static str {
    let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
    match OpenObstacle::from(Error::from(error).context("Failed to do something")) {
        OpenObstacle::Corrupt(_) => "set aside",
        OpenObstacle::Unavailable(DatabaseError::Busy, _) => "busy",
        OpenObstacle::Unavailable(DatabaseError::Full, _) => "full",
        OpenObstacle::Unavailable(DatabaseError::NotPermitted, _) => "not permitted",
        OpenObstacle::Unavailable(DatabaseError::Unreachable, _) => "unreachable",
        OpenObstacle::Newer(_) => "newer",
    }
}

#[test]
fn only_what_is_proven_corrupt_is_set_aside() {
    assert_eq!(kind(ffi::SQLITE_CORRUPT), "set aside");
    assert_eq!(kind(ffi::SQLITE_CORRUPT_INDEX), "set aside");
    assert_eq!(kind(ffi::SQLITE_NOTADB), "set aside");
    for code in [
        ffi::SQLITE_BUSY,
        ffi::SQLITE_BUSY_RECOVERY,
        ffi::SQLITE_LOCKED,
    ] {
        assert_eq!(kind(code), "busy", "{code}");
    }
    assert_eq!(kind(ffi::SQLITE_FULL), "full");
    for code in [
        ffi::SQLITE_PERM,
        ffi::SQLITE_READONLY,
        ffi::SQLITE_READONLY_DIRECTORY,
    ] {
        assert_eq!(kind(code), "not permitted", "{code}");
    }
    for code in [
        ffi::SQLITE_CANTOPEN,
        ffi::SQLITE_IOERR,
        ffi::SQLITE_NOMEM,
        ffi::SQLITE_ERROR,
    ] {
        assert_eq!(kind(code), "unreachable", "{code}");
    }
}

#[test]
fn what_the_system_refuses_is_told_apart() {
    let why = |kind: ErrorKind| match OpenObstacle::from(std::io::Error::from(kind)) {
        OpenObstacle::Unavailable(why, _) => Some(why),
        OpenObstacle::Newer(_) | OpenObstacle::Corrupt(_) => None,
    };
    assert_eq!(
        why(ErrorKind::PermissionDenied),
        Some(DatabaseError::NotPermitted)
    );
    assert_eq!(why(ErrorKind::StorageFull), Some(DatabaseError::Full));
    assert_eq!(why(ErrorKind::Other), Some(DatabaseError::Unreachable));
}
