//! The time at which Claude Code last ran a hook of ours, kept as the time of an empty file in
//! `run/`. The settings say what should happen, this what did.

use beckon_client::platform::paths::Paths;
use std::fs::File;
use std::path::PathBuf;
use std::time::SystemTime;

fn file(paths: &Paths) -> PathBuf {
    paths.run().join("claude-code.used")
}

/// Notes that a hook runs now. Where that does not work the hook says nothing of it, and it makes
/// no home of its own.
pub(crate) fn note(paths: &Paths) {
    if let Ok(file) = File::create(file(paths)) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Returns when a hook last ran, if one ever did.
pub(crate) fn last(paths: &Paths) -> Option<SystemTime> {
    let file = std::fs::metadata(file(paths));
    file.and_then(|file| file.modified()).ok()
}
