//! The failures that can happen in several places, as a type, so that they can be told in a
//! person's language (`words/failing.rs`) and not only in the log. The system's errors are their
//! sources.

use std::path::PathBuf;

/// A failure of the system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemFailure {
    /// A file could not be opened or locked.
    #[error("Failed to open {}", .0.display())]
    Open(PathBuf),
    /// A file could not be read.
    #[error("Failed to read {}", .0.display())]
    Read(PathBuf),
    /// A file could not be written.
    #[error("Failed to write {}", .0.display())]
    Write(PathBuf),
    /// A directory for Beckon's own files could not be made.
    #[error("Failed to make {}", .0.display())]
    NoPlace(PathBuf),
    /// A file could not be removed.
    #[error("Failed to remove {}", .0.display())]
    Remove(PathBuf),
    /// A file of Beckon's name exists that is not Beckon's.
    #[error("Failed to change {}: it is somebody else's", .0.display())]
    Taken(PathBuf),
    /// A directory could not be made.
    #[error("Failed to create {}", .0.display())]
    Create(PathBuf),
    /// A directory that Beckon trusts can be written to by others.
    #[error("Failed to trust {}: other users of this machine may use it", .0.display())]
    Exposed(PathBuf),
    /// Another program's file, which is to be changed, could not be understood.
    #[error("Failed to understand {}", .0.display())]
    Understand(PathBuf),
    /// A command line that is to go into an agent's settings does not run.
    #[error("Failed to run {0}")]
    HookLine(String),
    /// Typed input, or stdin, could not be read.
    #[error("Failed to read what was entered")]
    Entry,
    /// The environment does not name the home directory.
    #[error("Failed to find the home directory: {0} is not set")]
    NoHome(&'static str),
    /// A path that the environment names is not absolute.
    #[error("Failed to use {0}: it is no absolute path")]
    NotWhole(&'static str),
    /// The program runs from an AppImage's mount, and the AppImage's file is not known.
    #[error("Failed to find the AppImage that Beckon runs from")]
    NoAppImage,
    /// An address that is to be opened is none of the web.
    #[error("Failed to open the link: it is no web page")]
    NoWebPage,
    /// The program that opens files and addresses could not be started.
    #[error("Failed to start {0}")]
    Start(&'static str),
    /// The database was written by a newer Beckon.
    #[error(
        "Failed to open {}: a newer Beckon wrote it (schema {found}, this one knows {known})",
        file.display()
    )]
    Newer {
        /// The database.
        file: PathBuf,
        /// The database's schema version.
        found: i64,
        /// The newest schema version that this Beckon knows.
        known: usize,
    },
    /// The database cannot be used, although it may well be intact.
    #[error("Failed to use the database {}", file.display())]
    Database {
        /// The file.
        file: PathBuf,
        /// The reason why it cannot be used.
        why: DatabaseError,
    },
    /// The loop's thread is gone although nobody told it to end.
    #[error("Failed to go on: the loop ended by itself; its last log line says why")]
    LoopEnded,
}

/// The reason why a database cannot be used that may well be intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// Another program has locked it.
    Busy,
    /// The disk is full.
    Full,
    /// This user may not read or write it.
    NotPermitted,
    /// The system does not let it be read or written, for another reason.
    Unreachable,
}
