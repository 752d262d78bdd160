//! The path at which this program is found again after this process has ended: what is written into
//! other programs' settings has to hold.

use anyhow::{Context, Result};
use beckon_client::platform::failure::SystemFailure;
use std::path::{Path, PathBuf};

/// Returns the program's lasting path.
pub(crate) fn path() -> Result<PathBuf> {
    let program = std::env::current_exe().context("Failed to find out where Beckon lies")?;
    let program = without_mark(program);
    let var = |name: &str| std::env::var_os(name).map(PathBuf::from);
    Ok(lasting(program, var("APPDIR").as_deref(), var("APPIMAGE"))?)
}

/// Returns the path without the mark that Linux adds to a program whose file an update has replaced
/// while it runs. The path is the same.
fn without_mark(program: PathBuf) -> PathBuf {
    let text = program.to_string_lossy();
    let replaced = text.strip_suffix(" (deleted)").map(PathBuf::from);
    replaced
        .filter(|fresh| fresh.is_file() && !program.is_file())
        .unwrap_or(program)
}

/// Returns the path of the AppImage if the program runs from its mount, which goes with it. Whoever
/// makes a folder of that name later would be run in our place. Both variables are inherited by
/// whatever an AppImage starts, so only a program that lies in that mount is ours.
fn lasting(
    program: PathBuf,
    mount: Option<&Path>,
    image: Option<PathBuf>,
) -> Result<PathBuf, SystemFailure> {
    let mounted = mount.is_some_and(|mount| mount.is_absolute() && program.starts_with(mount));
    if !mounted {
        return Ok(program);
    }
    let usable = |image: &PathBuf| image.is_absolute() && image.is_file();
    image.filter(usable).ok_or(SystemFailure::NoAppImage)
}
