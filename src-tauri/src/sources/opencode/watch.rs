//! One connection from its first frame to its end: subscribe, then list, then go by the stream.

use super::api::Api;
use super::journal::Journal;
use super::stream::{Broken, Frames};
use super::wire::{Ended, Frame, PermissionRequest, QuestionRequest, SessionInfo};
use super::{Command, Reporter, delivery, listing, peek, sessions};
use crate::clock;
use anyhow::{Context, Result};
use beckon_core::{Ask, Listing, SourceReport, SourceState};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Frames of a flood that are read before anything else gets its turn.
const AT_A_TIME: usize = 64;
/// A list that could not be read, or not in whole, is tried again after so long …
const LIST_AGAIN: Duration = Duration::from_secs(2);
/// … and where a directory stays unreadable, twice as late each time, up to this.
const LIST_AGAIN_AT_LAST: Duration = Duration::from_secs(60);

/// Watches one connection until it breaks; `None` when nobody needs the server any more.
pub(super) async fn connect_and_watch(
    api: &Api,
    reporter: &Reporter,
    inbox: &mut mpsc::UnboundedReceiver<Command>,
    directories: &mut BTreeSet<String>,
) -> Option<Broken> {
    let frames = tokio::select! {
        frames = Frames::open(api) => frames,
        () = serve(api, reporter, inbox) => return None,
    };
    let mut frames = match frames {
        Ok(frames) => frames,
        Err(broken) => return Some(broken),
    };
    let mut watch = Watch::new(api, reporter, directories);
    watch.list();
    loop {
        let due = watch.due();
        tokio::select! {
            // The rare first: a flood must not keep an answer waiting.
            biased;
            command = inbox.recv() => match command {
                None => return None,
                Some(Command::Refresh) => watch.list(),
                Some(command) => delivery::carry_out(api, reporter, command),
            },
            read = watch.listed() => watch.on_listed(read),
            () = reached(due) => watch.list(),
            frame = frames.next() => {
                if let Err(broken) = watch.on_frames(frame, &mut frames) {
                    return Some(broken);
                }
            }
        }
    }
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// A server that streams but does not list yet is still starting.
async fn read_until_it_works(
    api: Api,
    reporter: Reporter,
    directories: BTreeSet<String>,
) -> listing::Read {
    loop {
        match listing::read(&api, &reporter, directories.clone()).await {
            Ok(read) => return read,
            Err(error) => {
                let error = format!("{error:#}");
                tracing::info!(source = %reporter.source, error, "the list cannot be read yet");
            }
        }
        tokio::time::sleep(LIST_AGAIN).await;
    }
}

/// Carries out commands until nobody sends any more.
async fn serve(api: &Api, reporter: &Reporter, inbox: &mut mpsc::UnboundedReceiver<Command>) {
    while let Some(command) = inbox.recv().await {
        delivery::carry_out(api, reporter, command);
    }
}

struct Watch<'a> {
    api: &'a Api,
    reporter: &'a Reporter,
    directories: &'a mut BTreeSet<String>,
    reading: Option<JoinHandle<listing::Read>>,
    /// Somebody wants a list that begins after the one under way.
    read_again: bool,
    /// When to read again what could not be read, and how long that was waited for.
    unread: Option<(Instant, Duration)>,
    /// What the stream said while the list was read.
    journal: Journal,
    /// Sessions with an ask of this connection, whose new title is of interest.
    sessions: BTreeSet<String>,
}

impl<'a> Watch<'a> {
    fn new(api: &'a Api, reporter: &'a Reporter, directories: &'a mut BTreeSet<String>) -> Self {
        Self {
            api,
            reporter,
            directories,
            reading: None,
            read_again: false,
            unread: None,
            journal: Journal::default(),
            sessions: BTreeSet::new(),
        }
    }

    /// Reads the whole list beside the stream, which is never held up by it.
    fn list(&mut self) {
        if self.reading.is_some() {
            self.read_again = true;
            return;
        }
        self.journal = Journal::default();
        let (api, reporter) = (self.api.clone(), self.reporter.clone());
        self.reading =
            Some(tokio::spawn(read_until_it_works(api, reporter, self.directories.clone())));
    }

    async fn listed(&mut self) -> Option<listing::Read> {
        match &mut self.reading {
            Some(reading) => reading.await.ok(),
            None => std::future::pending().await,
        }
    }

    /// When what could not be read is to be read again.
    fn due(&self) -> Option<Instant> {
        self.unread.filter(|_| self.reading.is_none()).map(|(at, _)| at)
    }

    fn on_listed(&mut self, read: Option<listing::Read>) {
        self.reading = None;
        if let Some(read) = read {
            let pause = self.unread.take().map_or(LIST_AGAIN, |(_, pause)| pause * 2);
            let pause = pause.min(LIST_AGAIN_AT_LAST);
            self.unread =
                (!read.listing.unread.is_empty()).then(|| (Instant::now() + pause, pause));
            self.directories.extend(read.directories);
            self.report_list(read.listing);
            let state = SourceState::Live { version: read.version };
            self.reporter.tell(SourceReport::State(state));
        }
        if std::mem::take(&mut self.read_again) {
            self.list();
        }
    }

    /// The list and what the stream said meanwhile: what ended is out, what was asked is in.
    fn report_list(&mut self, listing: Listing) {
        let listing = std::mem::take(&mut self.journal).reconcile(listing);
        let listed = listing.asks.iter().map(|(ask, _)| ask.session.id.clone());
        let listed: BTreeSet<String> = listed.collect();
        self.sessions.retain(|session| listed.contains(session));
        for (ask, _) in &listing.asks {
            if self.sessions.insert(ask.session.id.clone()) {
                sessions::describe(self.api, self.reporter, ask);
            }
        }
        self.reporter.tell(SourceReport::Listed(listing));
    }

    /// A frame, and those that have arrived behind it; after some, others get their turn.
    fn on_frames(
        &mut self,
        first: Result<String, Broken>,
        frames: &mut Frames,
    ) -> Result<(), Broken> {
        let mut frame = first;
        for _ in 0..AT_A_TIME {
            self.on_frame(&frame?, frames);
            match frames.next_ready() {
                Some(next) => frame = next,
                None => return Ok(()),
            }
        }
        self.on_frame(&frame?, frames);
        Ok(())
    }

    fn on_frame(&mut self, data: &str, frames: &mut Frames) {
        let interesting = peek::event_type(data).is_none_or(is_interesting);
        if !interesting {
            return;
        }
        match serde_json::from_str::<Frame>(data) {
            Ok(frame) if frame.payload.kind == "server.heartbeat" => frames.heartbeat(),
            Ok(frame) => {
                if let Err(error) = self.on_event(frame) {
                    self.distrust(&error);
                }
            }
            Err(error) => self.distrust(&error.into()),
        }
    }

    /// A frame that cannot be understood may have been an ask: the list will tell.
    fn distrust(&mut self, error: &anyhow::Error) {
        tracing::warn!(source = %self.reporter.source, error = format!("{error:#}"), "a frame is not understood");
        self.list();
    }

    fn on_event(&mut self, frame: Frame) -> Result<()> {
        let directory = frame.directory.unwrap_or_default();
        let properties = frame.payload.properties;
        match frame.payload.kind.as_str() {
            "question.asked" => {
                let request: QuestionRequest = understand(properties)?;
                self.on_asked(request.into_ask(&self.reporter.source, &directory, clock::now()));
            }
            "permission.asked" => {
                let request: PermissionRequest = understand(properties)?;
                self.on_asked(request.into_ask(&self.reporter.source, &directory, clock::now()));
            }
            "question.replied" | "permission.replied" => self.on_replied(understand(properties)?),
            "question.rejected" => {
                let Ended { request_id: own, .. } = understand(properties)?;
                self.note(|journal| journal.ended(&own));
                self.reporter.tell(SourceReport::Rejected { own });
            }
            "session.idle" | "session.error" | "session.status" => self.on_session(&properties),
            "session.deleted" => {
                if let Some(session) = session_of(&properties) {
                    self.note(|journal| journal.gone(&session));
                    self.reporter.tell(SourceReport::SessionGone { session });
                }
            }
            "session.updated" => self.on_renamed(properties),
            "server.instance.disposed" => {
                let named = properties.get("directory").and_then(Value::as_str);
                let directory = named.map_or(directory, str::to_owned);
                self.note(|journal| journal.disposed(&directory));
                self.reporter.tell(SourceReport::Disposed { directory: Some(directory) });
            }
            // Whoever relays a stream may have answered before it was subscribed.
            "server.connected" => self.list(),
            "global.disposed" => {
                let all = self.directories.clone();
                self.note(|journal| all.iter().for_each(|directory| journal.disposed(directory)));
                self.reporter.tell(SourceReport::Disposed { directory: None });
            }
            _ => {}
        }
        Ok(())
    }

    /// The journal is kept only while a list is read.
    fn note(&mut self, entry: impl FnOnce(&mut Journal)) {
        if self.reading.is_some() {
            entry(&mut self.journal);
        }
    }

    fn on_asked(&mut self, ask: Ask) {
        self.directories.insert(ask.session.directory.clone());
        self.note(|journal| journal.asked(&ask));
        self.sessions.insert(ask.session.id.clone());
        self.reporter.tell(SourceReport::Asked(ask.clone()));
        sessions::describe(self.api, self.reporter, &ask);
    }

    fn on_replied(&mut self, ended: Ended) {
        self.note(|journal| journal.ended(&ended.request_id));
        let answers = ended.answers.or_else(|| ended.reply.map(|word| vec![vec![word]]));
        self.reporter.tell(SourceReport::Replied { own: ended.request_id, answers });
    }

    fn on_session(&mut self, properties: &Value) {
        let Some(session) = session_of(properties) else { return };
        let status = properties.pointer("/status/type").and_then(Value::as_str);
        if status.is_some_and(|status| status != "idle") {
            self.note(|journal| journal.busy(&session));
        } else {
            self.note(|journal| journal.quiet(&session));
            self.reporter.tell(SourceReport::SessionQuiet { session });
        }
    }

    fn on_renamed(&mut self, properties: Value) {
        #[derive(Deserialize)]
        struct Updated {
            info: SessionInfo,
        }
        let Ok(Updated { info }) = serde_json::from_value(properties) else { return };
        if self.sessions.contains(&info.id) {
            self.reporter.tell(SourceReport::Described(sessions::renamed(info)));
        }
    }
}

/// The end of a connection ends the reading that belongs to it.
impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if let Some(reading) = &self.reading {
            reading.abort();
        }
    }
}

fn is_interesting(kind: &str) -> bool {
    let (family, rest) = kind.split_once('.').unwrap_or((kind, ""));
    match family {
        "question" | "permission" | "server" | "global" => true,
        "session" => matches!(rest, "idle" | "error" | "status" | "deleted" | "updated"),
        _ => false,
    }
}

fn understand<T: DeserializeOwned>(properties: Value) -> Result<T> {
    serde_json::from_value(properties).context("Failed to understand an event")
}

/// Older and newer servers put it in different places.
fn session_of(properties: &Value) -> Option<String> {
    let id = properties.get("sessionID").or_else(|| properties.pointer("/info/id"))?;
    id.as_str().map(str::to_owned)
}
