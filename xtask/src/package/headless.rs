//! The archive of the resident without windows: for servers, and for systems that no package fits.

use super::{Release, Shape, lay_out};
use crate::shell;
use anyhow::Result;
use std::path::PathBuf;

/// The architecture, in the words of `uname -m`.
const ARCHITECTURE: &str = std::env::consts::ARCH;

pub(super) fn tar(release: &Release) -> Result<Vec<PathBuf>> {
    let name = format!("beckon-headless-{}-linux-{ARCHITECTURE}", release.version);
    let folder = lay_out(release, Shape::Headless, &name)?;
    let archive = release.folder.join(format!("{name}.tar.gz"));
    let time = format!(
        "--mtime=@{}",
        release.time.parse::<u64>().unwrap_or_default()
    );
    // These options make the same bytes whoever packs the archive, and leave names of users out.
    let same = [
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--format=gnu",
        &time,
    ];
    let above = folder.path().parent().unwrap_or(folder.path());
    let mut tar = shell::command("tar", &same);
    tar.args(["--use-compress-program=gzip -9n", "--create", "--file"])
        .arg(&archive);
    shell::execute(tar.arg("--directory").arg(above).arg(&name))?;
    Ok(vec![archive])
}
