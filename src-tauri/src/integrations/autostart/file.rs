//! A file that starts Beckon at login: written, or removed. Its content is the system's form; a
//! file that somebody else has put there under our name is left alone.

use anyhow::{Context, Result, ensure};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::foreign;
use std::path::Path;

/// Writes the file. `text` makes its content from what lies there, `None` where that is somebody
/// else's.
pub(super) fn write(file: &Path, text: impl Fn(Option<&str>) -> Option<String>) -> Result<()> {
    foreign::change(file, |there| {
        let there = there.map(String::from_utf8_lossy);
        let text = text(there.as_deref());
        let text = text.with_context(|| SystemFailure::Taken(file.into()))?;
        Ok(Some(text.into_bytes()))
    })?;
    Ok(())
}

/// Removes the file.
pub(super) fn remove(file: &Path, is_ours: impl Fn(&str) -> bool) -> Result<()> {
    let failed = || SystemFailure::Remove(file.into());
    let Some(text) = foreign::read(file).with_context(failed)? else {
        return Ok(());
    };
    let is_ours = is_ours(&String::from_utf8_lossy(&text));
    ensure!(is_ours, SystemFailure::Taken(file.into()));
    std::fs::remove_file(file).with_context(failed)
}
