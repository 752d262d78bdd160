//! The installer, made by NSIS (<https://nsis.sourceforge.io>) from
//! `xtask/package/windows/installer.nsi`.

use super::super::template;
use super::{PlacedFile, Release, name, template_file};
use crate::shell;
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

const SCRIPT: &str = "windows/installer.nsi";

/// The option that makes an installer of 64 bits, which wine runs without its 32-bit half. Debian's
/// NSIS can do that; the one from nsis.sourceforge.io makes an installer of 32 bits, which every
/// Windows runs.
const OF_64_BITS: &str = "-XTarget amd64-unicode";

/// Makes the installer of `files`, which are in `folder`.
pub(super) fn make(release: &Release, files: &[PlacedFile], folder: &Path) -> Result<PathBuf> {
    let script = template(SCRIPT)?;
    let unnamed: Vec<&str> = files
        .iter()
        .map(|file| file.target.as_str())
        .filter(|it| !names(&script, it))
        .collect();
    ensure!(
        unnamed.is_empty(),
        "{SCRIPT} would leave {unnamed:?} behind: EACH_FILE names all"
    );
    let setup = release.folder.join(format!("{}-setup.exe", name(release)));
    let mut makensis = shell::command("makensis", &["-V2", "-WX", "-INPUTCHARSET", "UTF8"]);
    if cfg!(target_os = "linux") {
        makensis.arg(OF_64_BITS);
    }
    makensis.arg(format!("-DVERSION={}", release.version));
    makensis.arg(format!("-DNUMBERS={}", numbers(&release.version)));
    makensis.arg(format!("-DFILES={}", folder.display()));
    makensis.arg(format!("-DICONS={}", shell::root().join("icons").display()));
    makensis.arg(format!("-DSETUP={}", setup.display()));
    shell::execute(makensis.arg(template_file(SCRIPT)))?;
    Ok(setup)
}

/// Returns the numbers of a version, which is all that Windows knows: `0.2.0` for `0.2.0-rc.1`.
fn numbers(version: &str) -> &str {
    version.split(['-', '+']).next().unwrap_or(version)
}

/// Tells whether the script names the file. A file that it does not name is neither replaced by an
/// update nor removed.
fn names(script: &str, file: &str) -> bool {
    let file = file.replace('/', "\\");
    script.contains(&format!("!insertmacro ${{do}} \"{file}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_to_try_has_the_numbers_of_its_release() {
        assert_eq!(
            ["0.2.0", "0.2.0-rc.1", "0.2.0+5"].map(numbers),
            ["0.2.0"; 3]
        );
    }

    #[test]
    fn a_file_that_the_installer_would_leave_behind_is_seen() {
        let script = template(SCRIPT).unwrap();
        assert!(names(&script, "beckon.exe") && names(&script, "icons/icon.ico"));
        assert!(!names(&script, "beckon.pdb"));
    }
}
