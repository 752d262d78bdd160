//! What can go wrong in several places, as a type: what is only a line in the log elsewhere can so
//! be said in a person's language (`words/failing.rs`). Errors of the system stand below it.

use std::path::PathBuf;

/// What was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemFailure {
    /// A file that is to be opened or locked.
    #[error("Failed to open {}", .0.display())]
    Open(PathBuf),
    /// A file that is to be read.
    #[error("Failed to read {}", .0.display())]
    Read(PathBuf),
    /// A file that is to be written.
    #[error("Failed to write {}", .0.display())]
    Write(PathBuf),
    /// A directory for Beckon's own files.
    #[error("Failed to make {}", .0.display())]
    NoPlace(PathBuf),
    /// A file that is to go.
    #[error("Failed to remove {}", .0.display())]
    Remove(PathBuf),
    /// A file of our name that is somebody else's.
    #[error("Failed to change {}: it is somebody else's", .0.display())]
    Taken(PathBuf),
    /// A directory that is to be there.
    #[error("Failed to create {}", .0.display())]
    Create(PathBuf),
    /// A directory that is trusted and that others may write to.
    #[error("Failed to trust {}: other users of this machine may use it", .0.display())]
    Exposed(PathBuf),
    /// Somebody else's file that is to be changed.
    #[error("Failed to understand {}", .0.display())]
    Understand(PathBuf),
    /// A command line that is to stand in an agent's settings, and does not run.
    #[error("Failed to run {0}")]
    HookLine(String),
    /// What somebody types, or what comes on stdin.
    #[error("Failed to read what was entered")]
    Entry,
    /// The environment does not say where the home is.
    #[error("Failed to find the home directory: {0} is not set")]
    NoHome(&'static str),
    /// A place that the environment names, and not from the root on.
    #[error("Failed to use {0}: it is no absolute path")]
    NotWhole(&'static str),
    /// The program runs from an AppImage's mount, and the file behind it is not known.
    #[error("Failed to find the AppImage that Beckon runs from")]
    NoAppImage,
    /// An address that is to be opened and is none of the web.
    #[error("Failed to open the link: it is no web page")]
    NoWebPage,
    /// The program that opens things.
    #[error("Failed to start {0}")]
    Start(&'static str),
    /// The database is of a Beckon to come.
    #[error(
        "Failed to open {}: a newer Beckon wrote it (schema {found}, this one knows {known})",
        file.display()
    )]
    Newer {
        /// The database.
        file: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest schema that is known here.
        known: usize,
    },
    /// The database, which may well be whole.
    #[error("Failed to use the database {}", file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// What keeps it from being used.
        why: DatabaseError,
    },
    /// The loop's thread is gone though nobody has told it to end.
    #[error("Failed to go on: the loop ended by itself; its last log line says why")]
    LoopEnded,
}

/// What keeps a database from being used that may well be whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// Another program holds it.
    Busy,
    /// The disk is full.
    Full,
    /// It may not be read or written by this user.
    NotPermitted,
    /// The system does not let it be read or written, for whatever reason.
    Unreachable,
}
