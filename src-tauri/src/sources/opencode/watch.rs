//! The watch of one connection from its first frame to its end: subscribe, then list, then follow
//! the stream.

pub(super) mod aborted;
pub(super) mod frame_type;
pub(super) mod journal;
pub(super) mod liveness;
pub(super) mod reconnect;
pub(super) mod stream;
mod subscription;
pub(super) mod vouched;

use super::api::OpenCodeApi;
use super::delivery::connection::ConnectionReporter;
use super::dialect::generation::ApiGeneration;
use super::events::StreamEvent;
use super::listing::directories::KnownDirectories;
use super::listing::survey::SessionSurvey;
use super::listing::{ListingProgress, ListingStart, ListingTask, WholeList};
use super::sessions::calls::{CallReader, CallWish};
use super::sessions::descriptions::{QueuePlace, SessionDescriber};
use super::turns::{EndedTurn, RunningTurns};
use super::wire::EndedRequest;
use super::{OpenCodeReporter, forms, sessions};
use crate::platform::part;
use crate::sources::UnreadParts;
use crate::sources::http;
use crate::sources::http::sse::StreamError;
use beckon_core::{Ask, SourceFault, SourceListing, SourceReport, SourceState};
use journal::StreamJournal;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use stream::OpenCodeFrames;
use subscription::Subscription;
use tokio::time::Instant;
use vouched::VouchedAsks;

/// How long a greeting is awaited. A server greets as soon as the stream is subscribed. If one does
/// not greet, its list is read after this time.
const GREETED_WITHIN: Duration = Duration::from_millis(100);
/// The time after which a server's lists no longer hold what it reported as ended.
const TIDIED_WITHIN: Duration = Duration::from_millis(300);
/// The first pause before what could not be read is tried again. The pause doubles each time while
/// a directory stays unreadable.
const LIST_AGAIN: Duration = Duration::from_secs(2);
/// The longest such pause.
const LIST_AGAIN_AT_LAST: Duration = Duration::from_secs(60);

/// Watches one connection until it breaks, and reports the state that deliveries depend on.
pub(super) async fn connect_and_watch(
    api: &OpenCodeApi,
    reporter: &OpenCodeReporter,
    connection: &ConnectionReporter,
    directories: &mut KnownDirectories,
) -> StreamError {
    let mut frames = match OpenCodeFrames::open(api).await {
        Ok(frames) => frames,
        Err(broken) => return broken,
    };
    let mut watch = ServerWatch::new(api, reporter, connection, directories);
    let list_requested = connection.set_up();
    loop {
        let due = watch.due();
        tokio::select! {
            // The rare events come first: a flood of frames must not keep a list waiting.
            biased;
            () = list_requested.notified() => watch.list(),
            read = watch.read() => {
                watch.on_read(read);
                if watch.is_of_newer_dialect() {
                    return StreamError::NoStream(SourceFault::Newer);
                }
            }
            () = reached(due) => watch.list(),
            frame = frames.next() => match frame {
                Ok(Some(data)) => watch.on_frame(data, &mut frames).await,
                Ok(None) => watch.on_lost_frame(&mut frames),
                Err(broken) => return broken,
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

/// The result of reading beside the stream.
enum ReadOutcome {
    Progress(Option<ListingProgress>),
    /// Directories that sessions name; `None` when the survey is done.
    Surveyed(Option<BTreeSet<String>>),
}

struct ServerWatch<'a> {
    api: &'a OpenCodeApi,
    reporter: &'a OpenCodeReporter,
    connection: &'a ConnectionReporter,
    directories: &'a mut KnownDirectories,
    descriptions: SessionDescriber,
    calls: CallReader,
    reading: Option<ListingTask>,
    /// The survey that takes longer than the last reading.
    survey: Option<SessionSurvey>,
    /// The parts that the last reading could not read.
    gaps: UnreadParts,
    /// Whether a list is wanted that begins after the one under way.
    read_again: bool,
    /// The time of the next reading.
    due: Option<Instant>,
    /// The pause before that reading, if it is for what could not be read.
    pause: Option<Duration>,
    /// The news of the stream while the list was read.
    journal: StreamJournal,
    /// The sessions with an ask of this connection, whose new titles are of interest.
    sessions: BTreeSet<String>,
    turns: RunningTurns,
    /// The asks whose turns need no look.
    vouched: Arc<VouchedAsks>,
    subscription: Subscription,
    /// The server's generation, as it told last.
    generation: ApiGeneration,
}

impl<'a> ServerWatch<'a> {
    fn new(
        api: &'a OpenCodeApi,
        reporter: &'a OpenCodeReporter,
        connection: &'a ConnectionReporter,
        directories: &'a mut KnownDirectories,
    ) -> Self {
        Self {
            api,
            reporter,
            connection,
            directories,
            descriptions: SessionDescriber::start(api, reporter),
            calls: CallReader::start(api, reporter),
            reading: None,
            survey: None,
            gaps: UnreadParts::default(),
            read_again: false,
            due: Some(Instant::now() + GREETED_WITHIN),
            pause: None,
            journal: StreamJournal::default(),
            sessions: BTreeSet::new(),
            turns: RunningTurns::default(),
            vouched: connection.vouched(),
            subscription: Subscription::default(),
            generation: ApiGeneration::First,
        }
    }

    /// Reads the whole list beside the stream, which is never held up by it.
    fn list(&mut self) {
        if self.reading.is_some() {
            self.read_again = true;
            return;
        }
        self.due = None;
        self.journal = StreamJournal::default();
        let (known, generation) = (self.directories.all(), self.generation);
        let start = ListingStart {
            known,
            generation,
            survey: self.survey.take(),
            vouched: self.vouched.clone(),
        };
        self.reading = Some(ListingTask::start(self.api, self.reporter, start));
    }

    /// Reads the list soon, since something may have ended that the server does not report.
    fn list_soon(&mut self) {
        match self.reading {
            Some(_) => self.read_again = true,
            None => self.list_within(TIDIED_WITHIN),
        }
    }

    /// Reads the list after that pause, or sooner if a reading is planned already.
    fn list_within(&mut self, pause: Duration) {
        let at = Instant::now() + pause;
        self.due = Some(self.due.map_or(at, |due| due.min(at)));
    }

    /// Reads the list from its beginning, since the stream reports everything only from now on. A
    /// reading under way may have missed what the stream did not report, and may hang.
    fn list_anew(&mut self) {
        (self.reading, self.read_again) = (None, false);
        self.list();
    }

    /// Tells whether the server has a stream like 1.x although it calls itself 2.x.
    fn is_of_newer_dialect(&self) -> bool {
        self.generation == ApiGeneration::Forms && self.api.forms().is_none()
    }

    /// Waits for the reading or the survey. Dropping the future loses nothing.
    async fn read(&mut self) -> ReadOutcome {
        match (&mut self.reading, &mut self.survey) {
            (Some(reading), _) => ReadOutcome::Progress(reading.next().await),
            (None, Some(survey)) => ReadOutcome::Surveyed(survey.next().await),
            (None, None) => std::future::pending().await,
        }
    }

    /// Returns when to read (again), unless a reading is under way.
    fn due(&self) -> Option<Instant> {
        self.due.filter(|_| self.reading.is_none())
    }

    fn on_read(&mut self, read: ReadOutcome) {
        match read {
            ReadOutcome::Progress(progress) => self.on_progress(progress),
            ReadOutcome::Surveyed(None) => self.on_surveyed(),
            ReadOutcome::Surveyed(Some(found)) => {
                if self.directories.found(found) {
                    self.list();
                }
            }
        }
    }

    /// Notes that the survey is done, which takes longer than the reading it began with.
    fn on_surveyed(&mut self) {
        let Some(survey) = self.survey.take() else {
            return;
        };
        let (projects, reason) = survey.unread();
        let reason = reason.or_else(|| self.gaps.reason.take());
        self.note_gaps(UnreadParts {
            projects,
            reason,
            ..self.gaps.clone()
        });
    }

    /// Reports what could not be read, and plans to read it again, with growing pauses.
    fn note_gaps(&mut self, gaps: UnreadParts) {
        let waits = self.survey.is_some() && gaps.directories == 0;
        if gaps.is_empty() {
            self.pause = None;
        } else if !waits {
            // A list that is read again for another reason has not failed a second time.
            let slower = self.pause.filter(|_| !self.subscription.is_looked_at());
            let pause = slower
                .map_or(LIST_AGAIN, |pause| pause * 2)
                .min(LIST_AGAIN_AT_LAST);
            self.pause = Some(pause);
            self.list_within(pause);
            self.warn(&gaps);
        }
        self.reporter.report_unread(gaps.clone());
        self.gaps = gaps;
    }

    /// Plans another reading, since the stream may not report everything yet.
    fn look_again(&mut self) {
        if let Some(pause) = self.subscription.next_look() {
            self.list_within(pause);
        }
    }

    fn warn(&self, gaps: &UnreadParts) {
        let UnreadParts {
            directories,
            projects,
            reason,
        } = gaps;
        let (source, error) = (&self.reporter.source, reason.as_deref().unwrap_or_default());
        if let Some(times) = self.reporter.times_to_log("gaps") {
            tracing::warn!(%source, directories, projects, error, times, "parts of the server's lists can't be read");
        }
    }

    fn on_progress(&mut self, progress: Option<ListingProgress>) {
        match progress {
            Some(ListingProgress::Early(listing)) => {
                self.end_aborted(&listing);
                let listing = self.journal.reconcile(listing);
                return self.report_list(SourceListing {
                    partial: true,
                    ..listing
                });
            }
            Some(ListingProgress::Whole(whole)) => self.on_whole(*whole),
            // The reading has panicked; its last log line tells why.
            None => self.list_within(LIST_AGAIN),
        }
        self.reading = None;
        if std::mem::take(&mut self.read_again) {
            self.list();
        }
    }

    fn on_whole(&mut self, whole: WholeList) {
        let WholeList {
            listing,
            mut directories,
            health,
            gaps,
            survey,
        } = whole;
        if let Some(version) = health.as_ref().and_then(|health| health.version.as_deref()) {
            self.generation = ApiGeneration::of(version);
        }
        if gaps.projects > 0 {
            // Directories that are not named this time may still be there.
            directories.extend(self.directories.all());
        }
        self.survey = survey;
        self.note_gaps(gaps);
        self.look_again();
        let listing = self.journal.reconcile(listing);
        let (asks, unread) = (
            listing.asks.iter().map(|(ask, _)| &ask.session),
            &listing.unread,
        );
        let held = asks.clone().map(|session| &session.directory).chain(unread);
        self.directories
            .named(directories, &held.map(String::as_str).collect());
        self.vouched.keep_listed(&listing);
        let waiting = listing.asks.iter().map(|(ask, _)| ask.id.own.clone());
        self.calls.keep(waiting.collect());
        let listed: BTreeSet<&str> = asks.map(|session| session.id.as_str()).collect();
        self.sessions
            .retain(|session| listed.contains(session.as_str()));
        self.descriptions.keep(self.sessions.clone());
        self.connection.set_listed();
        self.report_list(listing);
        let (version, peer) = health.map_or((None, None), |health| (health.version, health.kin));
        self.reporter.report_peer(peer);
        self.reporter
            .tell(SourceReport::State(SourceState::Live { version }));
    }

    /// Reports that the asks that were aborted while the list was read are gone, and remembers
    /// them.
    fn end_aborted(&self, listing: &SourceListing) {
        let ended = self.journal.aborted_of(listing);
        self.vouched.note_ended_by_abort(&ended);
        for own in ended {
            self.reporter.tell(SourceReport::Gone { own });
        }
    }

    fn report_list(&mut self, listing: SourceListing) {
        for (ask, _) in &listing.asks {
            self.vouched.note_listed(ask);
            self.directories.saw(&ask.session.directory);
            if self.sessions.insert(ask.session.id.clone()) {
                self.descriptions.want(ask.clone(), QueuePlace::Last);
            }
        }
        let asks = listing.asks.iter().map(|(ask, _)| ask);
        let wishes: Vec<CallWish> = asks.filter_map(|ask| self.calls.wish(ask)).collect();
        self.reporter.tell(SourceReport::Listed(listing));
        wishes.into_iter().for_each(|wish| self.calls.read(wish));
    }

    /// Reads a frame. Megabytes are read on a thread of their own, so that they do not hold up the
    /// loop.
    async fn read_frame(&self, data: String) -> anyhow::Result<StreamEvent> {
        let (api, source) = (self.api.clone(), self.reporter.source.clone());
        let long = data.len() > http::LONG;
        let read = move || match api.forms() {
            Some(forms) => forms::frame::read(&data, &source, &forms.texts),
            None => StreamEvent::read(&data, &source),
        };
        if long {
            part::spawn_blocking(move || Ok(read()?.cut())).await?
        } else {
            read()
        }
    }

    async fn on_frame(&mut self, data: String, frames: &mut OpenCodeFrames) {
        match self.read_frame(data).await {
            Ok(told) => {
                if self.subscription.is_proven_by(&told) {
                    self.list_anew();
                }
                match told {
                    StreamEvent::Heartbeat => frames.heartbeat(),
                    told => self.on_event(told),
                }
            }
            // The frame may have been an ask, which the list will show.
            Err(error) => {
                if let Some(times) = self.reporter.times_to_log("a frame") {
                    let (source, error) = (&self.reporter.source, format!("{error:#}"));
                    tracing::warn!(%source, error, times, "a frame is not understood");
                }
                self.list();
            }
        }
    }

    /// Notes a frame that was too large to be read. It may have been an ask as well.
    fn on_lost_frame(&mut self, frames: &mut OpenCodeFrames) {
        if frames.has_lost_some() {
            if let Some(times) = self.reporter.times_to_log("a large frame") {
                tracing::warn!(source = %self.reporter.source, times, "a frame above the cap is refused");
            }
            self.list();
        }
    }

    fn on_event(&mut self, told: StreamEvent) {
        let now = std::time::Instant::now();
        match told {
            // A Beckon that relays a stream may have answered before it was subscribed to its own
            // server.
            StreamEvent::Connected => self.list(),
            StreamEvent::Asked(ask) => self.on_asked(ask),
            StreamEvent::Replied(ended) => self.on_replied(ended),
            StreamEvent::Rejected { own } => {
                let _ = self.vouched.note_ended(&own);
                self.calls.ended(&own);
                self.note(|journal| journal.ended(&own));
                self.reporter.tell(SourceReport::Rejected { own });
            }
            StreamEvent::FormReplied(replied) => {
                self.note(|journal| journal.ended(&replied.id));
                forms::delivery::tell_reply(self.api, self.reporter, replied);
            }
            StreamEvent::Busy { session, directory } => {
                self.note(|journal| journal.busy(&session));
                self.turns.busy(session, directory);
            }
            StreamEvent::Idle { session } => {
                let over = self.turns.idle(&session, now);
                self.on_over(over);
                self.on_quiet(session);
            }
            StreamEvent::StepOver { session } => self.on_quiet(session),
            StreamEvent::ToolFailed { session } if self.sessions.contains(&session) => {
                self.list_soon()
            }
            StreamEvent::Aborted { session } => {
                self.turns.aborted(&session);
                self.on_aborted(session);
            }
            StreamEvent::Failed { session, why } => {
                self.turns.failed(&session, why);
                // A part of the session failed, and the session may go on: a prompt whose file
                // cannot be read is queued behind what still waits. The list tells whether the
                // session is busy.
                self.list_soon();
            }
            StreamEvent::Created(info) => {
                self.turns.created(&info.id, info.parent_id.clone());
                self.descriptions.known(info);
            }
            StreamEvent::Updated(info) => {
                self.turns.updated(&info.id, info.parent_id.clone());
                self.descriptions.known(info.clone());
                if self.sessions.contains(&info.id) {
                    self.reporter
                        .tell(SourceReport::Described(sessions::renamed(info)));
                }
            }
            StreamEvent::Deleted { session } => {
                let over = self.turns.deleted(&session, now);
                self.descriptions.gone(session.clone());
                self.on_over(over);
                self.note(|journal| journal.gone(&session));
                self.vouched.note_deleted(&session);
                self.reporter.tell(SourceReport::SessionGone { session });
            }
            StreamEvent::Spoke { session, spoken } => self.turns.spoke(&session, spoken, now),
            StreamEvent::Disposed { directory } => self.on_disposed(directory),
            StreamEvent::Heartbeat | StreamEvent::ToolFailed { .. } | StreamEvent::Nothing => {}
        }
    }

    /// Notes an event in the journal, which is kept only while a list is read.
    fn note(&mut self, entry: impl FnOnce(&mut StreamJournal)) {
        if self.reading.is_some() {
            entry(&mut self.journal);
        }
    }

    fn on_asked(&mut self, ask: Ask) {
        if self.reporter.has_passed_here(&ask) {
            return;
        }
        self.directories.saw(&ask.session.directory);
        self.note(|journal| journal.asked(&ask));
        self.vouched.note_asked(&ask);
        self.sessions.insert(ask.session.id.clone());
        self.reporter.tell(SourceReport::Asked(ask.clone()));
        if let Some(wish) = self.calls.wish(&ask) {
            self.calls.read(wish);
        }
        self.descriptions.want(ask, QueuePlace::Next);
    }

    fn on_replied(&mut self, ended: EndedRequest) {
        self.note(|journal| journal.ended(&ended.request_id));
        self.calls.ended(&ended.request_id);
        let answers = ended
            .answers
            .or_else(|| ended.reply.map(|word| vec![vec![word]]));
        let own = ended.request_id;
        let doubtful = self.vouched.note_ended(&own);
        if self.vouched.was_aborted(&own) {
            return self.reporter.tell(SourceReport::Gone { own });
        }
        let replied = SourceReport::Replied { own, answers };
        match doubtful {
            None => self.reporter.tell(replied),
            Some(ask) => {
                let fell_silent = self.vouched.fell_silent(&ask.session.id);
                sessions::stopped::tell_reply(self.api, self.reporter, ask, fell_silent, replied);
            }
        }
    }

    /// Reports the asks that an abort has ended, which are all that its session had asked. OpenCode
    /// keeps them on its lists.
    fn on_aborted(&mut self, session: String) {
        self.note(|journal| journal.aborted(&session));
        for own in self.vouched.note_aborted(&session) {
            self.reporter.tell(SourceReport::Gone { own });
        }
        self.on_quiet(session);
    }

    fn on_quiet(&mut self, session: String) {
        self.note(|journal| journal.quiet(&session));
        self.vouched.note_silent(&session);
        self.reporter.tell(SourceReport::SessionQuiet { session });
    }

    fn on_over(&self, over: Option<EndedTurn>) {
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
        if self.generation == ApiGeneration::Both {
            // The second core goes on after an abort as if nothing had happened: its asks come back
            // with the list.
            self.list_soon();
        }
    }
}
