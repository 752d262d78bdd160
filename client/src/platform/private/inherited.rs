//! Windows shuts a user's own folders to others, and what is made in them.

use std::io::Result;
use std::path::Path;

pub(super) fn create(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir)
}

/// What its access list says isn't read here: whoever tries is told.
pub(super) fn may_create(_dir: &Path) -> bool {
    true
}

pub(super) fn close(_: &Path) -> Result<()> {
    Ok(())
}

pub(super) fn keep_to_ourselves(_: &Path) -> Result<()> {
    Ok(())
}

pub(super) fn is_ours_to_write(dir: &Path) -> Result<bool> {
    Ok(std::fs::metadata(dir)?.is_dir())
}

pub(super) fn is_private(dir: &Path) -> Result<bool> {
    Ok(std::fs::metadata(dir)?.is_dir())
}
