//! The place a path leads to: in the project, or certainly outside of it.

use alloc::string::String;

/// The places whose files last for a moment, or are no files.
const NOWHERE: [&str; 12] = [
    "/dev/null",
    "/dev/zero",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/fd/",
    "/tmp/",
    "/var/tmp/",
    "/private/tmp/",
    "/var/folders/",
    "/private/var/folders/",
    "/proc/self/fd/",
];

/// A project's directory, as paths are compared with it: made once for all of them.
pub(super) struct Project(String);

impl Project {
    pub(super) fn new(directory: &str) -> Self {
        let directory = comparable(directory);
        Self(directory.trim_end_matches('/').into())
    }

    /// Whether a path certainly leads out. The value of a variable is unknown, and so is where a
    /// relative path begins once the command has `moved` to another directory.
    pub(super) fn is_left_by(&self, path: &str, moved: bool) -> bool {
        let path = comparable(path);
        let nowhere = || NOWHERE.iter().any(|place| path.starts_with(place)) && !climbs(&path);
        if self.0.is_empty() || nowhere() || self.has(&path) {
            return false;
        }
        let climbs_out = path == ".." || path.starts_with("../");
        is_whole(&path) || climbs_out && !moved
    }

    /// Whether a path is the project's directory, or below it.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.has(&comparable(path))
    }

    fn has(&self, comparable: &str) -> bool {
        let below = comparable
            .strip_prefix(self.0.as_str())
            .filter(|_| !self.0.is_empty());
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && !climbs(comparable)
    }
}

/// Whether a path begins at a root or a home.
fn is_whole(path: &str) -> bool {
    path.starts_with('/') || path == "~" || path.starts_with("~/") || is_of_drive(path)
}

fn is_of_drive(path: &str) -> bool {
    path.as_bytes().get(1..3) == Some(b":/")
}

/// Returns a path in the form in which paths are compared. Windows knows both slashes, and no
/// difference between small and capital letters.
fn comparable(path: &str) -> String {
    let slashed = path.trim().replace('\\', "/");
    if is_of_drive(&slashed) {
        slashed.to_lowercase()
    } else {
        slashed
    }
}

fn climbs(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}
