//! Finds out in which directories a server may have asks. They are listed per directory, and those
//! in a directory that nothing names are not seen.
//!
//! The server's own directory and the worktrees of projects are found here. Whatever lies below a
//! worktree or outside of every repository is named by sessions alone: that is in `survey`.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::wire::ServerHealth;
use crate::sources::opencode::wire::lenient::UnderstoodItems;
use crate::sources::opencode::wire::sessions::{ListedProject, PathInfo};
use anyhow::Result;
use std::collections::BTreeSet;
use tokio::sync::mpsc::UnboundedSender;

/// A find on the way, told as soon as it is known.
pub(in crate::sources::opencode) enum DirectoryFind {
    /// The server's version, if it tells; comes once, and first.
    Version(Option<String>),
    /// Directories.
    Directories(BTreeSet<String>),
}

/// The directories that a server names without being asked for its sessions.
pub(in crate::sources::opencode) struct NamedDirectories {
    /// The server's report about itself, if it gives one.
    pub(in crate::sources::opencode) health: Option<ServerHealth>,
    /// The worktrees of its projects. `/` is among them: it is the worktree of everything outside a
    /// repository, and no directory with asks itself.
    pub(in crate::sources::opencode) worktrees: BTreeSet<String>,
}

/// Finds the directories, and tells each find as soon as it is known.
pub(in crate::sources::opencode) async fn discover(
    api: &OpenCodeApi,
    found: UnboundedSender<DirectoryFind>,
) -> Result<NamedDirectories> {
    let health = api.health().await.ok();
    let version = health.as_ref().and_then(|health| health.version.clone());
    let _ = found.send(DirectoryFind::Version(version));
    let (own, projects) = tokio::try_join!(
        api.read::<PathInfo>("/path", None),
        api.read::<UnderstoodItems<ListedProject>>("/project", None),
    )?;
    let projects = projects.0.into_iter();
    let mut worktrees: BTreeSet<String> = projects
        .flat_map(|p| p.sandboxes.into_iter().chain([p.worktree]))
        .collect();
    worktrees.insert(own.directory);
    worktrees.remove("/");
    let _ = found.send(DirectoryFind::Directories(worktrees.clone()));
    worktrees.insert("/".to_owned());
    Ok(NamedDirectories { health, worktrees })
}
