//! The folder in which Claude Code keeps its own files. What stands in them is known to those who
//! read them.

use beckon_client::platform::failure::SystemFailure;
use std::path::PathBuf;

/// Returns the folder of its settings and of its sessions' register.
pub(crate) fn folder() -> Result<PathBuf, SystemFailure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    Ok(match set("CLAUDE_CONFIG_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(set(home).ok_or(SystemFailure::NoHome(home))?).join(".claude"),
    })
}
