//! `cargo xtask ui`: builds the windows' pages into `ui/dist`, which the window program takes in.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::shell;

/// Installs what the lock file names, if it has changed since, and builds.
pub(crate) fn build() -> Result<()> {
    if Command::new("npm").arg("--version").output().is_err() {
        bail!("npm is missing, and the windows' pages are built with it: run `cargo xtask setup`");
    }
    if !is_installed() {
        npm(&["ci", "--no-audit", "--no-fund"])?;
    }
    npm(&["run", "build"])
}

/// npm writes down what it has installed.
fn is_installed() -> bool {
    let changed = |file: &str| folder().join(file).metadata().and_then(|m| m.modified()).ok();
    changed("node_modules/.package-lock.json") >= changed("package-lock.json")
}

fn npm(arguments: &[&str]) -> Result<()> {
    shell::execute(shell::command("npm", arguments).current_dir(folder()))
}

fn folder() -> PathBuf {
    shell::root().join("ui")
}
