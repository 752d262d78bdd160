//! The npm packages: `beckon-desk`, whose program comes in a package for each platform as
//! OpenCode's own does, and the plugin for OpenCode. The files that are the same in every version
//! are in `xtask/package/npm`.

use super::licences::{self, LinkedInto};
use super::{Release, layout, programs, template_file};
use crate::shell;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const SUMMARY: &str =
    "The answer desk for coding agents: a question your agent asks reaches you, wherever you are.";

/// The resident alone: the package contains no windows.
const RESIDENT: LinkedInto = LinkedInto {
    windows: false,
    target: None,
};

/// Makes all three packages.
pub(super) fn tarballs(release: &Release) -> Result<Vec<PathBuf>> {
    let workshop = release.workshop("npm")?;
    let folders = [
        platform_package(release, &workshop)?,
        launcher(release, &workshop)?,
        plugin(release, &workshop)?,
    ];
    folders
        .iter()
        .map(|folder| pack(folder, &release.folder))
        .collect()
}

/// Returns npm's own names for this system and architecture.
fn platform() -> Result<(&'static str, &'static str)> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok(("linux", "x64")),
        ("linux", "aarch64") => Ok(("linux", "arm64")),
        (system, architecture) => bail!("no npm package is made for {system} on {architecture}"),
    }
}

fn platform_name() -> Result<String> {
    let (system, architecture) = platform()?;
    Ok(format!("beckon-desk-{system}-{architecture}"))
}

/// Makes the package with the program alone. npm installs it where system, architecture and C
/// library (glibc) all fit.
fn platform_package(release: &Release, workshop: &Path) -> Result<PathBuf> {
    let (name, (system, architecture)) = (platform_name()?, platform()?);
    let folder = begin(workshop, &name)?;
    let program = programs::resident()?;
    fs::create_dir(folder.join("bin")).context("failed to make a folder for the program")?;
    fs::copy(program, folder.join("bin/beckon")).context("failed to copy the program")?;
    layout::write(&folder, "licences-of-others", &licences::of_all(RESIDENT)?)?;
    let description = format!("The program of beckon-desk for {system} on {architecture}.");
    let package = json!({
        "name": name, "version": release.version, "description": description, "license": "MIT",
        "os": [system], "cpu": [architecture], "libc": ["glibc"],
        "files": ["bin", "licences-of-others"],
    });
    finish(&folder, &package)
}

/// Makes the package that people install: it finds the program that fits and passes everything on
/// to it.
fn launcher(release: &Release, workshop: &Path) -> Result<PathBuf> {
    let folder = begin(workshop, "beckon-desk")?;
    copy(
        &template_file("npm/beckon-desk"),
        &folder,
        &["README.md", "beckon.js"],
    )?;
    let package = json!({
        "name": "beckon-desk", "version": release.version, "description": SUMMARY,
        "license": "MIT", "bin": { "beckon": "beckon.js" }, "files": ["beckon.js"],
        "engines": { "node": ">=18" },
        "optionalDependencies": { platform_name()?: release.version },
        "keywords": ["coding-agent", "human-in-the-loop", "notification", "opencode"],
    });
    finish(&folder, &package)
}

/// Makes the package of the plugin, for people who name plugins in `opencode.json`.
fn plugin(release: &Release, workshop: &Path) -> Result<PathBuf> {
    let folder = begin(workshop, "opencode-beckon")?;
    copy(
        &shell::root().join("integrations/opencode"),
        &folder,
        &["beckon.js"],
    )?;
    copy(
        &template_file("npm/opencode-beckon"),
        &folder,
        &["README.md"],
    )?;
    let package = json!({
        "name": "opencode-beckon", "version": release.version, "license": "MIT",
        "description": "Lets Beckon, the answer desk for coding agents, reach an OpenCode without a port.",
        "type": "module", "main": "beckon.js", "exports": "./beckon.js", "files": ["beckon.js"],
        "keywords": ["opencode", "opencode-plugin", "human-in-the-loop"],
    });
    finish(&folder, &package)
}

fn begin(workshop: &Path, name: &str) -> Result<PathBuf> {
    let folder = workshop.join(name);
    fs::create_dir(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
    copy(&shell::root(), &folder, &["LICENSE"])?;
    Ok(folder)
}

fn copy(from: &Path, folder: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        let file = from.join(name);
        fs::copy(&file, folder.join(name))
            .with_context(|| format!("failed to copy {}", file.display()))?;
    }
    Ok(())
}

fn finish(folder: &Path, package: &Value) -> Result<PathBuf> {
    let text = serde_json::to_string_pretty(package).context("failed to write a package.json")?;
    layout::write(folder, "package.json", &format!("{text}\n"))?;
    Ok(folder.to_owned())
}

/// Packs a folder; npm prints the name of the file last.
fn pack(folder: &Path, into: &Path) -> Result<PathBuf> {
    let mut npm = shell::command("npm", &["pack", "--silent", "--ignore-scripts"]);
    let told = shell::output(npm.arg("--pack-destination").arg(into).current_dir(folder))?;
    let name = told.lines().last().context("npm packed nothing")?;
    Ok(into.join(name.trim()))
}
