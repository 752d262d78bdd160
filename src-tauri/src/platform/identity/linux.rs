//! What `/etc/machine-id` and the file system tell. A clone of a virtual machine may have kept the
//! first; its name it mostly has not.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Those that there are.
pub(super) fn machine() -> Vec<String> {
    let files = ["/etc/machine-id", "/proc/sys/kernel/hostname"];
    let told = files
        .iter()
        .filter_map(|file| std::fs::read_to_string(file).ok());
    told.map(|told| told.trim().to_owned()).collect()
}

/// The directory's number on its disk.
pub(super) fn number(home: &Path) -> Option<String> {
    std::fs::metadata(home)
        .ok()
        .map(|home| home.ino().to_string())
}
