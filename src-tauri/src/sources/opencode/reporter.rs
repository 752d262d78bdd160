//! How an OpenCode source tells the loop what it knows; it may be another Beckon.

use super::wire::PeerHealth;
use crate::sources::UnreadParts;
use crate::sources::http::sse::StreamError;
use crate::sources::reporter;
use crate::sources::{Report, ReportSink};
use beckon_core::{Ask, SourceId, SourceReport};
use std::sync::Arc;

/// Speaks for one server.
#[derive(Clone)]
pub(super) struct OpenCodeReporter {
    pub(super) source: SourceId,
    common: reporter::SourceReporter,
    /// This Beckon's name among Beckons.
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

    /// How often a trouble has come, if it is time to log it.
    pub(super) fn times_to_log(&self, trouble: &'static str) -> Option<u64> {
        self.common.times_to_log(trouble)
    }

    /// So much of the server is not known.
    pub(super) fn report_unread(&self, gaps: UnreadParts) {
        self.post(Report::Unread(self.source.clone(), gaps));
    }

    /// The server has said whether it is a Beckon.
    pub(super) fn report_peer(&self, peer: Option<PeerHealth>) {
        self.post(Report::Peer(self.source.clone(), peer));
    }

    /// Beckons may watch each other in a circle; what came through this one is here already.
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
