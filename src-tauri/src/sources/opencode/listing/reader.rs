//! Reads the whole open list, over and over until it works: what waits in each directory, in the
//! second core, and at another Beckon beyond that.
//!
//! Not here: one list (`asks`), what was gathered so far (`gathered`), how directories are found
//! (`discovery`, `survey`).

use super::discovery::{DirectoryFind, NamedDirectories, discover};
use super::gathered::GatheredLists;
use super::survey::SessionSurvey;
use super::{ListingProgress, WholeList, second_core};
use crate::sources::UnreadParts;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::dialect::generation::ApiGeneration;
use crate::sources::opencode::reporter::OpenCodeReporter;
use crate::sources::opencode::watch::vouched::VouchedAsks;
use crate::sources::opencode::wire::ServerHealth;
use crate::sources::opencode::{forms, peer};
use anyhow::Result;
use beckon_core::SourceListing;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// The number of lists that are read at once, those that hang not counted.
const AT_ONCE: usize = 16;
/// The time after which a part is reported if the whole is not known, and again as more comes in.
/// Healthy servers are read by then, and an ask is to be seen within 2 s.
const EARLY: Duration = Duration::from_millis(500);
/// The pause before a list is tried again. A server that streams but does not list yet is still
/// starting.
const AGAIN: Duration = Duration::from_secs(2);

pub(super) struct ListReader {
    pub(super) api: OpenCodeApi,
    pub(super) reporter: OpenCodeReporter,
    pub(super) known: BTreeSet<String>,
    pub(super) generation: ApiGeneration,
    pub(super) vouched: Arc<VouchedAsks>,
    pub(super) tell: mpsc::UnboundedSender<ListingProgress>,
}

impl ListReader {
    pub(super) async fn read_until_it_works(self, mut survey: Option<SessionSurvey>) {
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
        let gaps = UnreadParts {
            directories: 1,
            projects: 0,
            reason: Some(error),
        };
        self.reporter.report_unread(gaps);
    }

    /// Reads the list once. Fails when the directories cannot be found out; what is known of them
    /// is reported all the same.
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
        lists.extend(
            gathered
                .begin(&self.known)
                .map(|list| self.list(list, &slots)),
        );
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
                let trouble = self
                    .add_others(&mut listing, health.as_ref(), &directories)
                    .await;
                let gaps = gaps(&listing, &gathered, survey.as_ref(), trouble);
                Ok(WholeList {
                    listing,
                    directories,
                    health,
                    gaps,
                    survey: None,
                })
            }
            Err(error) => {
                self.tell_early(gathered.news());
                Err(error)
            }
        }
    }

    fn survey(&self, named: &NamedDirectories) -> SessionSurvey {
        let version = named
            .health
            .as_ref()
            .and_then(|health| health.version.clone());
        SessionSurvey::start(&self.api, version, named.worktrees.clone())
    }

    /// Adds what another Beckon has that OpenCode's dialect has no word for. Returns the reason if
    /// it cannot be read.
    async fn add_others(
        &self,
        listing: &mut SourceListing,
        health: Option<&ServerHealth>,
        directories: &BTreeSet<String>,
    ) -> Option<String> {
        if !health
            .and_then(|health| health.kin.as_ref())
            .is_some_and(|peer| peer.asks)
        {
            return None;
        }
        match peer::others(&self.api, &self.reporter.source).await {
            Ok(asks) => {
                let new = asks
                    .into_iter()
                    .filter(|ask| !self.reporter.has_passed_here(ask));
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

    /// Tells whether the server has a second core. One that does not tell its version this time
    /// counts as what it was before.
    fn has_second_core(&self, version: Option<&str>) -> bool {
        version.map_or(self.generation, ApiGeneration::of) == ApiGeneration::Both
    }

    fn tell_early(&self, news: Option<SourceListing>) {
        if let Some(listing) = news {
            let _ = self.tell.send(ListingProgress::Early(listing));
        }
    }
}

/// Tells whether the survey is worth waiting for.
fn is_awaited(survey: &SessionSurvey) -> bool {
    !survey.is_done() && Instant::now() < survey.patience
}

/// Returns the directories that the survey finds next; nothing when it is done, or waited for no
/// longer.
async fn surveyed(survey: &mut Option<SessionSurvey>) -> Option<BTreeSet<String>> {
    let survey = survey.as_mut()?;
    let patience = survey.patience;
    tokio::time::timeout_at(patience, survey.next())
        .await
        .ok()
        .flatten()
}

fn gaps(
    listing: &SourceListing,
    gathered: &GatheredLists,
    survey: Option<&SessionSurvey>,
    others: Option<String>,
) -> UnreadParts {
    let (projects, reason) = survey.map(SessionSurvey::unread).unwrap_or_default();
    // The asks that could not be read may be in a directory that nothing has named.
    let directories = listing.unread.len().max(usize::from(others.is_some()));
    let reason = others.or_else(|| gathered.trouble().cloned()).or(reason);
    UnreadParts {
        directories,
        projects,
        reason,
    }
}
