//! Access to other programs' files on Windows: by the folder's list, which a new file takes over.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;

pub(super) fn open_at_once(path: &Path) -> Result<File> {
    File::open(path)
}

pub(super) fn keep_private(_: &mut OpenOptions) {}

/// Returns an error for a file that its owner has write-protected.
pub(super) fn check_writable(file: &Path) -> Result<()> {
    if std::fs::metadata(file)?.permissions().readonly() {
        return Err(Error::from(ErrorKind::PermissionDenied));
    }
    Ok(())
}

pub(super) fn make_like(_: &File, _: &Path) -> Result<()> {
    Ok(())
}
