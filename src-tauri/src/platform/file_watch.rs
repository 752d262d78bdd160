//! The watch for changes of a file, as the system reports them, so that nobody has to look again
//! and again.
//!
//! Not here: whether the content has changed.

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// The interval of looks at a file that is watched, since a network drive does not report others'
/// writes.
const LOOK: Duration = Duration::from_secs(30);
/// The interval of looks where the system cannot watch the file.
const LOOK_UNWATCHED: Duration = Duration::from_secs(2);
/// The time for which further writes are awaited, since programs often write a file in several
/// steps.
const SETTLES_WITHIN: Duration = Duration::from_millis(50);

/// A watch of one file. The file need not exist, nor its folder.
pub(crate) struct FileWatch {
    file: PathBuf,
    watcher: Option<RecommendedWatcher>,
    /// The file, or the nearest folder above it that exists.
    watched: Option<PathBuf>,
    told: Arc<Notify>,
}

impl FileWatch {
    /// Watches a file from now on.
    pub(crate) fn new(file: PathBuf) -> Self {
        let told = Arc::new(Notify::new());
        let watcher = watcher(&file, told.clone())
            .inspect_err(|error| tracing::debug!(%error, "files can't be watched, and are polled"));
        let mut watch = Self {
            file,
            watcher: watcher.ok(),
            watched: None,
            told,
        };
        watch.arm();
        watch
    }

    /// Waits until the file may have changed, come or gone.
    pub(crate) async fn changed(&mut self) {
        let look = if self.watched.is_some() {
            LOOK
        } else {
            LOOK_UNWATCHED
        };
        tokio::select! {
            () = self.told.notified() => tokio::time::sleep(SETTLES_WITHIN).await,
            () = tokio::time::sleep(look) => {}
        }
        self.arm();
    }

    /// Watches the file, or its nearest existing folder, before the caller looks: what was watched
    /// may be gone, or the file may exist now.
    fn arm(&mut self) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        if let Some(before) = self.watched.take() {
            // This fails where the watched path is gone.
            let _ = watcher.unwatch(&before);
        }
        let Some(nearest) = self.file.ancestors().find(|path| path.exists()) else {
            return;
        };
        self.watched = match watcher.watch(nearest, RecursiveMode::NonRecursive) {
            Ok(()) => Some(nearest.to_owned()),
            Err(error) => {
                tracing::debug!(%error, "a file can't be watched, and is polled");
                None
            }
        };
    }
}

fn watcher(file: &Path, told: Arc<Notify>) -> notify::Result<RecommendedWatcher> {
    let file = file.to_owned();
    notify::recommended_watcher(move |event: notify::Result<Event>| {
        if event.is_err() || event.is_ok_and(|event| concerns(&event, &file)) {
            told.notify_one();
        }
    })
}

/// Tells whether an event concerns the file. Names are compared, not paths, since the system may
/// know the same file by another path.
fn concerns(event: &Event, file: &Path) -> bool {
    let on_the_way = |path: &PathBuf| file.iter().any(|part| Some(part) == path.file_name());
    !event.kind.is_access() && (event.paths.is_empty() || event.paths.iter().any(on_the_way))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Less than [`LOOK_UNWATCHED`]: it must have been told.
    const SOON: Duration = Duration::from_millis(1_500);

    async fn is_told(watch: &mut FileWatch) {
        tokio::time::timeout(SOON, watch.changed())
            .await
            .expect("nobody has told of it");
    }

    #[tokio::test]
    async fn a_file_that_is_written_replaced_removed_and_made_again_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("config.toml"), folder.path().join("new"));
        fs::write(&file, "a").unwrap();
        let mut watch = FileWatch::new(file.clone());
        fs::write(&file, "b").unwrap();
        is_told(&mut watch).await;
        fs::write(&other, "c").unwrap();
        fs::rename(&other, &file).unwrap();
        is_told(&mut watch).await;
        fs::write(&file, "d").unwrap();
        is_told(&mut watch).await;
        fs::remove_file(&file).unwrap();
        is_told(&mut watch).await;
        fs::write(&file, "e").unwrap();
        is_told(&mut watch).await;
    }

    #[tokio::test]
    async fn a_file_is_told_of_though_its_folders_come_later() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder
            .path()
            .join("state")
            .join("opencode")
            .join("service.json");
        let mut watch = FileWatch::new(file.clone());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        is_told(&mut watch).await;
        fs::write(&file, "{}").unwrap();
        is_told(&mut watch).await;
        fs::remove_dir_all(folder.path().join("state")).unwrap();
        is_told(&mut watch).await;
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, "{}").unwrap();
        is_told(&mut watch).await;
    }

    #[tokio::test]
    async fn what_else_happens_in_the_folder_wakes_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let mut watch = FileWatch::new(folder.path().join("config.toml"));
        fs::write(folder.path().join("beckon.db"), "a").unwrap();
        tokio::time::timeout(Duration::from_millis(300), watch.changed())
            .await
            .unwrap_err();
    }
}
