//! The folder in which Claude Code keeps its own files. What stands in them is known to those who
//! read them.

use beckon_client::platform::failure::SystemFailure;
use std::path::PathBuf;

/// The variable that names the folder.
const OWN: &str = "CLAUDE_CONFIG_DIR";

/// Returns the folder of its settings and of its sessions' register. A relative path would be
/// another folder wherever Claude Code is started: nobody expands a tilde
/// (<https://github.com/anthropics/claude-code/issues/78988>).
pub(crate) fn folder() -> Result<PathBuf, SystemFailure> {
    let set = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    if let Some(folder) = set(OWN) {
        return whole(OWN, folder);
    }

    let home_folder = set(home).ok_or(SystemFailure::NoHome(home))?;
    Ok(whole(home, home_folder)?.join(".claude"))
}

fn whole(variable: &'static str, folder: PathBuf) -> Result<PathBuf, SystemFailure> {
    if folder.is_absolute() {
        return Ok(folder);
    }
    Err(SystemFailure::NotWhole(variable))
}
