//! Where the OpenCode executables are, and how a missing one is installed. Running them lives in
//! `opencode.rs`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Version;

/// The executable of `version`, installed by npm first if it is missing.
///
/// It is looked for under `BECKON_TEST_OPENCODE_DIR`, or `target/opencode` of the workspace.
pub fn binary(version: Version) -> PathBuf {
    let folder = install_root().join(version.number());
    if let Some(found) = installed(&folder) {
        return found;
    }
    // Test programs run side by side: whoever comes second waits, and then finds it there.
    fs::create_dir_all(&folder).expect("failed to make the folder for OpenCode");
    let lock = File::create(folder.join(".lock")).expect("failed to open the install lock");
    lock.lock().expect("failed to take the install lock");
    installed(&folder).unwrap_or_else(|| {
        install(&folder, version);
        installed(&folder).expect("npm installed OpenCode, but its executable is not there")
    })
}

fn install_root() -> PathBuf {
    match std::env::var_os("BECKON_TEST_OPENCODE_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/opencode"),
    }
}

/// The plain build needs AVX2; npm brings both, and the baseline one runs anywhere.
fn installed(folder: &Path) -> Option<PathBuf> {
    let package = if has_avx2() { "opencode-linux-x64" } else { "opencode-linux-x64-baseline" };
    [package, "opencode-linux-x64-baseline", "opencode-linux-x64"]
        .into_iter()
        .map(|package| folder.join("node_modules").join(package).join("bin/opencode"))
        .find(|path| path.is_file())
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx2() -> bool {
    false
}

/// Without a package.json of its own npm would walk up and install into the repository's root.
fn install(folder: &Path, version: Version) {
    fs::write(folder.join("package.json"), "{\"private\": true}\n").unwrap();
    let package = format!("opencode-ai@{}", version.number());
    let status = Command::new("npm")
        .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", &package])
        .current_dir(folder)
        .status()
        .expect("failed to start npm, which installs OpenCode for the tests");
    assert!(status.success(), "npm failed to install {package}: {status}");
}
