//! When Claude Code last ran a hook of ours: the time of an empty file in `run/`. What stands in the
//! settings says what should happen, this what did.

use beckon_client::platform::paths::Paths;
use std::fs::File;
use std::path::PathBuf;
use std::time::SystemTime;

fn file(paths: &Paths) -> PathBuf {
    paths.run().join("claude-code.used")
}

/// Notes that it is now. A hook has nothing to say where that does not work, and makes no home of its own.
pub(crate) fn note(paths: &Paths) {
    if let Ok(file) = File::create(file(paths)) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Returns when it was, if it ever was.
pub(crate) fn last(paths: &Paths) -> Option<SystemTime> {
    let file = std::fs::metadata(file(paths));
    file.and_then(|file| file.modified()).ok()
}
