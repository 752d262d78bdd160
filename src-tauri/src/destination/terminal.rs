//! The terminal in which a process runs: its tmux pane is chosen, its window is raised.

use super::{DestinationError, window};
use crate::platform::processes;
use anyhow::{Context, Result};
use std::time::Duration;

/// The most ancestors that are checked; no process of a terminal has more.
const MOST_ANCESTORS: usize = 32;
/// The time after which a display that has not answered is taken to hang.
const RAISED_WITHIN: Duration = Duration::from_secs(4);
/// The programs from which desktops start others; their windows are the desktop itself.
const DESKTOPS: &[&str] = &["explorer", "Finder", "launchd", "systemd"];

/// Brings the terminal of a process to the front.
///
/// # Errors
/// When no terminal shows it, or its window cannot be raised.
pub(super) async fn raise(process: u32, directory: &str) -> Result<(), DestinationError> {
    let shown_by = shown_by(process, directory).await?;
    raise_window(shown_by).await.map_err(|error| {
        tracing::info!(%error, "the terminal of a session is not raised");
        DestinationError::NotRaised {
            directory: directory.into(),
            pane: shown_by != process,
        }
    })
}

/// Returns the process whose terminal shows `process`. Within tmux that is a client that shows the
/// pane, not the terminal that tmux was started from.
#[cfg(unix)]
async fn shown_by(process: u32, directory: &str) -> Result<u32, DestinationError> {
    use super::tmux::{self, PaneChoice};

    /// The most levels of tmux within tmux that are followed; nobody nests deeper.
    const MOST_NESTED: usize = 4;

    let mut shown_by = process;
    for _ in 0..MOST_NESTED {
        match tmux::choose(shown_by).await {
            Ok(PaneChoice::NoPane) => break,
            Ok(PaneChoice::ShownBy(client)) => shown_by = client,
            Ok(PaneChoice::Detached { session, command }) => {
                return Err(DestinationError::Detached { session, command });
            }
            Ok(PaneChoice::Unproven { command }) => {
                return Err(DestinationError::UnprovenTmux(command));
            }
            Err(error) => {
                tracing::info!(%error, "tmux does not show the pane of a session");
                return Err(DestinationError::NoPane(directory.into()));
            }
        }
    }
    Ok(shown_by)
}

#[cfg(not(unix))]
async fn shown_by(process: u32, _directory: &str) -> Result<u32, DestinationError> {
    Ok(process)
}

async fn raise_window(process: u32) -> Result<()> {
    let raised = tokio::task::spawn_blocking(move || window::raise(&lineage(process)));
    tokio::time::timeout(RAISED_WITHIN, raised)
        .await
        .context("the display does not answer")??
}

/// Returns a process and its ancestors, up to the desktop. A parent that started after its child is
/// none: it only has the id of a process that ended.
pub(super) fn lineage(process: u32) -> Vec<u32> {
    let parent = |pid: &u32| {
        let parent = processes::parent(*pid).filter(|parent| *parent > 1)?;
        let older = processes::born(parent)? <= processes::born(*pid)?;
        let program = processes::of(parent)
            .map(|parent| parent.program)
            .unwrap_or_default();
        (older && !DESKTOPS.contains(&program.as_str())).then_some(parent)
    };
    std::iter::successors(Some(process), parent)
        .take(MOST_ANCESTORS)
        .collect()
}
