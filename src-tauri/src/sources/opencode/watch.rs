//! One connection from its first frame to its end: subscribe, then list, then go by the stream.

use super::api::Api;
use super::delivery::Known;
use super::descriptions::{Descriptions, Turn};
use super::directories::Directories;
use super::generation::Generation;
use super::journal::Journal;
use super::listing::{Progress, Reading, Start, Whole};
use super::stream::Frames;
use super::survey::Survey;
use super::told::Told;
use super::turns::{Over, Turns};
use super::wire::Ended;
use super::{Command, Reporter, delivery, forms, sessions};
use crate::app::snapshot::Gaps;
use crate::sources::http;
use crate::sources::http::sse::Broken;
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
                Some(command) => delivery::carry_out(api, reporter, watch.known, command),
            },
            read = watch.read() => {
                watch.on_read(read);
                if watch.is_misheard() {
                    return Some(Broken::NoStream(Fault::Newer));
                }
            }
            () = reached(due) => watch.list(),
            frame = frames.next() => match frame {
                Ok(Some(data)) => watch.on_frame(data, &mut frames).await,
                Ok(None) => watch.on_lost_frame(&mut frames),
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
        delivery::carry_out(api, reporter, Known::Before, command);
    }
}

/// What came of reading beside the stream.
enum Read {
    Progress(Option<Progress>),
    /// Directories that sessions name; `None` when the survey is done.
    Surveyed(Option<BTreeSet<String>>),
}

struct Watch<'a> {
    api: &'a Api,
    reporter: &'a Reporter,
    directories: &'a mut Directories,
    descriptions: Descriptions,
    reading: Option<Reading>,
    /// One that takes longer than the last reading.
    survey: Option<Survey>,
    /// What the last reading could not read.
    gaps: Gaps,
    /// Somebody wants a list that begins after the one under way.
    read_again: bool,
    /// When to read (again) …
    due: Option<Instant>,
    /// … and how long is waited for that, if it is for what could not be read.
    pause: Option<Duration>,
    /// What is known of this server since it was connected.
    known: Known,
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
            descriptions: Descriptions::start(api, reporter),
            reading: None,
            survey: None,
            gaps: Gaps::default(),
            read_again: false,
            due: Some(Instant::now() + GREETED_WITHIN),
            pause: None,
            known: Known::Before,
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
        let start = Start { known, generation, survey: self.survey.take() };
        self.reading = Some(Reading::start(self.api, self.reporter, start));
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

    /// Dropping the future loses nothing.
    async fn read(&mut self) -> Read {
        match (&mut self.reading, &mut self.survey) {
            (Some(reading), _) => Read::Progress(reading.next().await),
            (None, Some(survey)) => Read::Surveyed(survey.next().await),
            (None, None) => std::future::pending().await,
        }
    }

    /// When to read (again), unless that is under way.
    fn due(&self) -> Option<Instant> {
        self.due.filter(|_| self.reading.is_none())
    }

    fn on_read(&mut self, read: Read) {
        match read {
            Read::Progress(progress) => self.on_progress(progress),
            Read::Surveyed(None) => self.on_surveyed(),
            Read::Surveyed(Some(found)) => {
                if self.directories.found(found) {
                    self.list();
                }
            }
        }
    }

    /// The survey is done after the reading it began with.
    fn on_surveyed(&mut self) {
        let Some(survey) = self.survey.take() else { return };
        let (projects, reason) = survey.unread();
        let reason = reason.or_else(|| self.gaps.reason.take());
        self.note_gaps(Gaps { projects, reason, ..self.gaps.clone() });
    }

    /// What could not be read is tried again, ever more slowly.
    fn note_gaps(&mut self, gaps: Gaps) {
        let waits = self.survey.is_some() && gaps.directories == 0;
        if gaps.is_empty() {
            self.pause = None;
        } else if !waits {
            let pause = self.pause.map_or(LIST_AGAIN, |pause| pause * 2).min(LIST_AGAIN_AT_LAST);
            self.pause = Some(pause);
            self.due = Some(Instant::now() + pause);
            self.warn(&gaps);
        }
        self.reporter.lacks(gaps.clone());
        self.gaps = gaps;
    }

    fn warn(&self, gaps: &Gaps) {
        let Gaps { directories, projects, reason } = gaps;
        let (source, error) = (&self.reporter.source, reason.as_deref().unwrap_or_default());
        if let Some(times) = self.reporter.seldom("gaps") {
            tracing::warn!(%source, directories, projects, error, times, "not all of it can be read");
        }
    }

    fn on_progress(&mut self, progress: Option<Progress>) {
        match progress {
            Some(Progress::Early(listing)) => {
                let listing = self.journal.reconcile(listing);
                return self.report_list(listing);
            }
            Some(Progress::Whole(whole)) => self.on_whole(*whole),
            // It has died; its last log line says of what.
            None => self.due = Some(Instant::now() + LIST_AGAIN),
        }
        self.reading = None;
        if std::mem::take(&mut self.read_again) {
            self.list();
        }
    }

    fn on_whole(&mut self, whole: Whole) {
        let Whole { listing, mut directories, health, gaps, survey } = whole;
        if let Some(version) = health.as_ref().and_then(|health| health.version.as_deref()) {
            self.generation = Generation::of(version);
        }
        if gaps.projects > 0 {
            // Those that are not named this time may still be there.
            directories.extend(self.directories.all());
        }
        self.survey = survey;
        self.note_gaps(gaps);
        let listing = self.journal.reconcile(listing);
        let (asks, unread) = (listing.asks.iter().map(|(ask, _)| &ask.session), &listing.unread);
        let held = asks.clone().map(|session| &session.directory).chain(unread);
        self.directories.named(directories, &held.map(String::as_str).collect());
        let listed: BTreeSet<&str> = asks.map(|session| session.id.as_str()).collect();
        self.sessions.retain(|session| listed.contains(session.as_str()));
        self.descriptions.keep(self.sessions.clone());
        self.known = Known::Listed;
        self.report_list(listing);
        let (version, kin) = health.map_or((None, None), |health| (health.version, health.kin));
        self.reporter.introduce(kin);
        self.reporter.tell(SourceReport::State(SourceState::Live { version }));
    }

    fn report_list(&mut self, listing: Listing) {
        for (ask, _) in &listing.asks {
            self.directories.saw(&ask.session.directory);
            if self.sessions.insert(ask.session.id.clone()) {
                self.descriptions.want(ask.clone(), Turn::Last);
            }
        }
        self.reporter.tell(SourceReport::Listed(listing));
    }

    /// What a frame says. Megabytes are read beside the loop, which nothing may keep away for long.
    async fn told(&self, data: String) -> anyhow::Result<Told> {
        let (api, source) = (self.api.clone(), self.reporter.source.clone());
        let long = data.len() > http::LONG;
        let read = move || match api.forms() {
            Some(forms) => forms::frame::read(&data, &source, &forms.texts),
            None => Told::read(&data, &source),
        };
        match long {
            false => read(),
            true => tokio::task::spawn_blocking(move || Ok(read()?.cut())).await?,
        }
    }

    async fn on_frame(&mut self, data: String, frames: &mut Frames) {
        match self.told(data).await {
            Ok(Told::Heartbeat) => frames.heartbeat(),
            Ok(told) => self.on_told(told),
            // It may have been an ask: the list will tell.
            Err(error) => {
                if let Some(times) = self.reporter.seldom("a frame") {
                    let (source, error) = (&self.reporter.source, format!("{error:#}"));
                    tracing::warn!(%source, error, times, "a frame is not understood");
                }
                self.list();
            }
        }
    }

    /// A frame that was too large to be read may have been an ask as well.
    fn on_lost_frame(&mut self, frames: &mut Frames) {
        if frames.has_lost_some() {
            if let Some(times) = self.reporter.seldom("a large frame") {
                tracing::warn!(source = %self.reporter.source, times, "a frame above the cap is refused");
            }
            self.list();
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
        self.descriptions.want(ask, Turn::Next);
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
