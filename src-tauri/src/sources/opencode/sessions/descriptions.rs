//! Fetches, lazily, what a card says of its session: a few at a time, since there may be thousands,
//! and again until it is known. What is fetched is in `sessions`.

use crate::sources::opencode::OpenCodeReporter;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::peer;
use crate::sources::opencode::sessions;
use beckon_core::{Ask, SourceReport};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;

/// The card goes out first: what is found out here comes too late for it anyhow.
const AFTER_THE_CARD: Duration = Duration::from_millis(3);
/// So many at a time.
const AT_ONCE: usize = 8;
/// One that could not be had is tried again after so long, then twice as late each time …
const AGAIN: Duration = Duration::from_secs(2);
/// … up to this.
const AGAIN_AT_LAST: Duration = Duration::from_secs(60);

/// Where in the queue.
pub(in crate::sources::opencode) enum QueuePlace {
    /// It was asked this moment.
    Next,
    /// It has waited for a while anyhow.
    Last,
}

enum DescriptionRequest {
    Describe(Box<Ask>, QueuePlace),
    Keep(BTreeSet<String>),
}

/// Describes the asks of one connection. Dropping it ends that.
pub(in crate::sources::opencode) struct SessionDescriber {
    wishes: UnboundedSender<DescriptionRequest>,
    task: JoinHandle<()>,
}

impl SessionDescriber {
    pub(in crate::sources::opencode) fn start(
        api: &OpenCodeApi,
        reporter: &OpenCodeReporter,
    ) -> Self {
        let (wishes, inbox) = mpsc::unbounded_channel();
        let room = DescriberState { api: api.clone(), reporter: reporter.clone() };
        Self { wishes, task: tokio::spawn(room.run(inbox)) }
    }

    /// What there is to say of its session is to be found out.
    pub(in crate::sources::opencode) fn want(&self, ask: Ask, turn: QueuePlace) {
        let _ = self.wishes.send(DescriptionRequest::Describe(Box::new(ask), turn));
    }

    /// Nobody waits in any other session.
    pub(in crate::sources::opencode) fn keep(&self, sessions: BTreeSet<String>) {
        let _ = self.wishes.send(DescriptionRequest::Keep(sessions));
    }
}

impl Drop for SessionDescriber {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct WantedSession {
    ask: Box<Ask>,
    /// Before the next try.
    pause: Duration,
}

struct DescriberState {
    api: OpenCodeApi,
    reporter: OpenCodeReporter,
}

impl DescriberState {
    async fn run(self, mut inbox: UnboundedReceiver<DescriptionRequest>) {
        let mut queue: VecDeque<WantedSession> = VecDeque::new();
        let (mut running, mut later) = (FuturesUnordered::new(), FuturesUnordered::new());
        let mut kept: Option<BTreeSet<String>> = None;
        loop {
            while running.len() < AT_ONCE
                && let Some(wanted) = queue.pop_front()
            {
                running.push(self.describe(wanted));
            }
            tokio::select! {
                wish = inbox.recv() => match wish {
                    None => return,
                    Some(DescriptionRequest::Keep(sessions)) => {
                        queue.retain(|wanted| sessions.contains(&wanted.ask.session.id));
                        kept = Some(sessions);
                    }
                    Some(DescriptionRequest::Describe(ask, turn)) => {
                        if let Some(kept) = &mut kept {
                            kept.insert(ask.session.id.clone());
                        }
                        let wanted = WantedSession { ask, pause: AGAIN };
                        match turn {
                            QueuePlace::Next => queue.push_front(wanted),
                            QueuePlace::Last => queue.push_back(wanted),
                        }
                    }
                },
                Some(again) = running.next() => later.extend(again.map(rested)),
                Some(wanted) = later.next() => {
                    let session = &wanted.ask.session.id;
                    if kept.as_ref().is_none_or(|kept| kept.contains(session)) {
                        queue.push_back(wanted);
                    }
                }
            }
        }
    }

    /// Gives it back when it is to be tried again.
    async fn describe(&self, wanted: WantedSession) -> Option<WantedSession> {
        tokio::time::sleep(AFTER_THE_CARD).await;
        let session = &wanted.ask.session;
        // Another Beckon tells what it knows with the ask.
        let is_told = session.title.is_some() && peer::is_from_peer(session);
        if session.id.is_empty() || is_told {
            return None;
        }
        match sessions::describe(&self.api, &wanted.ask).await {
            Ok(Some(session)) => self.reporter.tell(SourceReport::Described(session)),
            Ok(None) => {}
            Err(error) => {
                tracing::debug!(ask = %wanted.ask.id, error = format!("{error:#}"), "no details");
                return Some(wanted);
            }
        }
        None
    }
}

async fn rested(wanted: WantedSession) -> WantedSession {
    tokio::time::sleep(wanted.pause).await;
    WantedSession { pause: (wanted.pause * 2).min(AGAIN_AT_LAST), ..wanted }
}
