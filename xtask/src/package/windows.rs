//! The packages for Windows: an archive that is unpacked anywhere, and an installer for one user,
//! which needs no administrator. Both contain the same files.
//!
//! They are made on Windows, or on Linux with a tool that builds for it (`cross.rs`).

mod installer;
mod portable;
mod programs;

use super::layout::{self, PlacedFile};
use super::licences::{self, LinkedInto};
use super::{Release, template_file};
use crate::cross;
use crate::{packages, shell};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn zip_and_setup(release: &Release) -> Result<Vec<PathBuf>> {
    // NSIS is installed first: it is needed only at the end, after a build of half an hour.
    packages::install(&[packages::INSTALLER_OF_WINDOWS])?;
    let files = contents(&release.workshop("windows-parts")?)?;
    let zip = portable::pack(release, &files)?;
    let setup = installer::make(release, &files, &lay_out(release, &files)?)?;
    Ok(vec![zip, setup])
}

/// Returns the name of the files that people download, without its extension.
fn name(release: &Release) -> String {
    format!("beckon-{}-windows-x86_64", release.version)
}

/// Returns the contents in a flat layout: Windows looks for `WebView2Loader.dll`, and Beckon for
/// its window program, beside the program. The picture of a notification is looked for in `icons`.
fn contents(workshop: &Path) -> Result<Vec<PlacedFile>> {
    let linked = LinkedInto {
        windows: true,
        target: Some(cross::WINDOWS),
    };
    let others = licences::of_all(linked)?;
    let root = shell::root();
    let mut files = programs::of_both()?;
    files.extend([
        PlacedFile::plain(
            lines_of_windows(workshop, "LICENSE.txt", &root.join("LICENSE"))?,
            "LICENSE.txt",
        ),
        PlacedFile::plain(
            layout::write(workshop, "licences-of-others.txt", &crlf(&others))?,
            "licences-of-others.txt",
        ),
        PlacedFile::plain(root.join("icons/128x128.png"), "icons/128x128.png"),
        PlacedFile::plain(root.join("icons/icon.ico"), "icons/icon.ico"),
    ]);
    Ok(files)
}

fn lines_of_windows(workshop: &Path, name: &str, file: &Path) -> Result<PathBuf> {
    let text =
        fs::read_to_string(file).with_context(|| format!("failed to read {}", file.display()))?;
    layout::write(workshop, name, &crlf(&text))
}

/// Converts line ends to CRLF: Notepad shows other texts as one line up to Windows 10 1809.
fn crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Lays the files out in a folder, as the installer takes them in.
fn lay_out(release: &Release, files: &[PlacedFile]) -> Result<PathBuf> {
    let folder = release.workshop("windows-files")?;
    fs::create_dir(folder.join("icons")).context("failed to make a folder for icons")?;
    for file in files {
        fs::copy(&file.source, folder.join(&file.target))
            .with_context(|| format!("failed to copy {}", file.source.display()))?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_on_windows_once() {
        assert_eq!(crlf("a\nb\r\n"), "a\r\nb\r\n");
    }
}
