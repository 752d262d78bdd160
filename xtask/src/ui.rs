//! `cargo xtask ui`: builds the windows' pages into `ui/dist`, which the window program includes;
//! and runs the checks of those pages.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{packages, shell};

/// The npm command; on Windows it is a script, which is found only by its full name.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
/// The scripts that check format and style, types, the logic, and every page in a browser.
const CHECKS: [&str; 4] = ["lint", "check", "test", "test:pages"];

/// Installs what the lock file names, if it has changed, and builds the pages.
pub(crate) fn build() -> Result<()> {
    run("build")
}

/// Builds the pages if any of their sources has changed. Every change in `ui/dist` makes cargo
/// build the window program anew, which takes minutes in a release.
pub(crate) fn build_if_changed() -> Result<()> {
    if cfg!(windows) {
        // `find` is another program on Windows.
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

/// Runs all checks of the pages.
pub(crate) fn check() -> Result<()> {
    packages::install(&[packages::SHOTS])?;
    CHECKS.into_iter().try_for_each(run)
}

/// Runs a script of `ui/package.json`.
pub(crate) fn run(script: &str) -> Result<()> {
    if Command::new(NPM).arg("--version").output().is_err() {
        bail!("npm is missing, and the windows' pages are built with it: run `cargo xtask setup`");
    }
    if !is_installed() {
        npm(&["ci", "--no-audit", "--no-fund"])?;
    }
    npm(&["run", script])
}

/// Tells whether the packages are installed as the lock file names them; npm writes down what it
/// has installed.
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
