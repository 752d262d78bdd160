//! Reads what the calls that wait for a permission are given. The card goes out without waiting for it, and
//! allows nothing by one press until it is told.
//!
//! Not here: what of it is shown (`requests/arguments.rs`), and what a card says of its session
//! (`descriptions.rs`).

use crate::platform::part;
use crate::sources::opencode::OpenCodeReporter;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::peer;
use crate::sources::opencode::requests::arguments;
use beckon_core::{Ask, AskContent, CallInput, CallRef, Permission, SourceReport};
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

/// A server answers within milliseconds; one that hangs holds up so many others.
const AT_ONCE: usize = 8;
/// A call that cannot be read, or is still being written, is read again after so long, then twice as late
/// each time …
const AGAIN: Duration = Duration::from_millis(25);
/// … up to this.
const AGAIN_AT_LAST: Duration = Duration::from_secs(60);

enum CallRequest {
    Read(Box<Ask>),
    Ended(String),
    Keep(BTreeSet<String>),
}

/// Reads the calls of one connection. Dropping it ends that.
pub(in crate::sources::opencode) struct CallReader {
    requests: UnboundedSender<CallRequest>,
    task: JoinHandle<()>,
}

impl CallReader {
    pub(in crate::sources::opencode) fn start(
        api: &OpenCodeApi,
        reporter: &OpenCodeReporter,
    ) -> Self {
        let (requests, inbox) = mpsc::unbounded_channel();
        let state = CallReaderState::new(api.clone(), reporter.clone());
        Self {
            requests,
            task: part::spawn(state.run(inbox)),
        }
    }

    /// Reads the call of a permission, once.
    pub(in crate::sources::opencode) fn read(&self, ask: Ask) {
        let _ = self.requests.send(CallRequest::Read(Box::new(ask)));
    }

    /// Nobody waits for that one any more.
    pub(in crate::sources::opencode) fn ended(&self, own: &str) {
        let _ = self.requests.send(CallRequest::Ended(own.to_owned()));
    }

    /// Nothing else waits.
    pub(in crate::sources::opencode) fn keep(&self, waiting: BTreeSet<String>) {
        let _ = self.requests.send(CallRequest::Keep(waiting));
    }
}

impl Drop for CallReader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Whether an ask is a permission of whose call more can be read.
pub(in crate::sources::opencode) fn is_unread(ask: &Ask) -> bool {
    unread_call(ask).is_some()
}

/// The permission and the call of an ask of which more can be read. Another Beckon tells what it knows with
/// the ask.
fn unread_call(ask: &Ask) -> Option<(&Permission, &CallRef)> {
    let AskContent::Permission(permission) = &ask.kind else {
        return None;
    };
    let call = ask.call.as_ref()?;
    let is_ours = !peer::is_from_peer(&ask.session) && !ask.session.id.is_empty();
    (permission.input.is_partial && is_ours).then_some((permission, call))
}

/// One try, after a pause.
struct ReadingTry {
    ask: Box<Ask>,
    pause: Duration,
}

struct CallReaderState {
    api: OpenCodeApi,
    reporter: OpenCodeReporter,
    /// What waits, by its id, and whether its call is known.
    waiting: BTreeMap<String, bool>,
    queue: VecDeque<Box<Ask>>,
    reading: FuturesUnordered<BoxFuture<'static, (ReadingTry, Option<CallInput>)>>,
    /// What is to be tried again.
    pausing: FuturesUnordered<BoxFuture<'static, ReadingTry>>,
}

impl CallReaderState {
    fn new(api: OpenCodeApi, reporter: OpenCodeReporter) -> Self {
        Self {
            api,
            reporter,
            waiting: BTreeMap::new(),
            queue: VecDeque::new(),
            reading: FuturesUnordered::new(),
            pausing: FuturesUnordered::new(),
        }
    }

    async fn run(mut self, mut inbox: UnboundedReceiver<CallRequest>) {
        loop {
            tokio::select! {
                request = inbox.recv() => match request {
                    Some(request) => self.take(request),
                    None => return,
                },
                Some((reading, told)) = self.reading.next() => self.on_read(reading, told),
                Some(again) = self.pausing.next() => self.begin(again),
            }
            self.begin_queued();
        }
    }

    fn take(&mut self, request: CallRequest) {
        match request {
            CallRequest::Read(ask) => {
                if let Entry::Vacant(place) = self.waiting.entry(ask.id.own.clone()) {
                    place.insert(false);
                    self.queue.push_back(ask);
                }
            }
            CallRequest::Ended(own) => _ = self.waiting.remove(&own),
            CallRequest::Keep(waiting) => self.waiting.retain(|own, _| waiting.contains(own)),
        }
    }

    /// Whether somebody still wants to know.
    fn is_wanted(&self, own: &str) -> bool {
        self.waiting.get(own) == Some(&false)
    }

    fn begin_queued(&mut self) {
        while self.reading.len() < AT_ONCE {
            let Some(ask) = self.queue.pop_front() else {
                return;
            };
            self.begin(ReadingTry { ask, pause: AGAIN });
        }
    }

    fn begin(&mut self, reading: ReadingTry) {
        if !self.is_wanted(&reading.ask.id.own) {
            return;
        }
        let api = self.api.clone();
        self.reading.push(Box::pin(async move {
            let told = read(&api, &reading.ask).await;
            (reading, told)
        }));
    }

    fn on_read(&mut self, reading: ReadingTry, told: Option<CallInput>) {
        let own = reading.ask.id.own.clone();
        if !self.is_wanted(&own) {
            return;
        }
        if let Some(input) = told {
            self.waiting.insert(own.clone(), true);
            return self.reporter.tell(SourceReport::CallTold { own, input });
        }

        self.pausing.push(Box::pin(async move {
            tokio::time::sleep(reading.pause).await;
            let pause = (reading.pause * 2).min(AGAIN_AT_LAST);
            ReadingTry { pause, ..reading }
        }));
    }
}

/// Reads the call of an ask; `None` when it cannot be read, or is still being written.
pub(in crate::sources::opencode) async fn read(api: &OpenCodeApi, ask: &Ask) -> Option<CallInput> {
    let (permission, call) = unread_call(ask)?;
    let message = match api.message(&ask.session, &call.message).await {
        Ok(message) => message,
        Err(error) => {
            tracing::debug!(ask = %ask.id, error = format!("{error:#}"), "its call is not read");
            return None;
        }
    };
    let part = message
        .parts
        .iter()
        .find(|part| part.call_id.as_ref() == Some(&call.call))?;
    arguments::of_state(permission, part.state.as_ref()?)
}
