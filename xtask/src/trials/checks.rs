//! The checks of a package's contents by the tools of distributions.

use super::{empty_folder, folder_of, holds, told};
use crate::package::Release;
use crate::{package, shell};
use anyhow::Result;
use std::path::Path;

const LARGEST_DEB: u64 = 14_000_000;

/// Checks that the package keeps its budget; the program's own is missed, and docs/bench.md says
/// so.
pub(super) fn sizes(deb: &Path) -> Result<()> {
    let resident = folder_of("deb").join("usr/bin/beckon").metadata()?.len();
    println!("  the resident has {resident} bytes");
    let size = deb.metadata()?.len();
    holds(
        "the .deb keeps to its budget",
        size <= LARGEST_DEB,
        &size.to_string(),
    )
}

/// Checks the files that desktops read, and the `.rpm` of the same files.
pub(super) fn deb(file: &Path, release: &Release) -> Result<()> {
    let unpacked = empty_folder("deb")?;
    shell::output(
        shell::command("dpkg-deb", &["--extract"])
            .arg(file)
            .arg(&unpacked),
    )?;
    let metainfo = unpacked.join("usr/share/metainfo/dev.beckon.desk.metainfo.xml");
    let mut validate = shell::command("appstreamcli", &["validate", "--no-net", "--pedantic"]);
    let (valid, words) = told(validate.arg(metainfo))?;
    holds("appstreamcli finds the metadata valid", valid, &words)?;
    let entry = unpacked.join("usr/share/applications/beckon.desktop");
    let (valid, words) = told(shell::command("desktop-file-validate", &[]).arg(entry))?;
    holds(
        "desktop-file-validate has nothing to say",
        valid && words.is_empty(),
        &words,
    )?;
    rpm(release)
}

/// Installs the `.rpm` into an empty root with Debian's rpm, and removes it again. That rpm knows
/// no packages of an rpm system, so dependencies are not checked.
fn rpm(release: &Release) -> Result<()> {
    let file = package::make("rpm", release)?.remove(0);
    let root = empty_folder("rpm")?;
    let rpm = |words: &[&str]| {
        told(
            shell::command("rpm", words)
                .arg("--root")
                .arg(&root)
                .arg("--nodeps"),
        )
    };
    let (done, words) = rpm(&["--install", &file.to_string_lossy()])?;
    let is_there = root.join("usr/bin/beckon-window").is_file();
    holds("rpm installs the .rpm", done && is_there, &words)?;
    let (done, words) = rpm(&["--erase", "beckon"])?;
    let left = told(
        shell::command("find", &[])
            .arg(root.join("usr"))
            .args(["-type", "f"]),
    )?
    .1;
    let is_gone = !left.contains("beckon");
    holds(
        "rpm takes all of it out again",
        done && is_gone,
        &format!("{words}{left}"),
    )
}
