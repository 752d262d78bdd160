//! The registry's decisions for a source. They are carried out in `servers`.

use beckon_client::config::{InterruptsService, OpenCodeServer};
use beckon_core::SourceId;

/// A change of what is watched.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum SourceChange {
    /// The server is watched from now on, in place of what had its name.
    WatchServer(OpenCodeServer),
    /// The service is watched from now on, in place of what had its name.
    WatchService(InterruptsService),
    /// The source is not watched any more, and its asks go with it: nobody could answer them.
    Remove(SourceId),
    /// A decision that is only logged.
    Note(RegistryNote),
}

/// A decision that nothing watched shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::app) enum RegistryNote {
    /// The server registered itself, and is watched at its port already.
    WatchedAtItsPort(String),
    /// The server had registered itself, and has gone.
    Left(String),
}
