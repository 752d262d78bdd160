//! Stands in for a source that is left out after faults of our own (`platform/part.rs`). It reports
//! the source as out of reach, and gives back the answers to what the source asked in an earlier
//! run.

use super::ReportSink;
use super::reporter::SourceReporter;
use beckon_core::{
    AskState, DeliveryFailure, Entry, ReturnReason, SourceFault, SourceReport, SourceState,
};
use std::fmt;

/// The handle of a source that nobody watches.
pub struct LeftOutHandle(SourceReporter);

impl fmt::Debug for LeftOutHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LeftOutHandle")
            .field(&self.0.source)
            .finish()
    }
}

/// Reports that the source is out of reach, and why. An answer that was sent in an earlier run and
/// not proven comes back at once, since nobody will hear what became of it.
pub(crate) fn start(name: &str, reports: ReportSink, known: &[Entry]) -> LeftOutHandle {
    let reporter = SourceReporter::new(name, reports);
    reporter.tell(SourceReport::State(SourceState::Connecting {
        error: Some(SourceFault::LeftOut),
    }));
    for entry in known {
        if let AskState::Answering {
            sent_at: Some(_), ..
        } = entry.state
        {
            let failure = DeliveryFailure::Returned(ReturnReason::Unproven);
            reporter.tell(SourceReport::NotSent {
                own: entry.ask.id.own.clone(),
                failure,
            });
        }
    }
    LeftOutHandle(reporter)
}

impl LeftOutHandle {
    /// Gives an answer back to the human.
    pub(super) fn deliver(&self, entry: &Entry) {
        let own = entry.ask.id.own.clone();
        let failure = DeliveryFailure::Returned(ReturnReason::Undelivered(SourceFault::LeftOut));
        self.0.tell(SourceReport::NotSent { own, failure });
    }
}
