//! The reader of the arguments of calls that wait for a permission. The card is shown without
//! waiting for them, and until they are known no single press allows the call.
//!
//! Not here: which of them are shown (`requests/arguments.rs`), and the details of a session
//! (`descriptions.rs`).

use crate::platform::part;
use crate::sources::opencode::OpenCodeReporter;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::peer;
use crate::sources::opencode::requests::arguments;
use crate::sources::opencode::wire::sessions::{MessagePart, ToolState};
use beckon_core::{Ask, AskContent, CallInput, CallRef, Permission, SourceReport};
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

/// The number of calls that are read at once. A server answers within milliseconds; this many that
/// hang hold up the others.
const AT_ONCE: usize = 8;
/// The first pause before a call is read again that could not be read, or is still being written.
/// The pause doubles each time.
const AGAIN: Duration = Duration::from_millis(25);
/// The longest such pause.
const AGAIN_AT_LAST: Duration = Duration::from_secs(60);

/// The tool that runs a script, which calls other tools (OpenCode's experimental code mode). Their
/// permissions name its call as theirs.
const SCRIPT: &str = "execute";

enum CallRequest {
    Read(Box<Ask>),
    /// The source has listed the ask again, so the desk may have lost what is known of its call.
    Again(String),
    Ended(String),
    Keep(BTreeSet<String>),
}

/// Reads the calls of one connection. Dropping it ends the reading.
pub(in crate::sources::opencode) struct CallReader {
    requests: UnboundedSender<CallRequest>,
    /// The ids of the asks whose calls are being read, or are known. A list repeats all its asks,
    /// and a change of 128 kB must not be copied each time.
    asked: BTreeMap<String, CallRef>,
    task: JoinHandle<()>,
}

/// A request to read a call, to be sent once the desk has its ask.
pub(in crate::sources::opencode) struct CallWish(CallRequest);

impl CallReader {
    pub(in crate::sources::opencode) fn start(
        api: &OpenCodeApi,
        reporter: &OpenCodeReporter,
    ) -> Self {
        let (requests, inbox) = mpsc::unbounded_channel();
        let state = CallReaderState::new(api.clone(), reporter.clone());
        Self {
            requests,
            asked: BTreeMap::new(),
            task: part::spawn(state.run(inbox)),
        }
    }

    /// Returns the request to read the call of an ask; `None` if nothing more can be read.
    pub(in crate::sources::opencode) fn wish(&mut self, ask: &Ask) -> Option<CallWish> {
        let (_, call) = unread_call(ask)?;
        let own = ask.id.own.clone();
        if self.asked.get(&own) == Some(call) {
            return Some(CallWish(CallRequest::Again(own)));
        }

        self.asked.insert(own, call.clone());
        Some(CallWish(CallRequest::Read(Box::new(ask.clone().cut()))))
    }

    /// Sends a request. A call that is known already is reported again.
    pub(in crate::sources::opencode) fn read(&self, wish: CallWish) {
        let _ = self.requests.send(wish.0);
    }

    /// Notes that nobody waits for that ask any more.
    pub(in crate::sources::opencode) fn ended(&mut self, own: &str) {
        self.asked.remove(own);
        let _ = self.requests.send(CallRequest::Ended(own.to_owned()));
    }

    /// Forgets all asks but those that wait.
    pub(in crate::sources::opencode) fn keep(&mut self, waiting: BTreeSet<String>) {
        self.asked.retain(|own, _| waiting.contains(own));
        let _ = self.requests.send(CallRequest::Keep(waiting));
    }
}

impl Drop for CallReader {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns the permission and the call of an ask of which more can be read. Another Beckon tells
/// all that it knows with the ask, so its asks are left out.
fn unread_call(ask: &Ask) -> Option<(&Permission, &CallRef)> {
    let AskContent::Permission(permission) = &ask.kind else {
        return None;
    };
    let call = ask.call.as_ref()?;
    let is_ours = !peer::is_from_peer(&ask.session) && !ask.session.id.is_empty();
    (permission.input.is_partial && is_ours).then_some((permission, call))
}

/// A try to read a call, and the pause that follows if it fails.
struct ReadingTry {
    ask: Box<Ask>,
    pause: Duration,
}

/// The call of an ask that waits.
struct AwaitedCall {
    call: CallRef,
    /// The arguments that are known of it.
    told: Option<CallInput>,
}

struct CallReaderState {
    api: OpenCodeApi,
    reporter: OpenCodeReporter,
    /// The calls that wait, by the ids of their asks.
    waiting: BTreeMap<String, AwaitedCall>,
    /// The calls that were not tried yet. They come before those that are tried again.
    first: VecDeque<ReadingTry>,
    again: VecDeque<ReadingTry>,
    reading: FuturesUnordered<BoxFuture<'static, (ReadingTry, Option<CallInput>)>>,
    /// The tries that are repeated once their pause is over.
    pausing: FuturesUnordered<BoxFuture<'static, ReadingTry>>,
}

impl CallReaderState {
    fn new(api: OpenCodeApi, reporter: OpenCodeReporter) -> Self {
        Self {
            api,
            reporter,
            waiting: BTreeMap::new(),
            first: VecDeque::new(),
            again: VecDeque::new(),
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
                Some(again) = self.pausing.next() => self.again.push_back(again),
            }
            self.begin_queued();
        }
    }

    fn take(&mut self, request: CallRequest) {
        match request {
            CallRequest::Read(ask) => self.on_wanted(ask),
            CallRequest::Again(own) => self.tell_again(own),
            CallRequest::Ended(own) => _ = self.waiting.remove(&own),
            CallRequest::Keep(waiting) => self.waiting.retain(|own, _| waiting.contains(own)),
        }
    }

    fn on_wanted(&mut self, ask: Box<Ask>) {
        let Some(call) = ask.call.clone() else {
            return;
        };
        let awaited = AwaitedCall { call, told: None };
        self.waiting.insert(ask.id.own.clone(), awaited);
        self.first.push_back(ReadingTry { ask, pause: AGAIN });
    }

    /// Reports again what is known of a call. The desk may have taken the ask for over meanwhile,
    /// and have forgotten its call.
    fn tell_again(&self, own: String) {
        let awaited = self.waiting.get(&own);
        if let Some(input) = awaited.and_then(|awaited| awaited.told.clone()) {
            self.reporter.tell(SourceReport::CallTold { own, input });
        }
    }

    /// Returns the entry of a call that is still wanted. The ask's id may belong to another ask
    /// now, so the calls are compared.
    fn awaited(&mut self, ask: &Ask) -> Option<&mut AwaitedCall> {
        let awaited = self.waiting.get_mut(&ask.id.own)?;
        let is_it = ask.call.as_ref() == Some(&awaited.call) && awaited.told.is_none();
        is_it.then_some(awaited)
    }

    fn begin_queued(&mut self) {
        while self.reading.len() < AT_ONCE {
            let next = self.first.pop_front().or_else(|| self.again.pop_front());
            let Some(next) = next else {
                return;
            };
            self.begin(next);
        }
    }

    fn begin(&mut self, reading: ReadingTry) {
        if self.awaited(&reading.ask).is_none() {
            return;
        }
        let api = self.api.clone();
        self.reading.push(Box::pin(async move {
            let told = read(&api, &reading.ask).await;
            (reading, told)
        }));
    }

    fn on_read(&mut self, reading: ReadingTry, told: Option<CallInput>) {
        let Some(awaited) = self.awaited(&reading.ask) else {
            return;
        };
        if let Some(input) = told {
            awaited.told = Some(input.clone());
            let own = reading.ask.id.own.clone();
            return self.reporter.tell(SourceReport::CallTold { own, input });
        }

        self.pausing.push(Box::pin(async move {
            tokio::time::sleep(reading.pause).await;
            let pause = (reading.pause * 2).min(AGAIN_AT_LAST);
            ReadingTry { pause, ..reading }
        }));
    }
}

/// Reads the call of an ask, with long texts cut. `None` when the call cannot be read, is still
/// being written, or cannot be told from other calls of its message.
pub(in crate::sources::opencode) async fn read(api: &OpenCodeApi, ask: &Ask) -> Option<CallInput> {
    let (permission, call) = unread_call(ask)?;
    let message = match api.message(&ask.session, &call.message).await {
        Ok(message) => message,
        Err(error) => {
            tracing::debug!(ask = %ask.id, error = format!("{error:#}"), "the call of an ask can't be read");
            return None;
        }
    };
    let of_call: Vec<&MessagePart> = message
        .parts
        .iter()
        .filter(|part| part.call_id.as_ref() == Some(&call.call))
        .collect();
    let states: Vec<&ToolState> = of_call
        .iter()
        .filter_map(|part| part.state.as_ref())
        .collect();
    let mut told = arguments::of_state(permission, the_one_that_waits(&states)?)?;
    // The arguments are those of the script, not those that it computes for this tool.
    let is_in_script = of_call
        .iter()
        .any(|part| part.tool.as_deref() == Some(SCRIPT));
    told.is_partial |= is_in_script && permission.permission != SCRIPT;
    Some(told)
}

/// Returns the one call that waits. Providers may give one id to several calls of a message; then
/// the one that is running waits.
fn the_one_that_waits<'a>(states: &[&'a ToolState]) -> Option<&'a ToolState> {
    if let [only] = states {
        return Some(only);
    }
    let mut running = states.iter().filter(|state| state.status == "running");
    let first = running.next()?;
    running.next().is_none().then_some(first)
}
