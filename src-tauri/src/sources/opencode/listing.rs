//! Reads a server's whole open list: every directory, questions and permissions. What is known
//! early is told early, so that a directory that hangs keeps back nobody's asks but its own.

pub(super) mod directories;
pub(super) mod discovery;
pub(super) mod gathered;
pub(super) mod second_core;
pub(super) mod survey;

use super::OpenCodeReporter;
use super::api::OpenCodeApi;
use super::dialect::ApiDialect;
use super::dialect::generation::ApiGeneration;
use super::forms::list::FormList;
use super::requests::RequestContext;
use super::wire::ServerHealth;
use super::wire::lenient::LenientItems;
use super::{forms, peer};
use crate::sources::UnreadParts;
use anyhow::Result;
use beckon_core::{Ask, SourceListing};
use discovery::{DirectoryFind, NamedDirectories, discover};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use gathered::{GatheredLists, ListKind, PartialList};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use survey::SessionSurvey;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

/// Lists read at once, those that hang not counted.
const AT_ONCE: usize = 16;
/// A list that has not come by then makes room for another; nearly all come within 10 ms.
const SLOW: Duration = Duration::from_millis(300);
/// What is known is told after so long, if that is not all, and again as more comes in. Healthy
/// servers are read by then, and an ask is to be seen within 2 s.
const EARLY: Duration = Duration::from_millis(500);
/// For whether sessions are busy a list of asks does not wait longer.
const STATUS_WITHIN: Duration = Duration::from_secs(1);
/// A server that streams but does not list yet is still starting: tried again after so long.
const AGAIN: Duration = Duration::from_secs(2);

/// How far a reading is.
pub(super) enum ListingProgress {
    /// What is known so far; all the rest is `unread`.
    Early(SourceListing),
    /// All of it.
    Whole(Box<WholeList>),
}

/// What was read.
pub(super) struct WholeList {
    pub(super) listing: SourceListing,
    /// The directories that the server names.
    pub(super) directories: BTreeSet<String>,
    /// What the server says of itself, if it does.
    pub(super) health: Option<ServerHealth>,
    /// What could not be read.
    pub(super) gaps: UnreadParts,
    /// It takes longer than the lists; it goes on.
    pub(super) survey: Option<SessionSurvey>,
}

impl From<FormList> for WholeList {
    fn from(FormList { listing, directories, health, gaps }: FormList) -> Self {
        Self { listing, directories, health, gaps, survey: None }
    }
}

/// A reading under way. Dropping it ends it.
pub(super) struct ListingTask {
    progress: mpsc::UnboundedReceiver<ListingProgress>,
    task: JoinHandle<()>,
}

/// What a reading starts with.
pub(super) struct ListingStart {
    /// Directories that need not be found out.
    pub(super) known: BTreeSet<String>,
    /// The server's, as it was at the last reading.
    pub(super) generation: ApiGeneration,
    /// One that is still under way.
    pub(super) survey: Option<SessionSurvey>,
}

impl ListingTask {
    /// Reads everything beside the stream, over and over until it works.
    pub(super) fn start(
        api: &OpenCodeApi,
        reporter: &OpenCodeReporter,
        start: ListingStart,
    ) -> Self {
        let (tell, progress) = mpsc::unbounded_channel();
        let (api, reporter) = (api.clone(), reporter.clone());
        let ListingStart { known, generation, survey } = start;
        let reader = ListReader { api, reporter, known, generation, tell };
        Self { progress, task: tokio::spawn(reader.read_until_it_works(survey)) }
    }

    /// The next progress; nothing follows the whole.
    pub(super) async fn next(&mut self) -> Option<ListingProgress> {
        self.progress.recv().await
    }
}

impl Drop for ListingTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct ListReader {
    api: OpenCodeApi,
    reporter: OpenCodeReporter,
    known: BTreeSet<String>,
    generation: ApiGeneration,
    tell: mpsc::UnboundedSender<ListingProgress>,
}

impl ListReader {
    async fn read_until_it_works(self, mut survey: Option<SessionSurvey>) {
        loop {
            let read = match self.api.forms() {
                Some(context) => {
                    let texts = &context.texts;
                    forms::list::read(&self.api, &self.reporter.source, texts, &self.known)
                        .await
                        .map(WholeList::from)
                }
                None => self.read(&mut survey).await,
            };
            match read {
                Ok(mut whole) => {
                    whole.survey = survey.filter(|survey| !survey.is_done());
                    let _ = self.tell.send(ListingProgress::Whole(Box::new(whole)));
                    return;
                }
                Err(error) => self.not_yet(&error),
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    fn not_yet(&self, error: &anyhow::Error) {
        let error = format!("{error:#}");
        if let Some(times) = self.reporter.times_to_log("the list") {
            tracing::info!(source = %self.reporter.source, error, times, "the list cannot be read yet");
        }
        let gaps = UnreadParts { directories: 1, projects: 0, reason: Some(error) };
        self.reporter.report_unread(gaps);
    }

    /// Fails when the directories cannot be found out; what is known of them is told all the same.
    async fn read(&self, survey: &mut Option<SessionSurvey>) -> Result<WholeList> {
        let (found, mut finds) = mpsc::unbounded_channel();
        let discovery = discover(&self.api, found);
        tokio::pin!(discovery);
        let mut discovered = None;
        let mut directories = BTreeSet::new();
        let slots = Semaphore::new(AT_ONCE);
        let mut lists = FuturesUnordered::new();
        let mut second_core = FuturesUnordered::new();
        let mut gathered = GatheredLists::new();
        let mut early = interval_at(Instant::now() + EARLY, EARLY);
        early.set_missed_tick_behavior(MissedTickBehavior::Delay);
        lists.extend(gathered.begin(&self.known).map(|list| self.list(list, &slots)));
        while discovered.is_none()
            || !lists.is_empty()
            || !second_core.is_empty()
            || !finds.is_empty()
            || survey.as_ref().is_some_and(is_awaited)
        {
            tokio::select! {
                named = &mut discovery, if discovered.is_none() => {
                    if let (Ok(named), None) = (&named, &survey) {
                        *survey = Some(self.survey(named));
                    }
                    discovered = Some(named);
                }
                Some(find) = finds.recv() => match find {
                    DirectoryFind::Version(version) if self.has_second_core(version.as_deref()) => {
                        second_core.push(second_core::open_asks(&self.api, &self.reporter.source));
                    }
                    DirectoryFind::Version(_) => gathered.no_second_core(),
                    DirectoryFind::Directories(found) => {
                        lists.extend(gathered.begin(&found).map(|list| self.list(list, &slots)));
                        directories.extend(found);
                    }
                },
                found = surveyed(survey), if survey.as_ref().is_some_and(is_awaited) => {
                    let found = found.unwrap_or_default();
                    lists.extend(gathered.begin(&found).map(|list| self.list(list, &slots)));
                    directories.extend(found);
                }
                Some((list, read)) = lists.next() => gathered.note(list, read),
                Some(read) = second_core.next() => gathered.note_second_core(read),
                _ = early.tick() => self.tell_early(gathered.news()),
            }
        }
        match discovered.transpose() {
            Ok(named) => {
                let (mut listing, health) =
                    (gathered.listing(), named.and_then(|named| named.health));
                let trouble = self.add_others(&mut listing, health.as_ref(), &directories).await;
                let gaps = gaps(&listing, &gathered, survey.as_ref(), trouble);
                Ok(WholeList { listing, directories, health, gaps, survey: None })
            }
            Err(error) => {
                self.tell_early(gathered.news());
                Err(error)
            }
        }
    }

    fn survey(&self, named: &NamedDirectories) -> SessionSurvey {
        let version = named.health.as_ref().and_then(|health| health.version.clone());
        SessionSurvey::start(&self.api, version, named.worktrees.clone())
    }

    /// What another Beckon has that OpenCode's dialect has no word for; says why it cannot be read.
    async fn add_others(
        &self,
        listing: &mut SourceListing,
        health: Option<&ServerHealth>,
        directories: &BTreeSet<String>,
    ) -> Option<String> {
        if !health.and_then(|health| health.kin.as_ref()).is_some_and(|peer| peer.asks) {
            return None;
        }
        match peer::others(&self.api, &self.reporter.source).await {
            Ok(asks) => {
                let new = asks.into_iter().filter(|ask| !self.reporter.has_passed_here(ask));
                listing.asks.extend(new.map(|ask| (ask, true)));
                None
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::debug!(source = %self.reporter.source, error, "its other asks cannot be read");
                listing.unread = peer::all_of(directories, &self.known);
                Some(error)
            }
        }
    }

    /// A server that does not tell its version this time has not become another.
    fn has_second_core(&self, version: Option<&str>) -> bool {
        version.map_or(self.generation, ApiGeneration::of) == ApiGeneration::Both
    }

    fn tell_early(&self, news: Option<SourceListing>) {
        if let Some(listing) = news {
            let _ = self.tell.send(ListingProgress::Early(listing));
        }
    }

    async fn list(
        &self,
        list: PartialList,
        slots: &Semaphore,
    ) -> (PartialList, Result<Vec<(Ask, bool)>>) {
        let read = self.asks_in_turn(&list, slots).await;
        (list, read)
    }

    /// One that hangs does not keep its slot: it costs nothing but a connection.
    async fn asks_in_turn(
        &self,
        list: &PartialList,
        slots: &Semaphore,
    ) -> Result<Vec<(Ask, bool)>> {
        let slot = slots.acquire().await;
        let asks = self.asks(list);
        tokio::pin!(asks);
        if let Ok(read) = timeout(SLOW, &mut asks).await {
            return read;
        }
        drop(slot);
        asks.await
    }

    async fn asks(&self, list: &PartialList) -> Result<Vec<(Ask, bool)>> {
        let (source, directory) = (&self.reporter.source, list.directory.as_str());
        let found = RequestContext { source, directory, dialect: ApiDialect::First };
        let path = match list.kind {
            ListKind::Questions => "/question",
            ListKind::Permissions => "/permission",
        };
        let items: LenientItems = self.api.read(path, Some(directory)).await?;
        let asks = items.iter().map(|item| match list.kind {
            ListKind::Questions => found.question(item.get()),
            ListKind::Permissions => found.permission(item.get()),
        });
        let mut asks: Vec<Ask> = asks.collect();
        asks.retain(|ask| !self.reporter.has_passed_here(ask));
        if asks.is_empty() {
            return Ok(Vec::new());
        }
        let busy = self.busy(directory).await;
        // Of one whose session is not known nobody can tell.
        let is_busy = |ask: &Ask| {
            let session = &ask.session.id;
            session.is_empty() || busy.as_ref().is_none_or(|busy| busy.contains(session))
        };
        Ok(asks
            .into_iter()
            .map(|ask| (is_busy(&ask), ask))
            .map(|(busy, ask)| (ask, busy))
            .collect())
    }

    /// Read after the asks: one that is listed and whose session is not busy afterwards has ended
    /// or is a zombie. `None` when it cannot be read; then each is taken to be waited for.
    async fn busy(&self, directory: &str) -> Option<BTreeSet<String>> {
        let read = self.api.read::<BTreeMap<String, Value>>("/session/status", Some(directory));
        let statuses = timeout(STATUS_WITHIN, read).await.ok()?.ok()?;
        Some(statuses.into_keys().collect())
    }
}

/// Is it worth waiting for?
fn is_awaited(survey: &SessionSurvey) -> bool {
    !survey.is_done() && Instant::now() < survey.patience
}

/// What it finds; nothing when it is done, or waited for no longer.
async fn surveyed(survey: &mut Option<SessionSurvey>) -> Option<BTreeSet<String>> {
    let survey = survey.as_mut()?;
    let patience = survey.patience;
    tokio::time::timeout_at(patience, survey.next()).await.ok().flatten()
}

fn gaps(
    listing: &SourceListing,
    gathered: &GatheredLists,
    survey: Option<&SessionSurvey>,
    others: Option<String>,
) -> UnreadParts {
    let (projects, reason) = survey.map(SessionSurvey::unread).unwrap_or_default();
    // Those that could not be read may be in a directory that nobody has named.
    let directories = listing.unread.len().max(usize::from(others.is_some()));
    let reason = others.or_else(|| gathered.trouble().cloned()).or(reason);
    UnreadParts { directories, projects, reason }
}
