//! Reports what a source knows to the loop.

use super::http::sse::StreamError;
use super::log_limiter::LogLimiter;
use super::{Report, ReportSink};
use beckon_core::{Event, SourceFault, SourceId, SourceReport, SourceState};

/// The reporter of one source.
#[derive(Clone)]
pub(super) struct SourceReporter {
    pub(super) source: SourceId,
    reports: ReportSink,
    logged: LogLimiter,
}

impl SourceReporter {
    pub(super) fn new(source: &str, reports: ReportSink) -> Self {
        Self {
            source: SourceId(source.to_owned()),
            reports,
            logged: LogLimiter::default(),
        }
    }

    /// Reports to the desk. Texts that are too long are cut here, before the loop has to copy and
    /// to write them.
    pub(super) fn tell(&self, report: SourceReport) {
        self.post(Report::event(Event::Source(
            self.source.clone(),
            report.cut(),
        )));
    }

    /// Reports to the loop what does not concern the desk.
    pub(super) fn post(&self, report: Report) {
        self.reports.post(report);
    }

    /// Returns how often a trouble has come, if it is time to log it.
    pub(super) fn times_to_log(&self, trouble: &'static str) -> Option<u64> {
        self.logged.due(trouble, std::time::Instant::now())
    }

    /// Reports that the connection is not there. The same trouble is logged once, not at each try.
    pub(super) fn report_broken(&self, broken: &StreamError, last: &mut Option<String>) {
        let fault = broken.fault();
        let text = fault
            .as_ref()
            .map_or_else(|| "refused".into(), SourceFault::to_string);
        let state = match fault {
            None => SourceState::Unauthorized,
            error => SourceState::Connecting { error },
        };
        if last.as_ref() != Some(&text) {
            tracing::info!(source = %self.source, reason = text, "not connected");
            *last = Some(text);
        }
        self.tell(SourceReport::State(state));
    }
}
