//! Tells whether an open folder is still where it was opened.

#[cfg_attr(unix, path = "place/unix.rs")]
#[cfg_attr(not(unix), path = "place/windows.rs")]
mod platform;

use std::fs::File;
use std::path::Path;

/// Whether that folder is the one at that path, or that can't be told.
pub(crate) fn is_at(folder: &File, path: &Path) -> bool {
    platform::is_at(folder, path)
}
