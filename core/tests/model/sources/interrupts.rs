//! The watch of a service without its connections. Re-enacts the loop of `sources/interrupts.rs`
//! and `interrupts/delivery.rs`; the decisions are made by the real code.

#[path = "../../../../src-tauri/src/sources/interrupts/threads.rs"]
mod threads;
mod wire;

use crate::sources::arrival::{Arrivals, ClockMoment};
use beckon_core::{
    Answer, Ask, AskContent, AskId, DeliveryFailure, Entry, SourceFault, SourceId, SourceReport,
    SourceState, Timestamp,
};
use std::time::Instant;
use threads::{OpenStream, ThreadTable};
use wire::Interrupt;

/// A moment by the wall clock, and by the steady clock that nobody sets.
pub type Clocks = (Timestamp, Instant);

/// The progress of an answer that was sent.
#[derive(Clone, Debug)]
pub enum Progress {
    Sent,
    WentOn,
    Interrupted(AskContent),
    NotArrived,
    Failed(DeliveryFailure),
    Over,
}

pub struct Watch {
    threads: ThreadTable,
    arrivals: Arrivals,
    line: Option<OpenStream>,
    lines: u64,
}

fn moment((wall, steady): Clocks) -> ClockMoment {
    ClockMoment { wall, steady }
}

impl Watch {
    /// Makes a watch and the reports about what the last run left behind.
    pub fn new(source: &str, known: &[Entry], ended: &[AskId]) -> (Self, Vec<SourceReport>) {
        let threads = ThreadTable::restore(SourceId(source.into()), known, ended);
        let watch = Self {
            threads,
            arrivals: Arrivals::default(),
            line: None,
            lines: 0,
        };
        (watch, threads::unproven(known))
    }

    pub fn up(&mut self, since: Clocks) -> SourceReport {
        self.lines += 1;
        self.line = Some(OpenStream {
            number: self.lines,
            since: moment(since),
        });
        SourceReport::State(SourceState::Live { version: None })
    }

    pub fn down(&mut self) -> SourceReport {
        self.line = None;
        SourceReport::State(SourceState::Connecting {
            error: Some(SourceFault::Ended),
        })
    }

    pub fn interrupted(
        &mut self,
        thread: &str,
        kind: AskContent,
        now: Timestamp,
    ) -> Vec<SourceReport> {
        let line = self.line.as_ref().map(|line| line.number);
        let thread_too = Some(thread.to_owned());
        let interrupt = Interrupt {
            thread: thread_too,
            title: None,
            kind,
            words: None,
            ordinary: true,
        };
        self.threads.interrupted(thread, interrupt, line, now)
    }

    pub fn may_deliver(
        &mut self,
        entry: &Entry,
        answer: &Answer,
        now: Clocks,
    ) -> Result<(), DeliveryFailure> {
        let now = moment(now);
        let ask = &entry.ask;
        if self.threads.is_posted(ask) {
            return Err(DeliveryFailure::Other("it is on its way".into()));
        }
        if let Err(returned) = self.arrivals.may_send(entry, now) {
            self.threads.forsaken(ask);
            return Err(DeliveryFailure::Returned(returned));
        }
        let ready = self
            .threads
            .delivers(entry, answer, self.line.as_ref(), now);
        match &ready {
            Err(DeliveryFailure::Other(_)) => self.arrivals.kept(&ask.id, SourceFault::Ended),
            Err(_) => self.arrivals.over(&ask.id),
            Ok(()) => {}
        }
        ready
    }

    pub fn on_progress(
        &mut self,
        ask: &Ask,
        progress: Progress,
        now: Timestamp,
    ) -> Vec<SourceReport> {
        match progress {
            Progress::Sent => {
                self.arrivals.arrived(&ask.id);
                vec![SourceReport::Sent {
                    own: ask.id.own.clone(),
                }]
            }
            Progress::WentOn => {
                self.arrivals.over(&ask.id);
                self.threads.proven(ask)
            }
            Progress::Interrupted(kind) => self.interrupted(&ask.session.id, kind, now),
            Progress::NotArrived => {
                self.arrivals.kept(&ask.id, SourceFault::Ended);
                self.threads
                    .failed(ask, DeliveryFailure::Other("refused".into()), now)
            }
            Progress::Failed(failure) => {
                self.arrivals.over(&ask.id);
                self.threads.failed(ask, failure, now)
            }
            Progress::Over => self.threads.over(&ask.session.id, now),
        }
    }
}
