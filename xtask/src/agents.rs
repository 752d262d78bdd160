//! The real OpenCode servers that the whole-app tests run against, installed by npm. Where the
//! tests look for them is said in the test support crate; the two must agree.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell;

const VERSIONS: [&str; 2] = ["1.1.53", "1.18.33"];
const EXECUTABLES: [&str; 2] = ["opencode-linux-x64", "opencode-linux-x64-baseline"];

/// Installs the versions that are missing into `target/opencode`.
pub(crate) fn install() -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("setup: the whole-app tests run on Linux x64 only, OpenCode is not installed");
        return Ok(());
    }
    VERSIONS.into_iter().try_for_each(install_version)
}

fn install_version(version: &str) -> Result<()> {
    let folder = install_root().join(version);
    fs::create_dir_all(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    // The tests install too if they must: the same lock keeps the two apart.
    let lock = File::create(folder.join(".lock")).context("failed to open the install lock")?;
    lock.lock().context("failed to take the install lock")?;
    if is_installed(&folder) {
        println!("setup: OpenCode {version} is there");
        return Ok(());
    }
    npm(&folder, version)
}

fn install_root() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_OPENCODE_DIR").map(PathBuf::from);
    named.unwrap_or_else(|| shell::root().join("target/opencode"))
}

fn is_installed(folder: &Path) -> bool {
    let executable = |name| folder.join("node_modules").join(name).join("bin/opencode");
    EXECUTABLES.into_iter().any(|name| executable(name).is_file())
}

/// A package.json of its own, or npm would install into whatever package lies above.
fn npm(folder: &Path, version: &str) -> Result<()> {
    fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
    let package = format!("opencode-ai@{version}");
    let quiet = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", &package];
    shell::execute(shell::command("npm", &quiet).current_dir(folder))
}
