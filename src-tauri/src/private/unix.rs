//! By owner and mode.

use std::fs::{DirBuilder, Permissions};
use std::io::Result;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// What others and the group may do.
const OTHERS: u32 = 0o077;

pub(super) fn create(dir: &Path) -> Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

pub(super) fn close(dir: &Path) -> Result<()> {
    let found = std::fs::metadata(dir)?;
    if is_ours(&found) && found.mode() & OTHERS != 0 {
        std::fs::set_permissions(dir, Permissions::from_mode(0o700))?;
    }
    Ok(())
}

pub(super) fn is_private(dir: &Path) -> Result<bool> {
    let found = std::fs::metadata(dir)?;
    Ok(found.is_dir() && is_ours(&found) && found.mode() & OTHERS == 0)
}

fn is_ours(found: &std::fs::Metadata) -> bool {
    found.uid() == rustix::process::geteuid().as_raw()
}
