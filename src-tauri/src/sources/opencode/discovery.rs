//! Finds out in which directories a server may have asks: they are listed per directory, and those
//! in one that nobody names are not seen.
//!
//! A directory is its server's own, the worktree of a project, or that of a session: whatever lies
//! below a worktree or outside of every repository is named by sessions alone.

use super::api::Api;
use super::wire::{Health, PathInfo, Project, SessionInfo};
use anyhow::Result;
use futures_util::{StreamExt, stream};
use std::collections::BTreeSet;
use tokio::sync::mpsc::UnboundedSender;

/// Projects whose sessions are asked for at once.
const AT_ONCE: usize = 8;

/// What is found out on the way.
pub(super) enum Find {
    /// The server's version, if it tells; comes once, and first.
    Version(Option<String>),
    /// Directories.
    Directories(BTreeSet<String>),
}

/// Tells what is found as soon as it is known; gives what the server says of itself, if it does.
pub(super) async fn discover(api: &Api, found: UnboundedSender<Find>) -> Result<Option<Health>> {
    let health = api.health().await.ok();
    let version = health.as_ref().and_then(|health| health.version.clone());
    let _ = found.send(Find::Version(version.clone()));
    let everywhere = sessions_everywhere(api, version.as_deref(), &found);
    let (named, everywhere) = tokio::join!(worktrees(api, &found), everywhere);
    let worktrees = named?;
    if !everywhere {
        sessions_of(api, worktrees, &found).await;
    }
    Ok(health)
}

/// The server's own directory and the worktrees of all projects, `/` among them: it is that of
/// everything outside a repository, and no directory with asks itself.
async fn worktrees(api: &Api, found: &UnboundedSender<Find>) -> Result<BTreeSet<String>> {
    let (own, projects) = tokio::try_join!(
        api.read::<PathInfo>("/path", None),
        api.read::<Vec<Project>>("/project", None),
    )?;
    let mut worktrees: BTreeSet<String> =
        projects.into_iter().flat_map(|p| p.sandboxes.into_iter().chain([p.worktree])).collect();
    worktrees.insert(own.directory);
    worktrees.remove("/");
    let _ = found.send(Find::Directories(worktrees.clone()));
    worktrees.insert("/".to_owned());
    Ok(worktrees)
}

/// Newer servers list the sessions of all projects at once; 1.1 would pass that path on to a web
/// site. `false` when it cannot be had.
async fn sessions_everywhere(
    api: &Api,
    version: Option<&str>,
    found: &UnboundedSender<Find>,
) -> bool {
    if version.is_some_and(|version| version.starts_with("1.1.")) {
        return false;
    }
    let sessions = api.sessions_everywhere().await;
    sessions.is_ok_and(|sessions| found.send(directories_of(sessions)).is_ok())
}

/// The sessions of each project, whatever directory they run in. One that cannot be read (its
/// worktree was removed, say) does not hide the others.
async fn sessions_of(api: &Api, worktrees: BTreeSet<String>, found: &UnboundedSender<Find>) {
    let read = |worktree: String| async move {
        let sessions = api.sessions_of_project(&worktree).await;
        (worktree, sessions)
    };
    let mut reads = stream::iter(worktrees).map(read).buffer_unordered(AT_ONCE);
    while let Some((worktree, sessions)) = reads.next().await {
        match sessions {
            Ok(sessions) => drop(found.send(directories_of(sessions))),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::info!(worktree, error, "the sessions of a project cannot be read");
            }
        }
    }
}

fn directories_of(sessions: Vec<SessionInfo>) -> Find {
    Find::Directories(sessions.into_iter().filter_map(|session| session.directory).collect())
}
