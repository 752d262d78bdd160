//! Private directories on Unix, by owner and mode.

use rustix::fs::Access;
use std::fs::{DirBuilder, Permissions};
use std::io::Result;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// The rights of the group and of others.
const OTHERS: u32 = 0o077;
/// The rights by which the group and others can put something into a directory.
const OTHERS_WRITE: u32 = 0o022;
/// The user who may do anything anyway.
const ROOT: u32 = 0;

pub(super) fn create(dir: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

pub(super) fn may_create(dir: &Path) -> bool {
    let nearest = dir.ancestors().find(|above| above.exists());
    let rights = Access::WRITE_OK | Access::EXEC_OK;
    nearest.is_some_and(|above| rustix::fs::access(above, rights).is_ok())
}

pub(super) fn close(dir: &Path) -> Result<()> {
    take(dir, OTHERS)
}

pub(super) fn keep_to_ourselves(dir: &Path) -> Result<()> {
    take(dir, OTHERS_WRITE)
}

fn take(dir: &Path, rights: u32) -> Result<()> {
    let found = std::fs::metadata(dir)?;
    if is_ours(&found) && found.mode() & rights != 0 {
        let left = found.mode() & 0o777 & !rights;
        std::fs::set_permissions(dir, Permissions::from_mode(left))?;
    }
    Ok(())
}

pub(super) fn is_ours_to_write(dir: &Path) -> Result<bool> {
    let found = std::fs::metadata(dir)?;
    let trusted = is_ours(&found) || found.uid() == ROOT;
    Ok(found.is_dir() && trusted && found.mode() & OTHERS_WRITE == 0)
}

pub(super) fn is_private(dir: &Path) -> Result<bool> {
    let found = std::fs::metadata(dir)?;
    Ok(found.is_dir() && is_ours(&found) && found.mode() & OTHERS == 0)
}

fn is_ours(found: &std::fs::Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw()
}
