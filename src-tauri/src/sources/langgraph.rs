//! Watches a LangGraph server. Its threads are listed again and again, since it has no stream of
//! them all.
//!
//! An answer resumes the thread by the id of its interrupt. That id alone is not enough: where the
//! former interrupt was the first of its node, its id is also taken for the next one (measured on
//! langgraph-api 0.16.7, see docs/measured.md). So the thread is read right before, and what may
//! have arrived is not sent again.
//!
//! What an interrupt's value means is in `wire`, the requests are in `api`, what becomes of an
//! answer in `delivery`.

mod api;
mod delivery;
#[cfg(any(test, fuzzing))]
pub(in crate::sources) mod fuzzing;
mod review;
mod wire;

use super::arrival::Arrivals;
use super::http::backoff::BackOff;
use super::http::sse::StreamError;
use super::probe::{FoundServer, ProbeError};
use super::reporter::SourceReporter;
use crate::platform::part::Part;
use crate::sources::ReportSink;
use api::LangGraphApi;
use beckon_client::config::InterruptsService;
use beckon_client::platform::clock;
use beckon_client::platform::secret::Secret;
use beckon_core::{
    Answer, Ask, AskId, DeliveryFailure, Entry, SourceFault, SourceId, SourceListing, SourceReport,
    SourceState,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use wire::ListedThread;

/// The pause between two lists. A new ask is to be seen within 2 s.
const LIST_EVERY: Duration = Duration::from_millis(1_500);
/// The number of lists that are read sooner after an answer, as the next interrupt may follow at
/// once.
const EAGER: u8 = 10;
const LIST_SOON: Duration = Duration::from_millis(300);

#[derive(Debug)]
enum LangGraphCommand {
    Deliver(Box<Entry>, Answer),
    /// The outcome of an answer that was sent.
    Delivered(AskId, Result<(), DeliveryFailure>),
    Refresh,
}

/// A watched server. Dropping the handle ends the watch.
#[derive(Debug)]
pub struct LangGraphHandle {
    commands: UnboundedSender<LangGraphCommand>,
}

impl LangGraphHandle {
    /// Sends an answer.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        let _ = self.commands.send(LangGraphCommand::Deliver(entry, answer));
    }

    /// Reads the whole open list anew.
    pub fn refresh(&self) {
        let _ = self.commands.send(LangGraphCommand::Refresh);
    }
}

/// Watches a server from now on. `known` are its asks that are not settled. Needs a tokio runtime.
pub(crate) fn start(
    service: InterruptsService,
    reports: ReportSink,
    known: &[Entry],
) -> LangGraphHandle {
    let (commands, inbox) = mpsc::unbounded_channel();
    let again = commands.downgrade();
    let part = Part::Source(service.name.clone());
    let reporter = SourceReporter::new(&service.name, reports);
    let watch = LangGraphWatch {
        api: Arc::new(LangGraphApi::new(service)),
        reporter,
        threads: known
            .iter()
            .map(|entry| entry.ask.session.id.clone())
            .collect(),
        arrivals: Arrivals::default(),
        answered: BTreeMap::new(),
        listed: None,
        wanted: true,
        eager: 0,
        again,
    };
    tokio::spawn(part.run(watch.run(inbox)));
    LangGraphHandle { commands }
}

/// Checks whether a server answers, and lets us read what its threads wait for.
///
/// # Errors
/// The reason for which the server cannot be watched.
pub(super) async fn probe(
    service: InterruptsService,
    token: Option<Secret>,
) -> Result<FoundServer, ProbeError> {
    let api = LangGraphApi::with(service, token);
    let version = api.version().await?;
    api.interrupted(&BTreeSet::new()).await?;
    Ok(FoundServer::LangGraph(version))
}

struct LangGraphWatch {
    api: Arc<LangGraphApi>,
    reporter: SourceReporter,
    /// The threads that waited when the server was last listed.
    threads: BTreeSet<String>,
    arrivals: Arrivals,
    /// The asks to which answers are on their way, by the ask's own id.
    answered: BTreeMap<String, Ask>,
    /// The asks of the last list; `None` until there is one.
    listed: Option<BTreeSet<String>>,
    /// Whether the next list is reported even if it holds the same.
    wanted: bool,
    /// The number of lists that are still to be read sooner.
    eager: u8,
    /// Wakes the watch when an answer was sent: the list shows what became of it.
    again: mpsc::WeakUnboundedSender<LangGraphCommand>,
}

impl LangGraphWatch {
    async fn run(mut self, mut inbox: UnboundedReceiver<LangGraphCommand>) {
        self.reporter
            .tell(SourceReport::State(SourceState::Connecting { error: None }));
        let (mut back_off, mut last_error) = (BackOff::new(), None);
        loop {
            back_off.begin();
            let pause = match self.list().await {
                Ok(()) => {
                    (back_off, last_error) = (BackOff::new(), None);
                    self.next_pause()
                }
                Err(StreamError::Refused) if self.api.renew().await => continue,
                Err(broken) => {
                    self.listed = None;
                    self.reporter.report_broken(&broken, &mut last_error);
                    back_off.pause(&broken)
                }
            };
            if !self.serve(&mut inbox, pause).await {
                return;
            }
        }
    }

    fn next_pause(&mut self) -> Duration {
        let pause = if self.eager > 0 {
            LIST_SOON
        } else {
            LIST_EVERY
        };
        self.eager = self.eager.saturating_sub(1);
        pause
    }

    async fn list(&mut self) -> Result<(), StreamError> {
        let version = match &self.listed {
            None => Some(self.api.version().await?),
            Some(_) => None,
        };
        let threads = self.api.interrupted(&self.threads).await?;
        let now = clock::now();
        let mut asks: Vec<Ask> = threads
            .iter()
            .flat_map(|thread| self.asks(thread, now))
            .collect();
        for thread in threads.iter().filter(|thread| thread.is_at_breakpoint()) {
            match self.api.stand(thread.id()).await {
                Ok(stand) => {
                    asks.extend(wire::breakpoint(&self.reporter.source, thread, &stand, now));
                }
                // The thread has gone meanwhile, or is an odd one; the others are listed all the
                // same.
                Err(StreamError::NoStream(fault)) => self.note_unread(thread, &fault),
                Err(broken) => return Err(broken),
            }
        }
        self.threads = asks.iter().map(|ask| ask.session.id.clone()).collect();
        let mut listed: BTreeSet<String> = asks.iter().map(|ask| ask.id.own.clone()).collect();
        // An ask stays in the list while an answer to it is on its way. If it vanished before the
        // server's reply, nobody could tell whether our answer ended it.
        let answered = self
            .answered
            .values()
            .filter(|ask| listed.insert(ask.id.own.clone()));
        asks.extend(answered.cloned());
        self.arrivals.retain(|id| listed.contains(&id.own));
        if self.listed.as_ref() != Some(&listed) || std::mem::take(&mut self.wanted) {
            self.listed = Some(listed);
            let asks = asks.into_iter().map(|ask| (ask, true)).collect();
            self.reporter.tell(SourceReport::Listed(SourceListing {
                asks,
                ..SourceListing::default()
            }));
        }
        if let Some(version) = version {
            self.reporter
                .tell(SourceReport::State(SourceState::Live { version }));
        }
        Ok(())
    }

    fn note_unread(&self, thread: &ListedThread, fault: &SourceFault) {
        if let Some(times) = self.reporter.times_to_log("a thread") {
            let (source, thread) = (&self.reporter.source, thread.id());
            tracing::warn!(%source, thread, %fault, times, "the state of a thread can't be read");
        }
    }

    fn asks(&self, thread: &ListedThread, now: beckon_core::Timestamp) -> Vec<Ask> {
        let source: &SourceId = &self.reporter.source;
        let pending = thread
            .pending()
            .map(|pending| wire::ask(source, thread, pending, now));
        pending.chain(wire::unknown(source, thread, now)).collect()
    }

    /// Takes commands until the pause is over. Returns `false` when nobody needs the server any
    /// more.
    async fn serve(
        &mut self,
        inbox: &mut UnboundedReceiver<LangGraphCommand>,
        pause: Duration,
    ) -> bool {
        let until = tokio::time::sleep(pause);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => return true,
                command = inbox.recv() => match command {
                    None => return false,
                    Some(LangGraphCommand::Deliver(entry, answer)) => self.deliver(*entry, answer),
                    Some(LangGraphCommand::Delivered(ask, sent)) => {
                        self.on_delivered(ask, sent);
                        (self.wanted, self.eager) = (true, EAGER);
                        return true;
                    }
                    Some(LangGraphCommand::Refresh) => {
                        (self.wanted, self.eager) = (true, EAGER);
                        return true;
                    }
                },
            }
        }
    }
}
