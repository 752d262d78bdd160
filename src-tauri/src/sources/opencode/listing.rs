//! Reads a server's whole open list: every directory, questions and permissions.

use super::Reporter;
use super::api::Api;
use super::wire::{PathInfo, PermissionRequest, Project, QuestionRequest, SessionInfo};
use crate::clock;
use anyhow::Result;
use beckon_core::{Ask, Listing};
use futures_util::{StreamExt, stream};
use std::collections::{BTreeMap, BTreeSet};

/// Directories read at once.
const AT_ONCE: usize = 8;

/// What was read.
pub(super) struct Read {
    pub(super) listing: Listing,
    /// The directories that exist, for the next time.
    pub(super) directories: BTreeSet<String>,
    /// The server's version, if it tells.
    pub(super) version: Option<String>,
}

/// Reads everything; fails only when not even the directories can be found out.
pub(super) async fn read(
    api: &Api,
    reporter: &Reporter,
    mut directories: BTreeSet<String>,
) -> Result<Read> {
    directories.extend(known_directories(api).await?);
    let version = api.health().await.ok().and_then(|health| health.version);
    let mut listing = Listing::default();
    let mut reads = stream::iter(directories.clone())
        .map(|directory| read_directory(api, reporter, directory))
        .buffer_unordered(AT_ONCE);
    while let Some((directory, read)) = reads.next().await {
        match read {
            Ok(asks) => listing.asks.extend(asks),
            Err(error) => {
                tracing::warn!(
                    directory,
                    error = format!("{error:#}"),
                    "a directory cannot be read"
                );
                listing.unread.insert(directory);
            }
        }
    }
    Ok(Read { listing, directories, version })
}

/// Worktrees of all projects, the server's own directory, and those in which sessions run: a
/// directory outside a repository belongs to the project `/` and is named by its sessions alone.
async fn known_directories(api: &Api) -> Result<BTreeSet<String>> {
    let own: PathInfo = api.read("/path", None).await?;
    let projects: Vec<Project> = api.read("/project", None).await?;
    let worktrees = projects.into_iter().flat_map(|p| p.sandboxes.into_iter().chain([p.worktree]));
    let mut directories: BTreeSet<String> = worktrees.filter(|dir| dir != "/").collect();
    directories.insert(own.directory);
    directories.extend(session_directories(api).await);
    Ok(directories)
}

/// Newer servers list the sessions of all projects, older ones those of one project: asked for are
/// the server's own, and what lies outside a repository.
async fn session_directories(api: &Api) -> BTreeSet<String> {
    let all = api.read::<Vec<SessionInfo>>("/experimental/session", None).await;
    let sessions = match all {
        Ok(sessions) => sessions,
        Err(_) => {
            let (own, outside) = tokio::join!(api.read("/session", None), api.sessions_outside());
            let mut sessions: Vec<SessionInfo> = own.unwrap_or_default();
            sessions.extend(outside.unwrap_or_default());
            sessions
        }
    };
    sessions.into_iter().filter_map(|session| session.directory).collect()
}

async fn read_directory(
    api: &Api,
    reporter: &Reporter,
    directory: String,
) -> (String, Result<Vec<(Ask, bool)>>) {
    let asks = asks_of(api, reporter, &directory).await;
    (directory, asks)
}

/// The status is read last: a request in the list whose session is not busy afterwards has ended or
/// is a zombie.
async fn asks_of(api: &Api, reporter: &Reporter, directory: &str) -> Result<Vec<(Ask, bool)>> {
    let here = Some(directory);
    let (questions, permissions) = tokio::try_join!(
        api.read::<Vec<QuestionRequest>>("/question", here),
        api.read::<Vec<PermissionRequest>>("/permission", here),
    )?;
    if questions.is_empty() && permissions.is_empty() {
        return Ok(Vec::new());
    }
    let busy: BTreeMap<String, serde_json::Value> = api.read("/session/status", here).await?;
    let now = clock::now();
    let questions = questions.into_iter().map(|q| q.into_ask(&reporter.source, directory, now));
    let permissions = permissions.into_iter().map(|p| p.into_ask(&reporter.source, directory, now));
    let asks = questions.chain(permissions);
    Ok(asks.map(|ask| (busy.contains_key(&ask.session.id), ask)).map(|(b, a)| (a, b)).collect())
}
