//! Windows, where a user's own folders, and whatever is made in them, are closed to other users.

use std::io::Result;
use std::path::Path;

pub(super) fn create(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir)
}

/// Returns true: the access list isn't read here, and a failed attempt tells.
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
