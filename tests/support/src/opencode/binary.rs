//! The OpenCode executables: their folders, and how a missing one is installed. Running them is in
//! `opencode.rs`.

use std::path::{Path, PathBuf};

use super::Version;
use crate::npm;

/// Returns the executable of `version`, which npm installs first if it is missing.
///
/// The folder is `BECKON_TEST_OPENCODE_DIR`, or `target/opencode` of the workspace.
pub fn binary(version: Version) -> PathBuf {
    let folder = install_root().join(version.number());
    npm::ensure(
        &folder,
        &format!("opencode-ai@{}", version.number()),
        installed,
    )
}

fn install_root() -> PathBuf {
    match std::env::var_os("BECKON_TEST_OPENCODE_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/opencode"),
    }
}

/// Returns the installed executable. The plain build needs AVX2; npm brings both builds, and the
/// baseline one runs on every processor.
fn installed(folder: &Path) -> Option<PathBuf> {
    let package = if has_avx2() {
        "opencode-linux-x64"
    } else {
        "opencode-linux-x64-baseline"
    };
    [package, "opencode-linux-x64-baseline", "opencode-linux-x64"]
        .into_iter()
        .map(|package| {
            folder
                .join("node_modules")
                .join(package)
                .join("bin/opencode")
        })
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
