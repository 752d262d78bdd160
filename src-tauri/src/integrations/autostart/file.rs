//! A file that starts Beckon at login: put there, or taken away. What stands in it is the system's.

use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::foreign;
use std::path::Path;

pub(super) fn write(file: &Path, text: &str) -> Result<()> {
    foreign::change(file, |_| Ok(Some(text.into()))).map(|_| ())
}

pub(super) fn remove(file: &Path) -> Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| SystemFailure::Remove(file.into())),
    }
}
