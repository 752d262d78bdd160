//! Watches a service with the ask_user / resume API: agents on threads, each of which an interrupt
//! can stop.
//!
//! One stream is heard for all its threads; an answer is a POST whose reply is itself a stream, on
//! which the thread goes on, or is interrupted again. The API has no list of what is open. An
//! interrupt that was raised while nobody listened is not seen unless the service says it again,
//! and one that was seen is kept until something proves its end.
//!
//! Here: what happens when. What a frame means is in `wire`, which ask it is in `threads`, the two
//! ends of the connection in `line` (the stream) and `resume` (the answers), and when an answer may
//! go in `delivery`.

mod api;
mod delivery;
#[cfg(any(test, fuzzing))]
pub(in crate::sources) mod fuzzing;
mod line;
mod resume;
mod threads;
pub(super) mod wire;

use super::arrival::{Arrivals, ClockMoment};
use super::http::sse::{SseFrames, StreamError};
use super::http::{HEADERS_WITHIN, fault};
use super::probe::{FoundServer, ProbeError};
use super::reporter::SourceReporter;
use crate::platform::part::{self, Part};
use crate::sources::ReportSink;
use api::InterruptsApi;
use beckon_client::config::InterruptsService;
use beckon_client::platform::clock;
use beckon_client::platform::secret::Secret;
use beckon_core::{Answer, Ask, AskId, Entry, SourceFault, SourceId, SourceReport, SourceState};
use reqwest::StatusCode;
use resume::ResumeProgress;
use std::sync::Arc;
use threads::{OpenStream, ThreadTable};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinSet;
use wire::Interrupt;

/// A watched service. Dropping the handle ends the watch. A reply that is being read is still read
/// to its end, since some services stop an agent to whom nobody listens.
#[derive(Debug)]
pub struct InterruptsHandle {
    deliveries: UnboundedSender<(Box<Entry>, Answer)>,
}

impl InterruptsHandle {
    /// Sends an answer.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        let _ = self.deliveries.send((entry, answer));
    }
}

/// Watches a service from now on. `known` are its asks that are not settled, `ended` names those
/// that are. Needs a tokio runtime.
pub(crate) fn start(
    service: InterruptsService,
    reports: ReportSink,
    known: Vec<Entry>,
    ended: &[AskId],
) -> InterruptsHandle {
    let (deliveries, inbox) = mpsc::unbounded_channel();
    let part = Part::Source(service.name.clone());
    let watch = InterruptsWatch::new(service, reports, &known, ended);
    tokio::spawn(part.run(watch.run(inbox, known)));
    InterruptsHandle { deliveries }
}

/// Checks whether a service sends events and is there for answers. It only reads: nothing is
/// resumed.
///
/// # Errors
/// The reason for which the service cannot be watched.
pub(super) async fn probe(
    service: InterruptsService,
    token: Option<Secret>,
) -> Result<FoundServer, ProbeError> {
    let api = InterruptsApi::with(service, token);
    SseFrames::open(api.stream().await, None).await?;
    let looked = api
        .look_at_resume()
        .await
        .timeout(HEADERS_WITHIN)
        .send()
        .await;
    let looked = looked.map_err(|error| fault(&error))?;
    match looked.status() {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(ProbeError::Unauthorized),
        // A place that takes a POST says so with 405, but not every framework does.
        status => Ok(FoundServer::Interrupts {
            takes: status == StatusCode::METHOD_NOT_ALLOWED,
        }),
    }
}

/// News of the service's stream.
enum StreamNews {
    Up,
    Down(StreamError),
    Interrupt(Box<Interrupt>),
}

/// The state of the watch of one service.
struct InterruptsWatch {
    api: Arc<InterruptsApi>,
    reporter: SourceReporter,
    threads: ThreadTable,
    arrivals: Arrivals,
    /// The task that hears the stream.
    listener: JoinSet<()>,
    hear: UnboundedSender<(u64, StreamNews)>,
    from_line: UnboundedReceiver<(u64, StreamNews)>,
    /// The number of the listener that counts. What a former one still says is void.
    listeners: u64,
    /// The open stream, if there is one.
    line: Option<OpenStream>,
    lines: u64,
    /// The fault that broke the last stream.
    fault: SourceFault,
    /// Whether an answer was refused for lack of a token, although the stream is open.
    locked_out: bool,
    last_error: Option<String>,
    progress: UnboundedSender<(Ask, ResumeProgress)>,
    from_replies: UnboundedReceiver<(Ask, ResumeProgress)>,
}

impl InterruptsWatch {
    fn new(
        service: InterruptsService,
        reports: ReportSink,
        known: &[Entry],
        ended: &[AskId],
    ) -> Self {
        let (progress, from_replies) = mpsc::unbounded_channel();
        let (hear, from_line) = mpsc::unbounded_channel();
        Self {
            reporter: SourceReporter::new(&service.name, reports),
            threads: ThreadTable::restore(SourceId(service.name.clone()), known, ended),
            api: Arc::new(InterruptsApi::new(service)),
            arrivals: Arrivals::default(),
            listener: JoinSet::new(),
            hear,
            from_line,
            listeners: 0,
            line: None,
            lines: 0,
            fault: SourceFault::Silent,
            locked_out: false,
            last_error: None,
            progress,
            from_replies,
        }
    }

    async fn run(mut self, mut inbox: UnboundedReceiver<(Box<Entry>, Answer)>, known: Vec<Entry>) {
        self.reporter
            .tell(SourceReport::State(SourceState::Connecting { error: None }));
        self.tell(threads::unproven(&known));
        self.listen();
        loop {
            tokio::select! {
                Some(news) = self.from_line.recv() => self.on_listener_news(news),
                delivery = inbox.recv() => match delivery {
                    None => return,
                    Some((entry, answer)) => self.deliver(&entry, answer),
                },
                Some((ask, progress)) = self.from_replies.recv() => self.on_progress(&ask, progress),
            }
        }
    }

    fn tell(&self, reports: Vec<SourceReport>) {
        reports
            .into_iter()
            .for_each(|report| self.reporter.tell(report));
    }

    /// Starts a new connection, whatever was there before.
    fn listen(&mut self) {
        self.listeners += 1;
        self.line = None;
        self.listener.abort_all();
        let (api, hear, listener) = (self.api.clone(), self.hear.clone(), self.listeners);
        let listen = line::listen(api, move |heard| _ = hear.send((listener, heard)));
        self.listener.spawn(part::within(listen));
    }

    /// Takes news of the current listener; what a former one still says is void.
    fn on_listener_news(&mut self, (listener, heard): (u64, StreamNews)) {
        if listener == self.listeners {
            self.on_stream_news(heard);
        }
    }

    fn on_stream_news(&mut self, heard: StreamNews) {
        match heard {
            StreamNews::Up => {
                self.lines += 1;
                self.line = Some(OpenStream {
                    number: self.lines,
                    since: ClockMoment::now(),
                });
                (self.locked_out, self.last_error) = (false, None);
                tracing::info!(source = %self.reporter.source, "listening");
                self.tell_live();
            }
            StreamNews::Down(broken) => {
                self.line = None;
                self.fault = broken.fault().unwrap_or(SourceFault::Status(401));
                self.reporter.report_broken(&broken, &mut self.last_error);
            }
            StreamNews::Interrupt(interrupt) => {
                match interrupt
                    .thread
                    .clone()
                    .or_else(|| self.api.thread().map(str::to_owned))
                {
                    Some(thread) => self.on_interrupt(&thread, *interrupt),
                    None => self.on_nameless(*interrupt),
                }
            }
        }
    }

    fn on_interrupt(&mut self, thread: &str, interrupt: Interrupt) {
        let line = self.line.as_ref().map(|line| line.number);
        let reports = self
            .threads
            .interrupted(thread, interrupt, line, clock::now());
        self.tell(reports);
    }

    fn on_nameless(&mut self, interrupt: Interrupt) {
        let source = &self.reporter.source;
        tracing::warn!(%source, "an interrupt names no thread and cannot be answered from here");
        let reports = self.threads.nameless(interrupt, clock::now());
        self.tell(reports);
    }

    fn tell_live(&self) {
        self.reporter
            .tell(SourceReport::State(SourceState::Live { version: None }));
    }
}
