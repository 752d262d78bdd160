//! One connection from its first frame to its end: subscribe, then list, then go by the stream.

use super::api::Api;
use super::directories::Directories;
use super::generation::Generation;
use super::journal::Journal;
use super::listing::{Progress, Reading, Whole};
use super::stream::Frames;
use super::told::Told;
use super::turns::{Over, Turns};
use super::wire::Ended;
use super::{Command, Reporter, delivery, forms, sessions};
use crate::sources::sse::Broken;
use beckon_core::{Ask, Fault, Listing, SourceReport, SourceState};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// A server greets as soon as the stream is subscribed; one that does not is read after so long.
const GREETED_WITHIN: Duration = Duration::from_millis(100);
/// What a server has told of is no longer on its lists after so long.
const TIDIED_WITHIN: Duration = Duration::from_millis(300);
/// What could not be read is tried again after so long …
const LIST_AGAIN: Duration = Duration::from_secs(2);
/// … and where a directory stays unreadable, twice as late each time, up to this.
const LIST_AGAIN_AT_LAST: Duration = Duration::from_secs(60);

/// Watches one connection until it breaks; `None` when nobody needs the server any more.
pub(super) async fn connect_and_watch(
    api: &Api,
    reporter: &Reporter,
    inbox: &mut mpsc::UnboundedReceiver<Command>,
    directories: &mut Directories,
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
            progress = watch.progress() => {
                watch.on_progress(progress);
                if watch.is_misheard() {
                    return Some(Broken::NoStream(Fault::Newer));
                }
            }
            () = reached(due) => watch.list(),
            frame = frames.next() => match frame {
                Ok(Some(data)) => watch.on_frame(&data, &mut frames),
                Ok(None) => {}
                Err(broken) => return Some(broken),
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

/// Carries out commands until nobody sends any more.
async fn serve(api: &Api, reporter: &Reporter, inbox: &mut mpsc::UnboundedReceiver<Command>) {
    while let Some(command) = inbox.recv().await {
        delivery::carry_out(api, reporter, command);
    }
}

struct Watch<'a> {
    api: &'a Api,
    reporter: &'a Reporter,
    directories: &'a mut Directories,
    reading: Option<Reading>,
    /// Somebody wants a list that begins after the one under way.
    read_again: bool,
    /// When to read (again) …
    due: Option<Instant>,
    /// … and how long is waited for that, if it is for what could not be read.
    pause: Option<Duration>,
    /// What the stream said while the list was read.
    journal: Journal,
    /// Sessions with an ask of this connection, whose new title is of interest.
    sessions: BTreeSet<String>,
    turns: Turns,
    /// The server's, as it told last.
    generation: Generation,
}

impl<'a> Watch<'a> {
    fn new(api: &'a Api, reporter: &'a Reporter, directories: &'a mut Directories) -> Self {
        Self {
            api,
            reporter,
            directories,
            reading: None,
            read_again: false,
            due: Some(Instant::now() + GREETED_WITHIN),
            pause: None,
            journal: Journal::default(),
            sessions: BTreeSet::new(),
            turns: Turns::default(),
            generation: Generation::First,
        }
    }

    /// Reads the whole list beside the stream, which is never held up by it.
    fn list(&mut self) {
        if self.reading.is_some() {
            self.read_again = true;
            return;
        }
        self.due = None;
        self.journal = Journal::default();
        let (known, generation) = (self.directories.all(), self.generation);
        self.reading = Some(Reading::start(self.api, self.reporter, known, generation));
    }

    /// Something may have ended of which the server says no more.
    fn list_soon(&mut self) {
        match self.reading {
            Some(_) => self.read_again = true,
            None => self.due = Some(Instant::now() + TIDIED_WITHIN),
        }
    }

    /// It has a stream as 1.x has, and calls itself 2.x.
    fn is_misheard(&self) -> bool {
        self.generation == Generation::Forms && self.api.forms().is_none()
    }

    async fn progress(&mut self) -> Option<Progress> {
        match &mut self.reading {
            Some(reading) => reading.next().await,
            None => std::future::pending().await,
        }
    }

    /// When to read (again), unless that is under way.
    fn due(&self) -> Option<Instant> {
        self.due.filter(|_| self.reading.is_none())
    }

    fn on_progress(&mut self, progress: Option<Progress>) {
        match progress {
            Some(Progress::Early(listing)) => {
                let listing = self.journal.reconcile(listing);
                return self.report_list(listing);
            }
            Some(Progress::Whole(whole)) => self.on_whole(whole),
            // It has died; its last log line says of what.
            None => self.due = Some(Instant::now() + LIST_AGAIN),
        }
        self.reading = None;
        if std::mem::take(&mut self.read_again) {
            self.list();
        }
    }

    fn on_whole(&mut self, whole: Whole) {
        let Whole { listing, directories, health } = whole;
        if let Some(version) = health.as_ref().and_then(|health| health.version.as_deref()) {
            self.generation = Generation::of(version);
        }
        let pause = self.pause.map_or(LIST_AGAIN, |pause| pause * 2).min(LIST_AGAIN_AT_LAST);
        self.pause = (!listing.unread.is_empty()).then_some(pause);
        self.due = self.pause.map(|pause| Instant::now() + pause);
        let listing = self.journal.reconcile(listing);
        let (asks, unread) = (listing.asks.iter().map(|(ask, _)| &ask.session), &listing.unread);
        let held = asks.clone().map(|session| &session.directory).chain(unread);
        self.directories.named(directories, &held.map(String::as_str).collect());
        let listed: BTreeSet<&str> = asks.map(|session| session.id.as_str()).collect();
        self.sessions.retain(|session| listed.contains(session.as_str()));
        self.report_list(listing);
        let (version, kin) = health.map_or((None, None), |health| (health.version, health.kin));
        self.reporter.introduce(kin);
        self.reporter.tell(SourceReport::State(SourceState::Live { version }));
    }

    fn report_list(&mut self, listing: Listing) {
        for (ask, _) in &listing.asks {
            self.directories.saw(&ask.session.directory);
            if self.sessions.insert(ask.session.id.clone()) {
                sessions::describe(self.api, self.reporter, ask);
            }
        }
        self.reporter.tell(SourceReport::Listed(listing));
    }

    fn on_frame(&mut self, data: &str, frames: &mut Frames) {
        let source = &self.reporter.source;
        let told = match self.api.forms() {
            Some(forms) => forms::frame::read(data, source, &forms.texts),
            None => Told::read(data, source),
        };
        match told {
            Ok(Told::Heartbeat) => frames.heartbeat(),
            Ok(told) => self.on_told(told),
            // It may have been an ask: the list will tell.
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(source = %self.reporter.source, error, "a frame is not understood");
                self.list();
            }
        }
    }

    fn on_told(&mut self, told: Told) {
        let now = std::time::Instant::now();
        match told {
            // Whoever relays a stream may have answered before it was subscribed.
            Told::Connected => self.list(),
            Told::Asked(ask) => self.on_asked(ask),
            Told::Replied(ended) => self.on_replied(ended),
            Told::Rejected { own } => {
                self.note(|journal| journal.ended(&own));
                self.reporter.tell(SourceReport::Rejected { own });
            }
            Told::FormReplied(replied) => {
                self.note(|journal| journal.ended(&replied.id));
                forms::delivery::tell_reply(self.api, self.reporter, replied);
            }
            Told::Busy { session, directory } => {
                self.note(|journal| journal.busy(&session));
                self.turns.busy(session, directory);
            }
            Told::Idle { session } => {
                let over = self.turns.idle(&session, now);
                self.on_over(over);
                self.on_quiet(session);
            }
            Told::StepOver { session } => self.on_quiet(session),
            Told::ToolFailed { session } if self.sessions.contains(&session) => self.list_soon(),
            Told::Aborted { session } => {
                self.turns.aborted(&session);
                self.on_quiet(session);
            }
            Told::Failed { session, why } => {
                self.turns.failed(&session, why);
                self.on_quiet(session);
            }
            Told::Created(info) => self.turns.created(&info.id, info.parent_id),
            Told::Updated(info) => {
                self.turns.updated(&info.id, info.parent_id.clone());
                if self.sessions.contains(&info.id) {
                    self.reporter.tell(SourceReport::Described(sessions::renamed(info)));
                }
            }
            Told::Deleted { session } => {
                let over = self.turns.deleted(&session, now);
                self.on_over(over);
                self.note(|journal| journal.gone(&session));
                self.reporter.tell(SourceReport::SessionGone { session });
            }
            Told::Spoke { session, spoken } => self.turns.spoke(&session, spoken, now),
            Told::Disposed { directory } => self.on_disposed(directory),
            Told::Heartbeat | Told::ToolFailed { .. } | Told::Nothing => {}
        }
    }

    /// The journal is kept only while a list is read.
    fn note(&mut self, entry: impl FnOnce(&mut Journal)) {
        if self.reading.is_some() {
            entry(&mut self.journal);
        }
    }

    fn on_asked(&mut self, ask: Ask) {
        if self.reporter.has_come_round(&ask) {
            return;
        }
        self.directories.saw(&ask.session.directory);
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

    fn on_quiet(&mut self, session: String) {
        self.note(|journal| journal.quiet(&session));
        self.reporter.tell(SourceReport::SessionQuiet { session });
    }

    fn on_over(&self, over: Option<Over>) {
        if let Some(over) = over {
            sessions::tell_turn(self.api, self.reporter, over);
        }
    }

    fn on_disposed(&mut self, directory: Option<String>) {
        self.turns.disposed(directory.as_deref());
        let all = match &directory {
            Some(directory) => BTreeSet::from([directory.clone()]),
            None => self.directories.all(),
        };
        self.note(|journal| all.iter().for_each(|directory| journal.disposed(directory)));
        self.reporter.tell(SourceReport::Disposed { directory });
        if self.generation == Generation::Both {
            // The second core goes on as if nothing had happened: what it asks comes back.
            self.list_soon();
        }
    }
}
