//! `cargo xtask ui`: builds the windows' pages into `ui/dist`, which the window program takes in; and
//! the checks of those pages.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{packages, shell};

/// On Windows it is a script, which is only found by its whole name.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
/// Format and style, types, the logic, and every page in a browser.
const CHECKS: [&str; 4] = ["lint", "check", "test", "test:pages"];

/// Installs what the lock file names, if it has changed since, and builds.
pub(crate) fn build() -> Result<()> {
    run("build")
}

/// The same, if anything that the pages are made of has changed since: whatever touches `ui/dist` has the
/// window program built anew, which takes minutes in a release.
pub(crate) fn build_if_changed() -> Result<()> {
    if cfg!(windows) {
        // `find` is another program there.
        return build();
    }
    let built = folder().join("dist/settings.html");
    let mut find = shell::command("find", &["ui", "client/locales", "-type", "f"]);
    find.args([
        "-not",
        "-path",
        "*/node_modules/*",
        "-not",
        "-path",
        "ui/dist/*",
        "-newer",
    ]);
    let is_fresh = built.is_file() && shell::output(find.arg(&built))?.is_empty();
    if is_fresh { Ok(()) } else { build() }
}

/// Everything that must hold of the pages.
pub(crate) fn check() -> Result<()> {
    packages::install(&[packages::SHOTS])?;
    CHECKS.into_iter().try_for_each(run)
}

/// A script of `ui/package.json`.
pub(crate) fn run(script: &str) -> Result<()> {
    if Command::new(NPM).arg("--version").output().is_err() {
        bail!("npm is missing, and the windows' pages are built with it: run `cargo xtask setup`");
    }
    if !is_installed() {
        npm(&["ci", "--no-audit", "--no-fund"])?;
    }
    npm(&["run", script])
}

/// npm writes down what it has installed.
fn is_installed() -> bool {
    let changed = |file: &str| {
        folder()
            .join(file)
            .metadata()
            .and_then(|m| m.modified())
            .ok()
    };
    changed("node_modules/.package-lock.json") >= changed("package-lock.json")
}

fn npm(arguments: &[&str]) -> Result<()> {
    shell::execute(shell::command(NPM, arguments).current_dir(folder()))
}

fn folder() -> PathBuf {
    shell::root().join("ui")
}
