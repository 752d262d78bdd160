//! Reads a server's whole open list: every directory, questions and permissions. Whatever is known
//! early is reported early, so that a directory that hangs holds up no asks but its own.
//!
//! Here is what a reading takes and gives; it is done in `reader`.

mod asks;
pub(super) mod directories;
pub(super) mod discovery;
pub(super) mod gathered;
mod reader;
pub(super) mod second_core;
pub(super) mod survey;

use super::OpenCodeReporter;
use super::api::OpenCodeApi;
use super::dialect::generation::ApiGeneration;
use super::forms::list::FormList;
use super::watch::vouched::VouchedAsks;
use super::wire::ServerHealth;
use crate::platform::part;
use crate::sources::UnreadParts;
use beckon_core::SourceListing;
use reader::ListReader;
use std::collections::BTreeSet;
use std::sync::Arc;
use survey::SessionSurvey;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The progress of a reading.
pub(super) enum ListingProgress {
    /// The part that is known so far; all the rest is `unread`.
    Early(SourceListing),
    /// The whole list.
    Whole(Box<WholeList>),
}

/// The result of a whole reading.
pub(super) struct WholeList {
    pub(super) listing: SourceListing,
    /// The directories that the server names.
    pub(super) directories: BTreeSet<String>,
    /// The server's report about itself, if it gives one.
    pub(super) health: Option<ServerHealth>,
    /// The parts that could not be read.
    pub(super) gaps: UnreadParts,
    /// The survey of sessions, if it takes longer than the lists; it goes on.
    pub(super) survey: Option<SessionSurvey>,
}

impl From<FormList> for WholeList {
    fn from(
        FormList {
            listing,
            directories,
            health,
            gaps,
        }: FormList,
    ) -> Self {
        Self {
            listing,
            directories,
            health,
            gaps,
            survey: None,
        }
    }
}

/// A reading under way. Dropping it ends the reading.
pub(super) struct ListingTask {
    progress: mpsc::UnboundedReceiver<ListingProgress>,
    task: JoinHandle<()>,
}

/// The input of a reading.
pub(super) struct ListingStart {
    /// Directories that need not be found out.
    pub(super) known: BTreeSet<String>,
    /// The server's generation, as it was at the last reading.
    pub(super) generation: ApiGeneration,
    /// The survey that is still under way, if one is.
    pub(super) survey: Option<SessionSurvey>,
    /// The asks that the stream vouches for, which need not be looked at.
    pub(super) vouched: Arc<VouchedAsks>,
}

impl ListingTask {
    /// Reads everything beside the stream, over and over until it works.
    pub(super) fn start(
        api: &OpenCodeApi,
        reporter: &OpenCodeReporter,
        start: ListingStart,
    ) -> Self {
        let (tell, progress) = mpsc::unbounded_channel();
        let (api, reporter) = (api.clone(), reporter.clone());
        let ListingStart {
            known,
            generation,
            survey,
            vouched,
        } = start;
        let reader = ListReader {
            api,
            reporter,
            known,
            generation,
            vouched,
            tell,
        };
        Self {
            progress,
            task: part::spawn(reader.read_until_it_works(survey)),
        }
    }

    /// Returns the next progress; nothing follows the whole list.
    pub(super) async fn next(&mut self) -> Option<ListingProgress> {
        self.progress.recv().await
    }
}

impl Drop for ListingTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}
