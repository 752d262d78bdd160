//! Installation of the npm packages that the tests need, each into a folder of its own.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The npm package of the official MCP client; `cargo xtask setup` installs the same version.
const MCP_SDK: &str = "@modelcontextprotocol/sdk@1.32.2";

/// The npm package of the official SDK of ACP; `cargo xtask setup` installs the same version.
const ACP_SDK: &str = "@agentclientprotocol/sdk@2.4.0";

/// Returns a folder in which a script can import the official SDK of ACP, which is installed first
/// if it is missing. The folder is `BECKON_TEST_ACP_SDK_DIR`, or `target/acp-sdk` of the workspace.
pub fn acp_sdk() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_ACP_SDK_DIR").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/acp-sdk");
    let folder = named.unwrap_or_else(usual);
    let there = |folder: &Path| {
        let package = folder.join("node_modules/@agentclientprotocol/sdk/package.json");
        package.is_file().then_some(())
    };
    ensure(&folder, ACP_SDK, there);
    folder
}

/// Returns a folder in which a script can import the official MCP client, which is installed first
/// if it is missing. The folder is `BECKON_TEST_MCP_SDK_DIR`, or `target/mcp-sdk` of the workspace.
pub fn mcp_sdk() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_MCP_SDK_DIR").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/mcp-sdk");
    let folder = named.unwrap_or_else(usual);
    let there = |folder: &Path| {
        let package = folder.join("node_modules/@modelcontextprotocol/sdk/package.json");
        package.is_file().then_some(())
    };
    ensure(&folder, MCP_SDK, there);
    folder
}

/// Returns what `find` finds in `folder`, after installing `package` there if it was missing.
pub(crate) fn ensure<T>(folder: &Path, package: &str, find: impl Fn(&Path) -> Option<T>) -> T {
    if let Some(found) = find(folder) {
        return found;
    }
    // Test programs run side by side: the second one waits for the first one's installation.
    fs::create_dir_all(folder).expect("failed to make a folder for npm");
    let lock = File::create(folder.join(".lock")).expect("failed to open the install lock");
    lock.lock().expect("failed to take the install lock");
    find(folder).unwrap_or_else(|| {
        install(folder, package);
        find(folder).unwrap_or_else(|| panic!("npm installed {package}, but it is not there"))
    })
}

/// Installs a package. It writes a package.json first: without one npm would walk up and install
/// into the repository's root.
fn install(folder: &Path, package: &str) {
    fs::write(folder.join("package.json"), "{\"private\": true}\n").unwrap();
    let status = Command::new("npm")
        .args([
            "install",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-save",
            package,
        ])
        .current_dir(folder)
        .status()
        .expect("failed to start npm");
    assert!(
        status.success(),
        "npm failed to install {package}: {status}"
    );
}
