//! Reports what an OpenCode source knows to the loop. The server may be another Beckon.

use super::wire::PeerHealth;
use crate::sources::UnreadParts;
use crate::sources::http::sse::StreamError;
use crate::sources::reporter;
use crate::sources::{Report, ReportSink};
use beckon_core::{Ask, SourceId, SourceReport};
use std::sync::Arc;

/// The reporter of one server.
#[derive(Clone)]
pub(super) struct OpenCodeReporter {
    pub(super) source: SourceId,
    common: reporter::SourceReporter,
    /// The name of this Beckon among Beckons.
    instance: Arc<str>,
}

impl OpenCodeReporter {
    pub(super) fn new(source: &str, reports: ReportSink, instance: Arc<str>) -> Self {
        let common = reporter::SourceReporter::new(source, reports);
        Self {
            source: common.source.clone(),
            common,
            instance,
        }
    }

    pub(super) fn tell(&self, report: SourceReport) {
        self.common.tell(report);
    }

    pub(super) fn post(&self, report: Report) {
        self.common.post(report);
    }

    pub(super) fn report_broken(&self, broken: &StreamError, last: &mut Option<String>) {
        self.common.report_broken(broken, last);
    }

    /// Returns how often a trouble has come, if it is time to log it.
    pub(super) fn times_to_log(&self, trouble: &'static str) -> Option<u64> {
        self.common.times_to_log(trouble)
    }

    /// Reports how much of the server is not known.
    pub(super) fn report_unread(&self, gaps: UnreadParts) {
        self.post(Report::Unread(self.source.clone(), gaps));
    }

    /// Reports whether the server is a Beckon, as it has said.
    pub(super) fn report_peer(&self, peer: Option<PeerHealth>) {
        self.post(Report::Peer(self.source.clone(), peer));
    }

    /// Tells whether an ask has come through this Beckon before, and reports the loop if so.
    /// Beckons may watch each other in a circle.
    pub(super) fn has_passed_here(&self, ask: &Ask) -> bool {
        let round = ask
            .session
            .via
            .iter()
            .any(|instance| **instance == *self.instance);
        if round {
            self.post(Report::LoopDetected(self.source.clone()));
        }
        round
    }
}
