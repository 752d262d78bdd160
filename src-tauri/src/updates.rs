//! The check whether there is a newer Beckon: asks its project once a day, and only while the user
//! has switched that on. While it is off there is no task and no timer.
//!
//! Not here: what an answer means and when the next time is (`beckon-core`), and anything that
//! would install something (docs/decisions.md).

mod feed;
mod fetch;
mod memory;

use crate::platform::part::Part;
use beckon_client::platform::clock;
use beckon_client::wire::{UpdateState, UpdateStatus};
use beckon_core::{FeedFault, Span, UpdateMemory, UpdateNews, Version};
use feed::FeedSource;
use memory::MemoryFile;
use rand::Rng;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::AbortHandle;

/// The longest time for which the task sleeps before it looks at the clock again: the wall clock
/// may be set, and the machine may sleep. Also the least time between two questions, whatever the
/// clock says.
const LOOK_UP: Duration = Duration::from_secs(3_600);

/// Whether this build has a project to ask: it has none if it was built without an address and a
/// key.
pub(crate) fn can_ask() -> bool {
    FeedSource::of_this_build().is_some()
}

/// The update check, switched on or off. Dropping the handle ends it.
#[derive(Debug)]
pub(crate) struct UpdatesHandle {
    source: Option<FeedSource>,
    memory: Arc<Mutex<MemoryFile>>,
    wanted: bool,
    task: Option<AbortHandle>,
}

/// Makes the update check, which asks nobody until it is switched on. Its memory is in that file.
pub(crate) fn start(file: PathBuf) -> UpdatesHandle {
    with_source(FeedSource::of_this_build(), file)
}

fn with_source(source: Option<FeedSource>, file: PathBuf) -> UpdatesHandle {
    let memory = Arc::new(Mutex::new(MemoryFile::read(file, running().as_ref())));
    UpdatesHandle {
        source,
        memory,
        wanted: false,
        task: None,
    }
}

impl UpdatesHandle {
    /// Switches the check on or off, as the user wants it.
    pub(crate) fn switch(&mut self, wanted: bool) {
        if wanted == self.wanted {
            return;
        }
        self.wanted = wanted;
        self.stop();
        if let (true, Some(source)) = (wanted, self.source.clone()) {
            let asking = Part::Updates.run(ask_daily(source, self.memory.clone()));
            self.task = Some(tokio::spawn(asking).abort_handle());
        }
    }

    fn stop(&mut self) {
        self.task.take().inspect(AbortHandle::abort);
    }

    /// Returns the state of the check, and what it found.
    pub(crate) fn status(&self) -> UpdateStatus {
        match (self.wanted, &self.source, running()) {
            (false, _, _) => UpdateState::Off.into(),
            (true, Some(_), Some(running)) => {
                told(of(&self.memory).known().news(&running, clock::now()))
            }
            (true, _, _) => UpdateState::Unavailable.into(),
        }
    }
}

impl Drop for UpdatesHandle {
    fn drop(&mut self) {
        self.stop();
    }
}

fn running() -> Option<Version> {
    Version::parse(env!("CARGO_PKG_VERSION")).ok()
}

fn told(news: UpdateNews) -> UpdateStatus {
    match news {
        UpdateNews::NotAsked => UpdateState::Waiting.into(),
        UpdateNews::Newest => UpdateState::Newest.into(),
        UpdateNews::Outdated => UpdateState::Outdated.into(),
        UpdateNews::Newer(version) => UpdateStatus {
            version: Some(version.to_string()),
            ..UpdateState::Newer.into()
        },
        UpdateNews::Unheard(FeedFault::Unreachable) => UpdateState::Unreachable.into(),
        UpdateNews::Unheard(FeedFault::NoFeed) => UpdateState::NoFeed.into(),
        UpdateNews::Unheard(FeedFault::Unsigned) => UpdateState::Unsigned.into(),
        UpdateNews::Unheard(FeedFault::Strange) => UpdateState::Strange.into(),
        UpdateNews::Unheard(FeedFault::Replayed) => UpdateState::Replayed.into(),
    }
}

async fn ask_daily(source: FeedSource, memory: Arc<Mutex<MemoryFile>>) {
    loop {
        wait_until_due(&memory).await;
        of(&memory).change(|memory: &mut UpdateMemory| memory.begin(clock::now()));
        let heard = fetch::fetch(&source).await;
        tracing::debug!(?heard, "asked for the newest version");
        of(&memory).change(|memory: &mut UpdateMemory| {
            memory.take(heard, clock::now(), rand::rng().random());
        });
        tokio::time::sleep(LOOK_UP).await;
    }
}

async fn wait_until_due(memory: &Mutex<MemoryFile>) {
    loop {
        let Span(wait) = of(memory).known().wait(clock::now());
        let Ok(wait @ 1..) = u64::try_from(wait) else {
            return;
        };
        tokio::time::sleep(Duration::from_millis(wait).min(LOOK_UP)).await;
    }
}

fn of(memory: &Mutex<MemoryFile>) -> std::sync::MutexGuard<'_, MemoryFile> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
