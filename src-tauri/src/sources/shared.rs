//! The asks of other machines that come over a hub: the handle of such a source. Whatever it is
//! told goes back to the loop, which knows the hub.
//!
//! Not here: what is shared (`app/hub.rs`).

use crate::sources::{Report, ReportSink};
use beckon_core::{Answer, Entry, SourceId};

/// A request of the desk to such a source.
#[derive(Debug)]
pub enum SharedRequest {
    /// An answer is to go to the owner.
    Deliver(Box<Entry>, Answer),
    /// The open list is to be reported.
    List(SourceId),
}

/// The source's handle for the loop, beside those of the other sources.
#[derive(Debug)]
pub struct SharedAsksHandle {
    reports: ReportSink,
}

impl SharedAsksHandle {
    /// Makes a handle that passes everything on.
    pub fn new(reports: ReportSink) -> Self {
        Self { reports }
    }

    /// Sends an answer to the owner.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        self.reports
            .post(Report::Shared(SharedRequest::Deliver(entry, answer)));
    }

    /// Reports the open list of that source.
    pub fn refresh(&self, source: SourceId) {
        self.reports
            .post(Report::Shared(SharedRequest::List(source)));
    }
}
