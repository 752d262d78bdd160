//! What the registry decides for a source. It is carried out in `servers`.

use beckon_client::config::{InterruptsService, OpenCodeServer};
use beckon_core::SourceId;

/// What follows for a source.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum SourceChange {
    /// It is watched from now on, in place of what had its name.
    WatchServer(OpenCodeServer),
    /// The same of a service.
    WatchService(InterruptsService),
    /// It is not watched any more, and its asks go with it: nobody could answer them.
    Remove(SourceId),
    /// For the log alone.
    Note(RegistryNote),
}

/// What was decided, where nothing that is watched shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum RegistryNote {
    /// It registered itself, and is watched at its port already.
    WatchedAtItsPort(String),
    /// It had registered itself, and has gone.
    Left(String),
}
