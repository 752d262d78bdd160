//! Reads one of the lists: what waits in a directory, and whether the sessions that wait are busy.

use super::gathered::{ListKind, PartialList, ReadList};
use super::reader::ListReader;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::requests::RequestContext;
use crate::sources::opencode::sessions::stopped::{self, TurnState, look_at_turns};
use crate::sources::opencode::wire::lenient::LenientItems;
use anyhow::Result;
use beckon_core::{Ask, SourceReport};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How long a list keeps its slot before it makes room for another; nearly all come within 10 ms.
const SLOW: Duration = Duration::from_millis(300);
/// How long a list of asks waits to learn whether sessions are busy.
const STATUS_WITHIN: Duration = Duration::from_secs(1);

impl ListReader {
    pub(super) async fn list(
        &self,
        list: PartialList,
        slots: &Semaphore,
    ) -> (PartialList, Result<ReadList>) {
        let read = self.asks_in_turn(&list, slots).await;
        (list, read)
    }

    /// Reads a list when it gets a slot. One that hangs does not keep its slot, since it costs
    /// nothing but a connection.
    async fn asks_in_turn(&self, list: &PartialList, slots: &Semaphore) -> Result<ReadList> {
        let slot = slots.acquire().await;
        let asks = self.asks(list);
        tokio::pin!(asks);
        if let Ok(read) = timeout(SLOW, &mut asks).await {
            return read;
        }
        drop(slot);
        asks.await
    }

    async fn asks(&self, list: &PartialList) -> Result<ReadList> {
        let (source, directory) = (&self.reporter.source, list.directory.as_str());
        let found = RequestContext {
            source,
            directory,
            dialect: ApiDialect::First,
        };
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
        asks.retain(|ask| !self.reporter.has_passed_here(ask) && !self.tell_aborted(ask));
        if asks.is_empty() {
            return Ok(ReadList::default());
        }
        let busy = self.busy(directory).await;
        // For an ask whose session is not known, nobody can tell.
        let is_busy = |ask: &Ask| {
            let session = &ask.session.id;
            session.is_empty() || busy.as_ref().is_none_or(|busy| busy.contains(session))
        };
        let mut listed = Vec::new();
        for ask in asks {
            let busy = is_busy(&ask);
            listed.push((ask, busy));
        }
        Ok(self.without_stopped(listed).await)
    }

    /// Tells whether an ask was ended by an abort that was heard. If so, reports that it is gone.
    fn tell_aborted(&self, ask: &Ask) -> bool {
        let is_ended = self.vouched.was_aborted(&ask.id.own);
        if is_ended {
            let own = ask.id.own.clone();
            self.reporter.tell(SourceReport::Gone { own });
        }
        is_ended
    }

    /// Leaves out the asks that were stopped together with their turn, and reports that they are
    /// gone. A busy session may have gone on with something else, so being busy proves nothing.
    async fn without_stopped(&self, asks: Vec<(Ask, bool)>) -> ReadList {
        let is_doubtful = |(ask, busy): &&(Ask, bool)| *busy && !self.vouched.has(&ask.id.own);
        let doubtful: Vec<&Ask> = asks
            .iter()
            .filter(is_doubtful)
            .map(|(ask, _)| ask)
            .collect();
        let states = look_at_turns(&self.api, &doubtful).await;

        let mut read = ReadList::default();
        let mut unclear = Vec::new();
        for (ask, busy) in asks {
            let own = ask.id.own.clone();
            match states.get(&own) {
                Some(TurnState::Over | TurnState::Failed) => {
                    self.reporter.tell(SourceReport::Gone { own });
                }
                Some(TurnState::Unsure) => {
                    let is_silent = self.vouched.fell_silent(&ask.session.id);
                    read.asks.push((ask, !is_silent));
                }
                Some(TurnState::Unclear) => {
                    read.unclear.push(own);
                    unclear.push(ask.clone());
                    read.asks.push((ask, busy));
                }
                Some(TurnState::Waits) | None => read.asks.push((ask, busy)),
            }
        }
        stopped::look_longer(&self.api, &self.reporter, unclear);
        read
    }

    /// Reads which sessions are busy. It is read after the asks: one that is listed and whose
    /// session is not busy afterwards has ended or is a zombie. `None` when it cannot be read; then
    /// each ask is taken to be waited for.
    async fn busy(&self, directory: &str) -> Option<BTreeSet<String>> {
        let read = self
            .api
            .read::<BTreeMap<String, Value>>("/session/status", Some(directory));
        let statuses = timeout(STATUS_WITHIN, read).await.ok()?.ok()?;
        Some(statuses.into_keys().collect())
    }
}
