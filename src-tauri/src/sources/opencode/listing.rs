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
    let version = api.health().await.ok().and_then(|health| health.version);
    directories.extend(known_directories(api, version.as_deref()).await?);
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
async fn known_directories(api: &Api, version: Option<&str>) -> Result<BTreeSet<String>> {
    let own: PathInfo = api.read("/path", None).await?;
    let projects: Vec<Project> = api.read("/project", None).await?;
    let worktrees = projects.into_iter().flat_map(|p| p.sandboxes.into_iter().chain([p.worktree]));
    let mut directories: BTreeSet<String> = worktrees.filter(|dir| dir != "/").collect();
    directories.insert(own.directory);
    directories.extend(session_directories(api, version).await?);
    Ok(directories)
}

/// Newer servers list the sessions of all projects. Older ones list those of one project, so their
/// own and what lies outside a repository are asked for; 1.1 would pass the newer path on to a web
/// site.
async fn session_directories(api: &Api, version: Option<&str>) -> Result<BTreeSet<String>> {
    let old = version.is_some_and(|version| version.starts_with("1.1."));
    let all = match old {
        true => None,
        false => api.read::<Vec<SessionInfo>>("/experimental/session", None).await.ok(),
    };
    let sessions = match all {
        Some(sessions) => sessions,
        None => {
            let own = api.read::<Vec<SessionInfo>>("/session", None);
            let (own, outside) = tokio::try_join!(own, api.sessions_outside())?;
            own.into_iter().chain(outside).collect()
        }
    };
    Ok(sessions.into_iter().filter_map(|session| session.directory).collect())
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
