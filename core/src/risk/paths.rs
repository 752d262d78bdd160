//! Where a path leads: into the project, or certainly out of it.

use alloc::string::String;

/// What lies there lasts for a moment, or is no file.
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

/// Does it certainly lead out? What a variable holds nobody knows, nor where a relative path begins
/// once the command has `moved` to another directory.
pub(super) fn is_outside(path: &str, directory: &str, moved: bool) -> bool {
    let (path, directory) = (comparable(path), comparable(directory));
    let nowhere = || NOWHERE.iter().any(|place| path.starts_with(place)) && !climbs(&path);
    let unknown = directory.trim_end_matches('/').is_empty();
    if unknown || nowhere() || is_inside(&path, &directory) {
        return false;
    }
    let climbs_out = path == ".." || path.starts_with("../");
    is_whole(&path) || climbs_out && !moved
}

/// Is it the project's directory, or below it?
pub(super) fn is_inside(path: &str, directory: &str) -> bool {
    let (path, directory) = (comparable(path), comparable(directory));
    let directory = directory.trim_end_matches('/');
    let below = path
        .strip_prefix(directory)
        .filter(|_| !directory.is_empty());
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && !climbs(&path)
}

/// From a root or a home on.
fn is_whole(path: &str) -> bool {
    path.starts_with('/') || path == "~" || path.starts_with("~/") || is_of_drive(path)
}

fn is_of_drive(path: &str) -> bool {
    path.as_bytes().get(1..3) == Some(b":/")
}

/// Windows knows both slashes, and no difference between small and capital letters.
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
