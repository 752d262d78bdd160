//! A file that starts Beckon at login: put there, or taken away. What stands in it is the system's.

use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::write_private;
use std::path::Path;

pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder).with_context(|| SystemFailure::Create(folder.into()))?;
    write_private(file, text.as_bytes())
}

pub(super) fn remove(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| SystemFailure::Remove(file.into())),
    }
}
