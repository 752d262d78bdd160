//! The survey of a server's sessions in all its projects, since some directories are known only
//! from their sessions. It can take seconds, so it runs beside the lists of the known directories.

use crate::platform::part;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::wire::lenient::UnderstoodItems;
use crate::sources::opencode::wire::sessions::SessionInfo;
use futures_util::{StreamExt, stream};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// The number of projects whose sessions are asked for at once.
const AT_ONCE: usize = 8;
/// The time for which a reading of the lists waits for a survey, from the survey's beginning.
/// Nearly all surveys take some milliseconds.
const PATIENCE: Duration = Duration::from_secs(1);

enum SurveyNews {
    Directories(BTreeSet<String>),
    Unread(String),
}

/// A survey under way, or done. Dropping it ends the survey.
pub(in crate::sources::opencode) struct SessionSurvey {
    told: UnboundedReceiver<SurveyNews>,
    task: JoinHandle<()>,
    /// The moment until which the lists wait for the survey.
    pub(in crate::sources::opencode) patience: Instant,
    /// The number of projects that have not been answered yet.
    left: usize,
    /// The number of projects that could not be read.
    unread: usize,
    /// The reason why the last of them could not be read.
    reason: Option<String>,
    done: bool,
}

impl SessionSurvey {
    /// Begins a survey of these projects.
    pub(in crate::sources::opencode) fn start(
        api: &OpenCodeApi,
        version: Option<String>,
        worktrees: BTreeSet<String>,
    ) -> Self {
        let (tell, told) = mpsc::unbounded_channel();
        let (api, left) = (api.clone(), worktrees.len());
        let task = part::spawn(async move { survey(&api, version, worktrees, &tell).await });
        let patience = Instant::now() + PATIENCE;
        Self {
            told,
            task,
            patience,
            left,
            unread: 0,
            reason: None,
            done: false,
        }
    }

    /// Returns the next directories that sessions name; `None` at the end. Dropping the future
    /// loses nothing.
    pub(in crate::sources::opencode) async fn next(&mut self) -> Option<BTreeSet<String>> {
        loop {
            match self.told.recv().await {
                Some(SurveyNews::Directories(directories)) => {
                    self.left = self.left.saturating_sub(1);
                    return Some(directories);
                }
                Some(SurveyNews::Unread(reason)) => {
                    self.left = self.left.saturating_sub(1);
                    self.unread += 1;
                    self.reason = Some(reason);
                }
                None => {
                    (self.left, self.done) = (0, true);
                    return None;
                }
            }
        }
    }

    /// Tells whether nothing more is to come.
    pub(in crate::sources::opencode) fn is_done(&self) -> bool {
        self.done
    }

    /// Returns the number of projects whose sessions are not known (yet). The reason is `None` if
    /// they only take their time.
    pub(in crate::sources::opencode) fn unread(&self) -> (usize, Option<String>) {
        (self.left + self.unread, self.reason.clone())
    }
}

impl Drop for SessionSurvey {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Surveys the projects. Newer servers list the sessions of all projects at once; where that fails,
/// each project is asked. Version 1.1 is not asked for all at once, since it would pass that path
/// on to a web site.
async fn survey(
    api: &OpenCodeApi,
    version: Option<String>,
    worktrees: BTreeSet<String>,
    tell: &UnboundedSender<SurveyNews>,
) {
    if !version.is_some_and(|version| version.starts_with("1.1."))
        && let Ok(sessions) = api.sessions_everywhere().await
    {
        let _ = tell.send(directories_of(sessions));
        return;
    }
    let read = |worktree: String| async move {
        let sessions = api.sessions_of_project(&worktree).await;
        (worktree, sessions)
    };
    let mut reads = stream::iter(worktrees).map(read).buffer_unordered(AT_ONCE);
    while let Some((worktree, sessions)) = reads.next().await {
        let told = match sessions {
            Ok(sessions) => directories_of(sessions),
            Err(error) => {
                let error = format!("{error:#}");
                tracing::debug!(worktree, error, "the sessions of a project cannot be read");
                SurveyNews::Unread(error)
            }
        };
        let _ = tell.send(told);
    }
}

fn directories_of(sessions: UnderstoodItems<SessionInfo>) -> SurveyNews {
    SurveyNews::Directories(
        sessions
            .0
            .into_iter()
            .filter_map(|session| session.directory)
            .collect(),
    )
}
