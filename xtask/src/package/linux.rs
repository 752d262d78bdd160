//! The `.deb` and the `.rpm`: one list of files, and what each of the two asks for besides. They
//! are made by nfpm (<https://nfpm.goreleaser.com/docs/configuration/>), which needs no tools of
//! either system.
//!
//! There are no maintainer scripts: the desktop's own triggers in dpkg and rpm update menus and
//! icons, and a running Beckon goes on with the program it was started with.

mod debian;
mod rpm;

use super::layout::{self, PlacedFile, ZshFolder};
use super::{Release, programs, tools};
use crate::shell;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const SUMMARY: &str = "answer desk for coding agents";
const DESCRIPTION: &str = "Brings the questions of your coding agents to you, on the desktop or on your phone,\n\
    and takes your answer back to the agent that asked: OpenCode, Claude Code,\n\
    LangGraph, any agent with MCP, and your own scripts.";

/// The differences between the two kinds of packages.
pub(super) struct Dialect {
    pub(super) packager: &'static str,
    pub(super) zsh: ZshFolder,
    /// Determines the packages that these two programs require and recommend.
    pub(super) needs: fn(&[&Path], &Path) -> Result<Needs>,
}

/// The other packages that a package needs.
pub(super) struct Needs {
    pub(super) depends: Vec<String>,
    pub(super) recommends: Vec<String>,
}

pub(super) fn deb(release: &Release) -> Result<Vec<PathBuf>> {
    let debs = make(release, &debian::DIALECT)?;
    debs.iter()
        .try_for_each(|deb| debian::squeeze(release, deb))?;
    Ok(debs)
}

pub(super) fn rpm(release: &Release) -> Result<Vec<PathBuf>> {
    make(release, &rpm::DIALECT)
}

fn make(release: &Release, dialect: &Dialect) -> Result<Vec<PathBuf>> {
    let workshop = release.workshop(dialect.packager)?;
    let (resident, window) = (programs::resident()?, programs::window()?);
    let needs = (dialect.needs)(&[&resident, &window], &workshop)?;
    let mut files = layout::command_line(release, &resident, &workshop, dialect.zsh)?;
    files.extend(layout::desktop(release, &workshop)?);
    files.extend(layout::papers(&workshop, true)?);
    files.extend([resident, window].map(PlacedFile::program));
    let config = workshop.join("nfpm.json");
    let text = serde_json::to_string_pretty(&config_of(release, &files, &needs)?)?;
    std::fs::write(&config, text).context("failed to write nfpm's settings")?;
    Ok(vec![pack(&config, dialect.packager, &release.folder)?])
}

fn config_of(release: &Release, files: &[PlacedFile], needs: &Needs) -> Result<Value> {
    Ok(json!({
        "name": "beckon",
        "version": release.version,
        "release": "1",
        "arch": architecture()?,
        "platform": "linux",
        "section": "utils",
        "priority": "optional",
        "maintainer": "The Beckon authors",
        "description": format!("{SUMMARY}\n{DESCRIPTION}"),
        "license": "MIT",
        "depends": needs.depends,
        "recommends": needs.recommends,
        "mtime": time(release)?,
        "contents": files.iter().map(content).collect::<Vec<_>>(),
        // zstd takes a second or two; nfpm's xz takes a minute, and saves a twentieth.
        "deb": { "compression": "zstd" },
        "rpm": { "summary": SUMMARY, "group": "Applications/Productivity", "compression": "zstd" },
    }))
}

fn content(file: &PlacedFile) -> Value {
    // YAML reads a number as the mode.
    let mode = if file.is_program { 0o755 } else { 0o644 };
    json!({
        "src": file.source,
        "dst": format!("/usr/{}", file.target),
        "file_info": { "mode": mode, "owner": "root", "group": "root" },
    })
}

/// Returns nfpm's name for the architecture, which is Go's.
fn architecture() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        other => bail!("no package is made for {other}"),
    }
}

fn time(release: &Release) -> Result<String> {
    let at = format!("--date=@{}", release.time);
    let told = shell::output(&mut shell::command("date", &["--utc", &at, "+%FT%TZ"]))?;
    Ok(told.trim().to_owned())
}

/// Packs with nfpm, which prints the name of its result: `created package: FILE`.
fn pack(config: &Path, packager: &str, folder: &Path) -> Result<PathBuf> {
    let nfpm = tools::program("nfpm")?;
    let mut command = shell::command(
        &nfpm.to_string_lossy(),
        &["package", "--packager", packager],
    );
    let told = shell::output(
        command
            .arg("--config")
            .arg(config)
            .arg("--target")
            .arg(folder),
    )?;
    let file = told
        .lines()
        .find_map(|line| line.strip_prefix("created package: "));
    file.map(|file| PathBuf::from(file.trim()))
        .with_context(|| format!("nfpm said: {told}"))
}
