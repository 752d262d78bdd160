//! The failures that can happen in several places, as a type. What would otherwise be only a line
//! in the log can thus be said in a person's language (`words/failing.rs`). The error of the system
//! is their cause.

use std::path::PathBuf;

/// Something that could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SystemFailure {
    /// Opening or locking a file.
    #[error("Failed to open {}", .0.display())]
    Open(PathBuf),
    /// Reading a file.
    #[error("Failed to read {}", .0.display())]
    Read(PathBuf),
    /// Writing a file.
    #[error("Failed to write {}", .0.display())]
    Write(PathBuf),
    /// Making a directory for Beckon's own files.
    #[error("Failed to make {}", .0.display())]
    NoPlace(PathBuf),
    /// Removing a file.
    #[error("Failed to remove {}", .0.display())]
    Remove(PathBuf),
    /// Changing a file that has our name, but is not ours.
    #[error("Failed to change {}: it is somebody else's", .0.display())]
    Taken(PathBuf),
    /// Creating a directory, or using it as our own.
    #[error("Failed to create {}", .0.display())]
    Create(PathBuf),
    /// Trusting a directory: others may write to it.
    #[error("Failed to trust {}: other users of this machine may use it", .0.display())]
    Exposed(PathBuf),
    /// Understanding a file of another program that is to be changed.
    #[error("Failed to understand {}", .0.display())]
    Understand(PathBuf),
    /// Running a command line that is to be put into an agent's settings.
    #[error("Failed to run {0}")]
    HookLine(String),
    /// Reading what somebody types, or what comes on stdin.
    #[error("Failed to read what was entered")]
    Entry,
    /// Finding the home directory: the environment does not name it.
    #[error("Failed to find the home directory: {0} is not set")]
    NoHome(&'static str),
    /// Using a path that the environment names: it is not absolute.
    #[error("Failed to use {0}: it is no absolute path")]
    NotWhole(&'static str),
    /// Finding the AppImage from whose mount the program runs.
    #[error("Failed to find the AppImage that Beckon runs from")]
    NoAppImage,
    /// Opening an address that is none of the web.
    #[error("Failed to open the link: it is no web page")]
    NoWebPage,
    /// Starting the program that opens files and addresses.
    #[error("Failed to start {0}")]
    Start(&'static str),
    /// Opening a database that a newer Beckon has written.
    #[error(
        "Failed to open {}: a newer Beckon wrote it (schema {found}, this one knows {known})",
        file.display()
    )]
    Newer {
        /// The path of the database.
        file: PathBuf,
        /// The version of its schema.
        found: i64,
        /// The newest version of the schema that this program knows.
        known: usize,
    },
    /// Using the database, which may well be whole.
    #[error("Failed to use the database {}", file.display())]
    Database {
        /// The path of the database.
        file: PathBuf,
        /// The reason why it cannot be used.
        why: DatabaseError,
    },
    /// Going on: the loop's thread has ended, though nobody has told it to end.
    #[error("Failed to go on: the loop ended by itself; its last log line says why")]
    LoopEnded,
}

/// A reason why a database cannot be used that may well be whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// Another program holds the database.
    Busy,
    /// The disk is full.
    Full,
    /// The user may not read or write the database.
    NotPermitted,
    /// The system does not let the database be read or written, for another reason.
    Unreachable,
}
