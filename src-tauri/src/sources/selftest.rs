//! The pretend source of the self-test: it confirms whatever is answered to it.

use super::{Report, ReportSink};
pub(crate) use beckon_core::SELF_TEST as NAME;
use beckon_core::{Answer, Entry, Event, SourceId, SourceReport};

/// The pretend source.
#[derive(Clone, Debug)]
pub struct SelfTestHandle {
    reports: ReportSink,
}

impl SelfTestHandle {
    /// Makes a pretend source.
    pub fn new(reports: ReportSink) -> Self {
        Self { reports }
    }

    /// Takes an answer, and proves it.
    pub fn deliver(&self, entry: &Entry, answer: &Answer) {
        let own = entry.ask.id.own.clone();
        let report = match entry.ask.to_source_texts(answer) {
            Some(answers) => SourceReport::Replied {
                own,
                answers: Some(answers),
            },
            None => SourceReport::Rejected { own },
        };
        self.reports.post(Report::event(event(report)));
    }
}

/// Makes an event of a report of this source.
pub(crate) fn event(report: SourceReport) -> Event {
    Event::Source(SourceId(NAME.into()), report)
}
