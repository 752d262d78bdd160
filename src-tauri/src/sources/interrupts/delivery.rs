//! The delivery of an answer: whether it may go, and what follows from what becomes of it. It is
//! sent in `resume`.

use super::InterruptsWatch;
use super::resume::{self, ResumeProgress};
use crate::platform::part;
use crate::sources::arrival::ClockMoment;
use beckon_client::platform::clock;
use beckon_core::{
    Answer, Ask, DeliveryFailure, Entry, FinishedTurn, ReturnReason, SourceReport, SourceState,
};

/// The most news that is taken in before an answer is sent. More is a flood.
const MOST_NEWS_FIRST: usize = 1_000;

impl InterruptsWatch {
    pub(super) fn deliver(&mut self, entry: &Entry, answer: Answer) {
        // News that has already come is older than the sending: it may show that the thread waits
        // for something else.
        for _ in 0..MOST_NEWS_FIRST {
            let Ok(news) = self.from_line.try_recv() else {
                break;
            };
            self.on_listener_news(news);
        }
        let now = ClockMoment::now();
        if self.line.is_some_and(|line| now.slept_since(line.since)) {
            // The connection from before the sleep is dead, though nobody has said so yet.
            self.listen();
        }
        match self.may_deliver(entry, &answer, now) {
            Ok(()) => {
                let (api, ask) = (self.api.clone(), entry.ask.clone());
                part::spawn(resume::resume(api, ask, answer, self.progress.clone()));
            }
            Err(failure) => {
                let own = entry.ask.id.own.clone();
                self.reporter.tell(SourceReport::NotSent { own, failure });
            }
        }
    }

    /// Checks whether the answer may go: only to what its human saw, and only soon.
    fn may_deliver(
        &mut self,
        entry: &Entry,
        answer: &Answer,
        now: ClockMoment,
    ) -> Result<(), DeliveryFailure> {
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
            Err(DeliveryFailure::Other(_)) => self.arrivals.kept(&ask.id, self.fault.clone()),
            Err(_) => self.arrivals.over(&ask.id),
            Ok(()) => {}
        }
        ready
    }

    pub(super) fn on_progress(&mut self, ask: &Ask, progress: ResumeProgress) {
        let thread = ask.session.id.as_str();
        let reports = match progress {
            ResumeProgress::Sent => {
                self.arrivals.arrived(&ask.id);
                self.set_let_in();
                vec![SourceReport::Sent {
                    own: ask.id.own.clone(),
                }]
            }
            ResumeProgress::WentOn => {
                self.arrivals.over(&ask.id);
                self.threads.proven(ask)
            }
            ResumeProgress::Interrupted(interrupt) => {
                let thread = interrupt
                    .thread
                    .clone()
                    .unwrap_or_else(|| thread.to_owned());
                return self.on_interrupt(&thread, interrupt);
            }
            ResumeProgress::NotArrived(fault) => {
                let failure = DeliveryFailure::Other(fault.to_string());
                self.arrivals.kept(&ask.id, fault);
                self.threads.failed(ask, failure, clock::now())
            }
            ResumeProgress::Failed(failure) => {
                self.arrivals.over(&ask.id);
                self.note_lockout(&failure);
                self.threads.failed(ask, failure, clock::now())
            }
            ResumeProgress::Over(turn) => self.over(thread, turn),
        };
        self.tell(reports);
    }

    /// Notes that the reply has ended: either the thread waits for somebody again, or its turn is
    /// over.
    fn over(&mut self, thread: &str, turn: Option<FinishedTurn>) -> Vec<SourceReport> {
        let mut reports = self.threads.over(thread, clock::now());
        if !self.threads.waits(thread) {
            reports.extend(turn.map(SourceReport::Turn));
        }
        reports
    }

    /// Notes that an answer was let in, so the token is good.
    fn set_let_in(&mut self) {
        if std::mem::take(&mut self.locked_out) && self.line.is_some() {
            self.tell_live();
        }
    }

    fn note_lockout(&mut self, failure: &DeliveryFailure) {
        if let DeliveryFailure::Returned(ReturnReason::Unauthorized | ReturnReason::Forbidden) =
            failure
        {
            self.locked_out = true;
            tracing::info!(source = %self.reporter.source, "the service refuses our credentials for an answer");
            self.reporter
                .tell(SourceReport::State(SourceState::Unauthorized));
        }
    }
}
