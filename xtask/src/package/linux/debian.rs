//! What a `.deb` asks for besides its files.

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

/// Without these Beckon runs and says what is missing.
const RECOMMENDED: [&str; 4] = [
    "dbus-user-session",
    "notification-daemon",
    "gnome-keyring | kwalletmanager",
    "xdg-utils",
];

/// Debian's own tool reads the programs, and names each library with the oldest version that will do.
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

/// Packs it anew with Debian's own tool, whose xz makes a third less of it than nfpm's.
pub(super) fn squeeze(release: &Release, deb: &Path) -> Result<()> {
    let folder = release.workshop("deb-unpacked")?;
    let mut unpack = shell::command("dpkg-deb", &["--raw-extract"]);
    shell::execute(unpack.args([deb, folder.as_path()]))?;
    let how = ["-Zxz", "-z9", "-Sextreme", "--root-owner-group", "--build"];
    let mut pack = shell::command("dpkg-deb", &how);
    // The same commit makes the same bytes.
    shell::execute(
        pack.args([folder.as_path(), deb])
            .env("SOURCE_DATE_EPOCH", &release.time),
    )
}
