//! The licences of all that is in the programs: crates as cargo resolves them for a system, the few
//! npm packages that the windows' pages are built from, and on Windows the library beside them.

use super::template_file;
use crate::{cross, shell};
use anyhow::{Context, Result};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The npm packages that the pages import; all others only build or test the pages.
const PAGES: [&str; 4] = ["svelte", "@tauri-apps/api", "@fluent/bundle", "marked"];
/// Microsoft's library and the file with its licence. The crate `webview2-com-sys` contains the
/// library, but not the licence of its package
/// (<https://www.nuget.org/packages/Microsoft.Web.WebView2>).
const LOADER: (&str, &str) = (
    "WebView2Loader.dll, of Microsoft's WebView2 SDK (BSD-3-Clause)",
    "windows/webview2-loader",
);
/// The beginnings of the names of files that contain a licence.
const LICENCE_FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
    /// The registry that the crate comes from; our own crates have none.
    source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct NpmPackage {
    version: String,
    license: Option<String>,
}

/// A part of the programs that has its own licence.
struct Part {
    title: String,
    folder: PathBuf,
}

/// The programs whose licences are wanted.
#[derive(Clone, Copy)]
pub(super) struct LinkedInto {
    /// Whether the window program is included, and not the resident alone.
    pub(super) windows: bool,
    /// A system other than this one, by the compiler's name for it.
    pub(super) target: Option<&'static str>,
}

/// Returns all licences: each text once, below the names of the parts that it is for.
pub(super) fn of_all(programs: LinkedInto) -> Result<String> {
    let mut parts = crates(programs)?;
    if programs.windows {
        parts.extend(
            PAGES
                .iter()
                .map(|name| npm_part(name))
                .collect::<Result<Vec<_>>>()?,
        );
        parts.extend((programs.target == Some(cross::WINDOWS)).then(loader));
    }
    Ok(written(&by_text(&parts)?))
}

fn crates(programs: LinkedInto) -> Result<Vec<Part>> {
    let linked = linked(programs)?;
    let arguments = [
        "metadata",
        "--format-version=1",
        "--locked",
        "--all-features",
    ];
    let told = shell::output(&mut shell::cargo(&arguments))?;
    let metadata: Metadata =
        serde_json::from_str(&told).context("failed to read what cargo tells")?;
    let packages = metadata
        .packages
        .into_iter()
        .filter(|package| package.source.is_some());
    let packages = packages.filter(|it| linked.contains(&format!("{} v{}", it.name, it.version)));
    Ok(packages.map(crate_part).collect())
}

/// Returns the crates that end up in a program, by their names in `cargo tree`. Build scripts and
/// procedural macros are left out.
fn linked(programs: LinkedInto) -> Result<BTreeSet<String>> {
    let arguments = [
        "tree",
        "--package=beckon",
        "--edges=normal,no-proc-macro",
        "--prefix=none",
    ];
    let mut tree = shell::cargo(&arguments);
    tree.args(["--format={p}", "--locked"]);
    if !programs.windows {
        tree.args(["--no-default-features", "--features", "hub"]);
    }
    tree.args(programs.target.map(|target| format!("--target={target}")));
    let told = shell::output(&mut tree)?;
    let words = told
        .lines()
        .map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
    Ok(words.map(|words| words.join(" ")).collect())
}

fn crate_part(package: Package) -> Part {
    let licence = package.license.unwrap_or_else(|| "see below".to_owned());
    let title = format!("{} {} ({licence})", package.name, package.version);
    Part {
        title,
        folder: package
            .manifest_path
            .parent()
            .unwrap_or(Path::new("."))
            .to_owned(),
    }
}

fn npm_part(name: &str) -> Result<Part> {
    let folder = shell::root().join("ui/node_modules").join(name);
    let text = fs::read_to_string(folder.join("package.json"))
        .with_context(|| format!("failed to read what npm installed as {name}"))?;
    let package: NpmPackage = serde_json::from_str(&text)
        .with_context(|| format!("failed to read the package.json of {name}"))?;
    let licence = package.license.unwrap_or_else(|| "see below".to_owned());
    Ok(Part {
        title: format!("{name} {} ({licence})", package.version),
        folder,
    })
}

fn loader() -> Part {
    let (title, folder) = LOADER;
    Part {
        title: title.to_owned(),
        folder: template_file(folder),
    }
}

fn by_text(parts: &[Part]) -> Result<BTreeMap<String, BTreeSet<&str>>> {
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for part in parts {
        for text in texts(&part.folder)? {
            found.entry(text).or_default().insert(&part.title);
        }
    }
    Ok(found)
}

/// Returns the licence texts in a folder. A folder without any is represented by the name of the
/// licence.
fn texts(folder: &Path) -> Result<Vec<String>> {
    let failed = || format!("failed to read {}", folder.display());
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if LICENCE_FILES.iter().any(|start| name.starts_with(start)) && entry.path().is_file() {
            let bytes = fs::read(entry.path()).with_context(failed)?;
            texts.push(
                String::from_utf8_lossy(&bytes)
                    .replace("\r\n", "\n")
                    .trim()
                    .to_owned(),
            );
        }
    }
    if texts.is_empty() {
        texts.push("(published without a file of its licence)".to_owned());
    }
    Ok(texts)
}

fn written(found: &BTreeMap<String, BTreeSet<&str>>) -> String {
    let line = "-".repeat(78);
    let mut text = "Beckon is built from these, too. Their licences:\n".to_owned();
    for (licence, titles) in found {
        let titles = titles.iter().copied().collect::<Vec<_>>().join("\n");
        let _ = write!(text, "\n{line}\n{titles}\n\n{licence}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_beside_the_window_program_brings_its_makers_licence() {
        let parts = [loader()];
        let found = by_text(&parts).unwrap();
        let (text, titles) = found.into_iter().next().unwrap();
        assert!(
            text.starts_with("Copyright (C) Microsoft Corporation."),
            "{text}"
        );
        assert!(
            titles
                .first()
                .is_some_and(|title| title.starts_with("WebView2Loader.dll"))
        );
    }

    #[test]
    fn a_text_that_several_share_stands_once_below_all_their_names() {
        let shared = BTreeSet::from(["a 1.0 (MIT)", "b 2.0 (MIT)"]);
        let text = written(&BTreeMap::from([("Do as you like.".to_owned(), shared)]));
        assert_eq!(text.matches("Do as you like.").count(), 1);
        assert!(
            text.contains("a 1.0 (MIT)\nb 2.0 (MIT)\n\nDo as you like."),
            "{text}"
        );
    }
}
