//! Fetches, lazily, what a card says of its session: one thing at a time, when the server has
//! nothing better to do, and again until it is known. What is fetched is in `sessions`; what the
//! server tells of its sessions by itself is not asked for.

use crate::platform::part;
use crate::sources::opencode::OpenCodeReporter;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::peer;
use crate::sources::opencode::sessions;
use crate::sources::opencode::wire::sessions::SessionInfo;
use beckon_core::{Ask, SourceReport};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The pause before a session is asked for, in which the card goes out: a description comes too
/// late for it anyhow.
const AFTER_THE_CARD: Duration = Duration::from_millis(3);
/// The pause between asks below which they are a crowd. A crowd is heard out before the server is
/// asked about any but the first of it.
const CROWD: Duration = Duration::from_millis(250);
/// The longest time that a crowd is heard out.
const LONGEST_CROWD: Duration = Duration::from_secs(5);
/// The first pause before a session that could not be read is tried again. The pause doubles each
/// time.
const AGAIN: Duration = Duration::from_secs(2);
/// The longest such pause.
const AGAIN_AT_LAST: Duration = Duration::from_secs(60);
/// The most sessions that are known by what the server tells of them.
const MOST_KNOWN: usize = 1_000;

/// The place in the queue.
pub(in crate::sources::opencode) enum QueuePlace {
    /// The front, for an ask that came this moment.
    Next,
    /// The end, for an ask that has waited for a while anyhow.
    Last,
}

enum DescriptionRequest {
    Describe(Box<Ask>, QueuePlace),
    Keep(BTreeSet<String>),
    Known(Box<SessionInfo>),
    /// The session whose details no longer hold.
    Gone(String),
}

/// Describes the sessions of one connection. Dropping it ends that.
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
        let state = DescriberState::new(api.clone(), reporter.clone());
        Self {
            wishes,
            task: part::spawn(state.run(inbox)),
        }
    }

    /// Asks for a description of the ask's session.
    pub(in crate::sources::opencode) fn want(&self, ask: Ask, turn: QueuePlace) {
        let _ = self
            .wishes
            .send(DescriptionRequest::Describe(Box::new(ask), turn));
    }

    /// Forgets all sessions but these, in which somebody waits.
    pub(in crate::sources::opencode) fn keep(&self, sessions: BTreeSet<String>) {
        let _ = self.wishes.send(DescriptionRequest::Keep(sessions));
    }

    /// Notes what the server has told of a session: all of it, or only that it is renamed.
    pub(in crate::sources::opencode) fn known(&self, session: SessionInfo) {
        let wish = match session.directory {
            Some(_) => DescriptionRequest::Known(Box::new(session)),
            None => DescriptionRequest::Gone(session.id),
        };
        let _ = self.wishes.send(wish);
    }

    /// Notes that a session is gone.
    pub(in crate::sources::opencode) fn gone(&self, session: String) {
        let _ = self.wishes.send(DescriptionRequest::Gone(session));
    }
}

impl Drop for SessionDescriber {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct WantedSession {
    ask: Box<Ask>,
    /// The pause before the next try.
    pause: Duration,
}

struct DescriberState {
    api: OpenCodeApi,
    reporter: OpenCodeReporter,
    queue: VecDeque<WantedSession>,
    /// The sessions that could not be read, with the time of the next try.
    later: Vec<(Instant, WantedSession)>,
    kept: Option<BTreeSet<String>>,
    known: HashMap<String, SessionInfo>,
    /// The times of the last ask and of the first ask of its crowd.
    crowd: Option<(Instant, Instant)>,
    /// The time before which nothing is asked of the server.
    due: Instant,
}

impl DescriberState {
    fn new(api: OpenCodeApi, reporter: OpenCodeReporter) -> Self {
        Self {
            api,
            reporter,
            queue: VecDeque::new(),
            later: Vec::new(),
            kept: None,
            known: HashMap::new(),
            crowd: None,
            due: Instant::now(),
        }
    }

    async fn run(mut self, mut inbox: UnboundedReceiver<DescriptionRequest>) {
        loop {
            tokio::select! {
                biased;
                wish = inbox.recv() => match wish {
                    None => return,
                    Some(wish) => self.take(wish, Instant::now()),
                },
                () = ready(&self.api, self.next_at()) => self.describe_next().await,
            }
        }
    }

    fn take(&mut self, wish: DescriptionRequest, now: Instant) {
        match wish {
            DescriptionRequest::Describe(ask, place) => self.want(ask, &place, now),
            DescriptionRequest::Keep(sessions) => {
                self.queue
                    .retain(|wanted| sessions.contains(&wanted.ask.session.id));
                self.later
                    .retain(|(_, wanted)| sessions.contains(&wanted.ask.session.id));
                self.kept = Some(sessions);
            }
            DescriptionRequest::Known(session) => self.learn(*session),
            DescriptionRequest::Gone(session) => _ = self.known.remove(&session),
        }
    }

    fn want(&mut self, ask: Box<Ask>, place: &QueuePlace, now: Instant) {
        if let Some(kept) = &mut self.kept {
            kept.insert(ask.session.id.clone());
        }
        let wanted = WantedSession { ask, pause: AGAIN };
        match place {
            QueuePlace::Next => {
                self.queue.push_front(wanted);
                self.due = self.due.max(self.heard_out(now));
            }
            QueuePlace::Last => self.queue.push_back(wanted),
        }
    }

    /// Returns when the server may be asked about an ask that came now.
    fn heard_out(&mut self, now: Instant) -> Instant {
        let first = match self.crowd {
            Some((last, first)) if now - last < CROWD => first,
            _ => now,
        };
        self.crowd = Some((now, first));
        match now == first {
            true => now + AFTER_THE_CARD,
            false => (now + CROWD).min(first + LONGEST_CROWD),
        }
    }

    /// Stores what the server told of a session. When there are too many, all are forgotten, since
    /// they can be asked for.
    fn learn(&mut self, session: SessionInfo) {
        if self.known.len() >= MOST_KNOWN && !self.known.contains_key(&session.id) {
            self.known.clear();
        }
        self.known.insert(session.id.clone(), session);
    }

    /// Returns when the next session is to be described, if there is one.
    fn next_at(&self) -> Option<Instant> {
        let again = self.later.iter().map(|(at, _)| *at).min();
        let queued = (!self.queue.is_empty()).then_some(self.due);
        queued
            .into_iter()
            .chain(again.map(|at| at.max(self.due)))
            .min()
    }

    async fn describe_next(&mut self) {
        let now = Instant::now();
        let wanted = self.queue.pop_front().or_else(|| {
            let next = self.later.iter().position(|(at, _)| *at <= now)?;
            Some(self.later.swap_remove(next).1)
        });
        let Some(wanted) = wanted else { return };
        if let Some(again) = self.describe(wanted).await {
            let pause = (again.pause * 2).min(AGAIN_AT_LAST);
            self.later
                .push((now + again.pause, WantedSession { pause, ..again }));
        }
    }

    /// Describes a session, and gives it back when it is to be tried again.
    async fn describe(&mut self, wanted: WantedSession) -> Option<WantedSession> {
        let session = &wanted.ask.session;
        // Another Beckon tells what it knows with the ask.
        let is_told = session.title.is_some() && peer::is_from_peer(session);
        if session.id.is_empty() || is_told {
            return None;
        }
        let known = self.known.get(&session.id).cloned();
        match sessions::describe(&self.api, &wanted.ask, known).await {
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

/// Waits until that time, and until no answer is on its way to the server.
async fn ready(api: &OpenCodeApi, at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
    api.answers_sent().await;
}
