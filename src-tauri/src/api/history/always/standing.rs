//! The check whether a grant still holds. A grant that an OpenCode keeps in its memory is gone if
//! that was started after it, which is known of those on this machine; for what it has saved, the
//! server is asked.

use crate::api::{ApiState, status};
use crate::sources::discovery::unwatched::{self, WatchStatus, WatchedServers};
use crate::sources::opencode::saved::{SavedPermission, SavedPermissions};
use crate::store::GrantRow;
use anyhow::{Context, Result};
use beckon_client::wire::GrantState;
use beckon_core::{AlwaysUntil, SourceId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long a server may take: a page waits for it.
const WITHIN: Duration = Duration::from_secs(3);

/// A project at a source.
type Place = (SourceId, String);

/// The state of all grants, asked for once.
pub(super) struct GrantStandings {
    watched: BTreeSet<String>,
    /// The time since when each server on this machine has been running.
    started: BTreeMap<String, Timestamp>,
    /// The saved permissions of each place, where they could be read.
    saved: BTreeMap<Place, Vec<SavedPermission>>,
}

impl GrantStandings {
    pub(super) async fn ask(room: &ApiState, rows: &[GrantRow]) -> Self {
        let snapshot = room.mailbox.glance().await;
        let watched = snapshot.places.keys().cloned().collect();
        let is = |row: &GrantRow, until| row.permission.always_until == until;
        let in_memory = rows.iter().any(|row| is(row, AlwaysUntil::ServerStops));
        let sources = status::status(&snapshot, &room.texts).sources;
        let servers = WatchedServers::of(&sources, &snapshot.registered, None);
        let started = if in_memory {
            started(servers).await
        } else {
            BTreeMap::new()
        };
        let kept = rows
            .iter()
            .filter(|row| is(row, AlwaysUntil::TakenBack))
            .map(place);
        Self {
            watched,
            started,
            saved: saved_at(room, kept.collect()).await,
        }
    }

    pub(super) fn of(&self, row: &GrantRow) -> GrantState {
        let source = &row.ask.id.source.0;
        match row.permission.always_until {
            AlwaysUntil::Unsaid | AlwaysUntil::SessionEnds => GrantState::Unknown,
            _ if !self.watched.contains(source) => GrantState::Unwatched,
            AlwaysUntil::ServerStops => match self.started.get(source) {
                Some(started) if *started > row.at => GrantState::Ended,
                Some(_) => GrantState::Holds,
                None => GrantState::Unknown,
            },
            AlwaysUntil::TakenBack => match self.saved.get(&place(row)) {
                Some(saved) if saved.iter().any(|saved| is_of(saved, row)) => GrantState::Holds,
                Some(_) => GrantState::Ended,
                None => GrantState::Unknown,
            },
        }
    }
}

/// Returns the permissions of that grant that are saved at its server.
pub(super) async fn saved(
    server: &SavedPermissions,
    row: &GrantRow,
) -> Result<Vec<SavedPermission>> {
    let saved = in_time(server.of_project(&row.ask.session.directory)).await?;
    Ok(saved
        .into_iter()
        .filter(|saved| is_of(saved, row))
        .collect())
}

/// Waits for a server, but no longer than a page waits for one that hangs.
pub(super) async fn in_time<T>(asked: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::time::timeout(WITHIN, asked)
        .await
        .context("Failed to hear from it in time")?
}

fn is_of(saved: &SavedPermission, row: &GrantRow) -> bool {
    saved.is_of(&row.permission.permission, &row.permission.always)
}

fn place(row: &GrantRow) -> Place {
    (row.ask.id.source.clone(), row.ask.session.directory.clone())
}

async fn saved_at(
    room: &ApiState,
    places: BTreeSet<Place>,
) -> BTreeMap<Place, Vec<SavedPermission>> {
    let mut asked = tokio::task::JoinSet::new();
    for place in places {
        let Some(server) = room.mailbox.saved(&place.0).await else {
            continue;
        };
        asked.spawn(async move {
            let saved = in_time(server.of_project(&place.1)).await;
            saved.ok().map(|saved| (place, saved))
        });
    }
    asked.join_all().await.into_iter().flatten().collect()
}

async fn started(servers: WatchedServers) -> BTreeMap<String, Timestamp> {
    let look = move || unwatched::look(&servers);
    let running = tokio::task::spawn_blocking(look).await.unwrap_or_default();
    let started = running
        .into_iter()
        .filter_map(|(running, status)| match status {
            WatchStatus::Seen(_, source) => Some((source, at(running.process.started?)?)),
            WatchStatus::NoPlugin | WatchStatus::BeganBefore | WatchStatus::Silent => None,
        });
    started.collect()
}

fn at(time: SystemTime) -> Option<Timestamp> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    Some(Timestamp(i64::try_from(since.as_millis()).ok()?))
}
