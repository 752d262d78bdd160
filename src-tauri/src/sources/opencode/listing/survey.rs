//! Asks a server for the sessions of all its projects, since some directories are named by nothing
//! else. That can take it seconds, so it goes on beside the lists of what is known already.

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

/// Projects whose sessions are asked for at once.
const AT_ONCE: usize = 8;
/// Whatever else was read waits so long for a survey, reckoned from its beginning; nearly all take
/// some milliseconds.
const PATIENCE: Duration = Duration::from_secs(1);

enum SurveyNews {
    Directories(BTreeSet<String>),
    Unread(String),
}

/// A survey under way, or done. Dropping it ends it.
pub(in crate::sources::opencode) struct SessionSurvey {
    told: UnboundedReceiver<SurveyNews>,
    task: JoinHandle<()>,
    /// Until then it is waited for.
    pub(in crate::sources::opencode) patience: Instant,
    /// Projects of which nothing was heard yet.
    left: usize,
    /// Projects that could not be read …
    unread: usize,
    /// … and why the last of them.
    reason: Option<String>,
    done: bool,
}

impl SessionSurvey {
    /// Begins one of these projects.
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

    /// Directories that sessions name; `None` at the end. Dropping the future loses nothing.
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

    /// Nothing more is to come.
    pub(in crate::sources::opencode) fn is_done(&self) -> bool {
        self.done
    }

    /// Projects whose sessions are not known (yet), and why, if there is more to say than that it
    /// takes its time.
    pub(in crate::sources::opencode) fn unread(&self) -> (usize, Option<String>) {
        (self.left + self.unread, self.reason.clone())
    }
}

impl Drop for SessionSurvey {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Newer servers list the sessions of all projects at once; 1.1 would pass that path on to a web
/// site. Where that fails, each project is asked.
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
