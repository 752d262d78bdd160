//! Reads a server's whole open list: every directory, questions and permissions. What is known
//! early is told early, so that a directory that hangs keeps back nobody's asks but its own.

use super::Reporter;
use super::api::Api;
use super::discovery::{Find, discover};
use super::gathered::{Gathered, Kind, List};
use super::generation::Generation;
use super::wire::{Health, PermissionRequest, QuestionRequest};
use super::{forms, kin, v2};
use crate::clock;
use anyhow::Result;
use beckon_core::{Ask, Listing};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
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
pub(super) enum Progress {
    /// What is known so far; all the rest is `unread`.
    Early(Listing),
    /// All of it.
    Whole(Whole),
}

/// What was read.
pub(super) struct Whole {
    pub(super) listing: Listing,
    /// The directories that the server names.
    pub(super) directories: BTreeSet<String>,
    /// What the server says of itself, if it does.
    pub(super) health: Option<Health>,
}

/// A reading under way. Dropping it ends it.
pub(super) struct Reading {
    progress: mpsc::UnboundedReceiver<Progress>,
    task: JoinHandle<()>,
}

impl Reading {
    /// Reads everything beside the stream, over and over until it works. `known` are directories
    /// that need not be found out; `generation` is the server's, as it was at the last reading.
    pub(super) fn start(
        api: &Api,
        reporter: &Reporter,
        known: BTreeSet<String>,
        generation: Generation,
    ) -> Self {
        let (tell, progress) = mpsc::unbounded_channel();
        let (api, reporter) = (api.clone(), reporter.clone());
        let reader = Reader { api, reporter, known, generation, tell };
        Self { progress, task: tokio::spawn(reader.read_until_it_works()) }
    }

    /// The next progress; nothing follows the whole.
    pub(super) async fn next(&mut self) -> Option<Progress> {
        self.progress.recv().await
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.task.abort();
    }
}

struct Reader {
    api: Api,
    reporter: Reporter,
    known: BTreeSet<String>,
    generation: Generation,
    tell: mpsc::UnboundedSender<Progress>,
}

impl Reader {
    async fn read_until_it_works(self) {
        loop {
            let read = match self.api.forms() {
                Some(context) => {
                    let texts = &context.texts;
                    forms::list::read(&self.api, &self.reporter.source, texts, &self.known).await
                }
                None => self.read().await,
            };
            match read {
                Ok(whole) => {
                    let _ = self.tell.send(Progress::Whole(whole));
                    return;
                }
                Err(error) => {
                    let error = format!("{error:#}");
                    tracing::info!(source = %self.reporter.source, error, "the list cannot be read yet");
                }
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Fails when the directories cannot be found out; what is known of them is told all the same.
    async fn read(&self) -> Result<Whole> {
        let (found, mut finds) = mpsc::unbounded_channel();
        let discovery = discover(&self.api, found);
        tokio::pin!(discovery);
        let mut discovered = None;
        let mut directories = BTreeSet::new();
        let slots = Semaphore::new(AT_ONCE);
        let mut lists = FuturesUnordered::new();
        let mut second_core = FuturesUnordered::new();
        let mut gathered = Gathered::new();
        let mut early = interval_at(Instant::now() + EARLY, EARLY);
        early.set_missed_tick_behavior(MissedTickBehavior::Delay);
        lists.extend(gathered.begin(&self.known).map(|list| self.list(list, &slots)));
        while discovered.is_none()
            || !lists.is_empty()
            || !second_core.is_empty()
            || !finds.is_empty()
        {
            tokio::select! {
                health = &mut discovery, if discovered.is_none() => discovered = Some(health),
                Some(find) = finds.recv() => match find {
                    Find::Version(version) if self.has_second_core(version.as_deref()) => {
                        second_core.push(v2::open_asks(&self.api, &self.reporter.source));
                    }
                    Find::Version(_) => gathered.no_second_core(),
                    Find::Directories(found) => {
                        lists.extend(gathered.begin(&found).map(|list| self.list(list, &slots)));
                        directories.extend(found);
                    }
                },
                Some((list, read)) = lists.next() => gathered.note(list, read),
                Some(read) = second_core.next() => gathered.note_second_core(read),
                _ = early.tick() => self.tell_early(gathered.news()),
            }
        }
        gathered.warn(&self.reporter.source);
        match discovered.transpose() {
            Ok(health) => {
                let (mut listing, health) = (gathered.listing(), health.flatten());
                self.add_others(&mut listing, health.as_ref(), &directories).await;
                Ok(Whole { listing, directories, health })
            }
            Err(error) => {
                self.tell_early(gathered.news());
                Err(error)
            }
        }
    }

    /// What another Beckon has that OpenCode's dialect has no word for.
    async fn add_others(
        &self,
        listing: &mut Listing,
        health: Option<&Health>,
        directories: &BTreeSet<String>,
    ) {
        if !health.and_then(|health| health.kin.as_ref()).is_some_and(|kin| kin.asks) {
            return;
        }
        match kin::others(&self.api, &self.reporter.source, clock::now()).await {
            Ok(asks) => {
                let new = asks.into_iter().filter(|ask| !self.reporter.has_come_round(ask));
                listing.asks.extend(new.map(|ask| (ask, true)));
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(source = %self.reporter.source, error, "its other asks cannot be read");
                listing.unread = kin::all_of(directories, &self.known);
            }
        }
    }

    /// A server that does not tell its version this time has not become another.
    fn has_second_core(&self, version: Option<&str>) -> bool {
        version.map_or(self.generation, Generation::of) == Generation::Both
    }

    fn tell_early(&self, news: Option<Listing>) {
        if let Some(listing) = news {
            let _ = self.tell.send(Progress::Early(listing));
        }
    }

    async fn list(&self, list: List, slots: &Semaphore) -> (List, Result<Vec<(Ask, bool)>>) {
        let read = self.asks_in_turn(&list, slots).await;
        (list, read)
    }

    /// One that hangs does not keep its slot: it costs nothing but a connection.
    async fn asks_in_turn(&self, list: &List, slots: &Semaphore) -> Result<Vec<(Ask, bool)>> {
        let slot = slots.acquire().await;
        let asks = self.asks(list);
        tokio::pin!(asks);
        if let Ok(read) = timeout(SLOW, &mut asks).await {
            return read;
        }
        drop(slot);
        asks.await
    }

    async fn asks(&self, list: &List) -> Result<Vec<(Ask, bool)>> {
        let (source, directory) = (&self.reporter.source, list.directory.as_str());
        let now = clock::now();
        let mut asks: Vec<Ask> = match list.kind {
            Kind::Questions => {
                let read: Vec<QuestionRequest> =
                    self.api.read("/question", Some(directory)).await?;
                read.into_iter().map(|question| question.into_ask(source, directory, now)).collect()
            }
            Kind::Permissions => {
                let read: Vec<PermissionRequest> =
                    self.api.read("/permission", Some(directory)).await?;
                read.into_iter().map(|asked| asked.into_ask(source, directory, now)).collect()
            }
        };
        asks.retain(|ask| !self.reporter.has_come_round(ask));
        if asks.is_empty() {
            return Ok(Vec::new());
        }
        let busy = self.busy(directory).await;
        let is_busy = |ask: &Ask| busy.as_ref().is_none_or(|busy| busy.contains(&ask.session.id));
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
