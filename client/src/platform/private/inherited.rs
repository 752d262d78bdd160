//! Private directories on Windows, which itself closes a user's own folders to others, with
//! everything that is made in them.

use std::io::Result;
use std::path::Path;

pub(super) fn create(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir)
}

/// Always true: the access list of the directory is not read here, and a failed attempt says why.
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
