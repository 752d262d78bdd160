//! The place as `/etc/machine-id`, the host name and the file system tell it. A clone of a virtual
//! machine may have kept the first, but mostly has another host name.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Returns the machine's id and its host name, as far as there are such.
pub(super) fn machine() -> Vec<String> {
    let files = ["/etc/machine-id", "/proc/sys/kernel/hostname"];
    let told = files
        .iter()
        .filter_map(|file| std::fs::read_to_string(file).ok());
    told.map(|told| told.trim().to_owned()).collect()
}

/// Returns the directory's number on its disk.
pub(super) fn number(home: &Path) -> Option<String> {
    std::fs::metadata(home)
        .ok()
        .map(|home| home.ino().to_string())
}
