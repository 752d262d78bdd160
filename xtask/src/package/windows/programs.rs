//! Both programs for Windows, as they ship, and the library that the window program needs beside
//! it.

use super::PlacedFile;
use crate::cross::{self, CrossTool};
use crate::{shell, ui};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

const RESIDENT: [&str; 5] = [
    "--no-default-features",
    "--features",
    "hub",
    "--bin",
    "beckon",
];
const WINDOW: [&str; 2] = ["--bin", "beckon-window"];
/// Microsoft's library, from the crate `webview2-com-sys`; this compiler does not link it in.
const LOADER: &str = "WebView2Loader.dll";
const BUILD: [&str; 3] = ["build", "--locked", "--package=beckon"];
/// The variable that names the build profile. It is `dev` where packages are only to be tried: a
/// release takes many times as long to build.
const PROFILE: &str = "BECKON_WINDOWS_PROFILE";

/// Builds both programs. The library of both is built twice: with windows and without.
pub(super) fn of_both() -> Result<Vec<PlacedFile>> {
    ui::build_if_changed()?;
    build(&RESIDENT)?;
    build(&WINDOW)?;
    let folder = folder()?;
    ["beckon.exe", "beckon-window.exe", LOADER]
        .iter()
        .map(|name| placed(&folder, name))
        .collect()
}

fn placed(folder: &Path, name: &str) -> Result<PlacedFile> {
    let source = folder.join(name);
    ensure!(
        source.is_file(),
        "the build has left no {}",
        source.display()
    );
    Ok(PlacedFile::plain(source, name))
}

fn build(which: &[&str]) -> Result<()> {
    shell::execute(builder()?.args(which))
}

/// Returns the builder: cargo itself on Windows, elsewhere the cross tool, whose standard library
/// does not support optimising across crates.
fn builder() -> Result<Command> {
    if cfg!(windows) {
        let mut cargo = shell::cargo(&BUILD);
        cargo.args(["--target", cross::WINDOWS, "--profile", &profile()]);
        return Ok(cargo);
    }
    let mut command = tool()?.command(&["windows"]);
    command
        .args(BUILD)
        .args(["--profile", &profile()])
        .env("CARGO_PROFILE_RELEASE_LTO", "off");
    Ok(command)
}

fn profile() -> String {
    std::env::var(PROFILE).unwrap_or_else(|_| "release".to_owned())
}

fn folder() -> Result<PathBuf> {
    let of_cargo = if cfg!(windows) {
        shell::target()
    } else {
        tool()?.folder().to_owned()
    };
    let profile = profile();
    let its = if profile == "dev" { "debug" } else { &profile };
    Ok(of_cargo.join(cross::WINDOWS).join(its))
}

fn tool() -> Result<CrossTool> {
    CrossTool::find().context("BECKON_CROSS_CHECK names no tool that builds for Windows")
}
