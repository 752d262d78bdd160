//! A LangGraph server: its threads are listed again and again, since it has no stream of them all.
//!
//! An answer resumes the thread by the id of its interrupt. That id alone is not enough: where the
//! former interrupt was the first of its node, its id is also taken for the next one (measured on
//! langgraph-api 0.16.7, see docs/measured.md). So the thread is looked at right before, and what
//! may have arrived is not sent again.
//!
//! What an interrupt's value means is in `wire`, the requests are in `api`.

mod api;
mod wire;

use super::backoff::BackOff;
use super::probe::{Found, Unreachable};
use super::reporter::Reporter;
use super::sse::Broken;
use crate::clock;
use crate::config::Interrupts;
use crate::mailbox::Mailbox;
use crate::secrets::Secret;
use api::Api;
use beckon_core::{Answer, Ask, Entry, Listing, SourceId, SourceReport, SourceState};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use wire::Thread;

/// What is asked is to be seen within 2 s.
const LIST_EVERY: Duration = Duration::from_millis(1_500);
/// After an answer the next interrupt may follow at once: so often it is listed sooner.
const EAGER: u8 = 10;
const LIST_SOON: Duration = Duration::from_millis(300);

#[derive(Debug)]
enum Command {
    Deliver(Box<Entry>, Answer),
    Refresh,
}

/// A watched server. Dropping it ends the watch.
#[derive(Debug)]
pub struct Handle {
    commands: UnboundedSender<Command>,
}

impl Handle {
    /// Sends an answer.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        let _ = self.commands.send(Command::Deliver(entry, answer));
    }

    /// Reads the whole open list anew.
    pub fn refresh(&self) {
        let _ = self.commands.send(Command::Refresh);
    }
}

/// Watches a server from now on. Needs a tokio runtime.
pub fn start(service: Interrupts, mailbox: Mailbox) -> Handle {
    let (commands, inbox) = mpsc::unbounded_channel();
    let again = commands.downgrade();
    let reporter = Reporter::new(&service.name, mailbox);
    let watch = Watch {
        api: Arc::new(Api::new(service)),
        reporter,
        listed: None,
        wanted: true,
        eager: 0,
        again,
    };
    tokio::spawn(watch.run(inbox));
    Handle { commands }
}

/// Does a server answer, and let us read what its threads wait for?
///
/// # Errors
/// Says why it cannot be watched.
pub(super) async fn probe(
    service: Interrupts,
    token: Option<Secret>,
) -> Result<Found, Unreachable> {
    let api = Api::with(service, token);
    let version = api.version().await?;
    api.interrupted().await?;
    Ok(Found::LangGraph(version))
}

struct Watch {
    api: Arc<Api>,
    reporter: Reporter,
    /// What the last list held, once there is one.
    listed: Option<BTreeSet<String>>,
    /// The next list is reported also when it holds the same.
    wanted: bool,
    /// So many lists are read sooner.
    eager: u8,
    /// Wakes the watch when an answer was sent: the list shows what became of it.
    again: mpsc::WeakUnboundedSender<Command>,
}

impl Watch {
    async fn run(mut self, mut inbox: UnboundedReceiver<Command>) {
        self.reporter.tell(SourceReport::State(SourceState::Connecting { error: None }));
        let (mut back_off, mut last_error) = (BackOff::new(), None);
        loop {
            back_off.begin();
            let pause = match self.list().await {
                Ok(()) => {
                    (back_off, last_error) = (BackOff::new(), None);
                    self.next_pause()
                }
                Err(Broken::Refused) if self.api.renew().await => continue,
                Err(broken) => {
                    self.listed = None;
                    self.reporter.broken(&broken, &mut last_error);
                    back_off.pause(&broken)
                }
            };
            if !self.serve(&mut inbox, pause).await {
                return;
            }
        }
    }

    fn next_pause(&mut self) -> Duration {
        let pause = if self.eager > 0 { LIST_SOON } else { LIST_EVERY };
        self.eager = self.eager.saturating_sub(1);
        pause
    }

    async fn list(&mut self) -> Result<(), Broken> {
        let version = match &self.listed {
            None => Some(self.api.version().await?),
            Some(_) => None,
        };
        let threads = self.api.interrupted().await?;
        let now = clock::now();
        let asks: Vec<Ask> = threads.iter().flat_map(|thread| self.asks(thread, now)).collect();
        let listed = Some(asks.iter().map(|ask| ask.id.own.clone()).collect());
        if listed != self.listed || std::mem::take(&mut self.wanted) {
            self.listed = listed;
            let asks = asks.into_iter().map(|ask| (ask, true)).collect();
            self.reporter.tell(SourceReport::Listed(Listing { asks, ..Listing::default() }));
        }
        if let Some(version) = version {
            self.reporter.tell(SourceReport::State(SourceState::Live { version }));
        }
        Ok(())
    }

    fn asks(&self, thread: &Thread, now: beckon_core::Timestamp) -> Vec<Ask> {
        let source: &SourceId = &self.reporter.source;
        thread.pending().map(|pending| wire::ask(source, thread, pending, now)).collect()
    }

    /// `false` when nobody needs the server any more.
    async fn serve(&mut self, inbox: &mut UnboundedReceiver<Command>, pause: Duration) -> bool {
        let until = tokio::time::sleep(pause);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => return true,
                command = inbox.recv() => match command {
                    None => return false,
                    Some(Command::Deliver(entry, answer)) => self.deliver(entry.ask, answer),
                    Some(Command::Refresh) => {
                        (self.wanted, self.eager) = (true, EAGER);
                        return true;
                    }
                },
            }
        }
    }

    fn deliver(&self, ask: Ask, answer: Answer) {
        let (api, reporter, again) = (self.api.clone(), self.reporter.clone(), self.again.clone());
        tokio::spawn(async move {
            let own = ask.id.own.clone();
            match api.resume(&ask, &answer).await {
                Ok(()) => reporter.tell(SourceReport::Sent { own }),
                Err(failure) => {
                    tracing::debug!(ask = %ask.id, ?failure, "an answer was not delivered");
                    reporter.tell(SourceReport::NotSent { own, failure });
                }
            }
            if let Some(again) = again.upgrade() {
                let _ = again.send(Command::Refresh);
            }
        });
    }
}
