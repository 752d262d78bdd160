//! What a `.deb` asks for besides its files.

use super::layout::ZshFolder;
use super::linux::{Dialect, Needs};
use crate::shell;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

pub(super) static DIALECT: Dialect = Dialect { packager: "deb", zsh: ZshFolder::Debian, needs };

/// Without these Beckon runs and says what is missing.
const RECOMMENDED: [&str; 4] =
    ["dbus-user-session", "notification-daemon", "gnome-keyring | kwalletmanager", "xdg-utils"];

/// Debian's own tool reads the programs, and names each library with the oldest version that will do.
fn needs(programs: &[&Path], workshop: &Path) -> Result<Needs> {
    let debian = workshop.join("debian");
    fs::create_dir(&debian).context("failed to make a folder for dpkg-shlibdeps")?;
    fs::write(debian.join("control"), "Source: beckon\n\nPackage: beckon\nArchitecture: any\n")
        .context("failed to write what dpkg-shlibdeps reads first")?;
    let mut command = shell::command("dpkg-shlibdeps", &["-O"]);
    command.args(programs.iter().map(|program| format!("-e{}", program.display())));
    let told = shell::output(command.current_dir(workshop))?;
    let listed = told.trim().strip_prefix("shlibs:Depends=");
    let listed = listed.with_context(|| format!("dpkg-shlibdeps said: {told}"))?;
    Ok(Needs {
        depends: listed.split(", ").map(str::to_owned).collect(),
        recommends: RECOMMENDED.map(str::to_owned).to_vec(),
    })
}
