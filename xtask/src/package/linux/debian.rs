//! The dependencies of a `.deb`.

use super::super::Release;
use super::super::layout::ZshFolder;
use super::{Dialect, Needs};
use crate::shell;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) static DIALECT: Dialect = Dialect {
    packager: "deb",
    zsh: ZshFolder::Debian,
    needs,
};

/// The packages without which Beckon runs and reports what is missing.
const RECOMMENDED: [&str; 4] = [
    "dbus-user-session",
    "notification-daemon",
    "gnome-keyring | kwalletmanager",
    "xdg-utils",
];

/// Determines the dependencies with Debian's own tool, which reads the programs and names each
/// library with the oldest version that will do.
fn needs(programs: &[&Path], workshop: &Path) -> Result<Needs> {
    let debian = workshop.join("debian");
    fs::create_dir(&debian).context("failed to make a folder for dpkg-shlibdeps")?;
    fs::write(
        debian.join("control"),
        "Source: beckon\n\nPackage: beckon\nArchitecture: any\n",
    )
    .context("failed to write what dpkg-shlibdeps reads first")?;
    let mut command = shell::command("dpkg-shlibdeps", &["-O"]);
    command.args(
        programs
            .iter()
            .map(|program| format!("-e{}", program.display())),
    );
    let told = shell::output(command.current_dir(workshop))?;
    let listed = told.trim().strip_prefix("shlibs:Depends=");
    let listed = listed.with_context(|| format!("dpkg-shlibdeps said: {told}"))?;
    Ok(Needs {
        depends: listed.split(", ").map(str::to_owned).collect(),
        recommends: RECOMMENDED.map(str::to_owned).to_vec(),
    })
}

/// Packs the package again with Debian's own tool, whose xz makes it a third smaller than nfpm's.
pub(super) fn squeeze(release: &Release, deb: &Path) -> Result<()> {
    let folder = release.workshop("deb-unpacked")?;
    let mut unpack = shell::command("dpkg-deb", &["--raw-extract"]);
    shell::execute(unpack.args([deb, folder.as_path()]))?;
    let how = ["-Zxz", "-z9", "-Sextreme", "--root-owner-group", "--build"];
    let mut pack = shell::command("dpkg-deb", &how);
    // SOURCE_DATE_EPOCH makes the same commit give the same bytes.
    shell::execute(
        pack.args([folder.as_path(), deb])
            .env("SOURCE_DATE_EPOCH", &release.time),
    )
}
