//! Installation by npm of what the whole-app tests run against: the real OpenCode servers, the real
//! Claude Code, the official client of MCP, and the official SDK of ACP. The test support crate says where the tests look
//! for them; the two must agree.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell;

const VERSIONS: [&str; 2] = ["1.1.53", "1.18.33"];
const MCP_SDK: &str = "@modelcontextprotocol/sdk@1.32.2";
const ACP_SDK: &str = "@agentclientprotocol/sdk@2.4.0";
/// The package with its exact version: npm takes an older one for an older Node, which the program
/// itself does not need.
const CLAUDE_CODE: &str = "@anthropic-ai/claude-code@2.1.330";
const CLAUDE_PROGRAM: &str = "node_modules/@anthropic-ai/claude-code-linux-x64/claude";
const EXECUTABLES: [&str; 2] = ["opencode-linux-x64", "opencode-linux-x64-baseline"];

/// Installs the versions that are missing into `target/opencode`.
pub(crate) fn install() -> Result<()> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("setup: the whole-app tests run on Linux x64 only, OpenCode is not installed");
        return Ok(());
    }
    VERSIONS.into_iter().try_for_each(install_version)?;
    let claude = folder("BECKON_TEST_CLAUDE_CODE_DIR", "target/claude-code");
    ensure("Claude Code", &claude, CLAUDE_CODE, |folder| {
        folder.join(CLAUDE_PROGRAM).is_file()
    })?;
    let folder = folder("BECKON_TEST_MCP_SDK_DIR", "target/mcp-sdk");
    let package = |folder: &Path| {
        folder
            .join("node_modules/@modelcontextprotocol/sdk/package.json")
            .is_file()
    };
    ensure("the client of MCP", &folder, MCP_SDK, package)?;
    let folder = self::folder("BECKON_TEST_ACP_SDK_DIR", "target/acp-sdk");
    let package = |folder: &Path| {
        folder
            .join("node_modules/@agentclientprotocol/sdk/package.json")
            .is_file()
    };
    ensure("the SDK of ACP", &folder, ACP_SDK, package)
}

/// Returns the folder that has a folder for each version of OpenCode.
pub(crate) fn opencode_folder() -> PathBuf {
    folder("BECKON_TEST_OPENCODE_DIR", "target/opencode")
}

fn install_version(version: &str) -> Result<()> {
    let folder = opencode_folder().join(version);
    let package = format!("opencode-ai@{version}");
    ensure(
        &format!("OpenCode {version}"),
        &folder,
        &package,
        is_installed,
    )
}

fn ensure(what: &str, folder: &Path, package: &str, is_there: fn(&Path) -> bool) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))?;
    // The tests install too if they must; the same lock keeps the two apart.
    let lock = File::create(folder.join(".lock")).context("failed to open the install lock")?;
    lock.lock().context("failed to take the install lock")?;
    if is_there(folder) {
        println!("setup: {what} is there");
        return Ok(());
    }
    npm(folder, package)
}

fn folder(variable: &str, usual: &str) -> PathBuf {
    let named = std::env::var_os(variable).map(PathBuf::from);
    named.unwrap_or_else(|| shell::root().join(usual))
}

fn is_installed(folder: &Path) -> bool {
    let executable = |name| folder.join("node_modules").join(name).join("bin/opencode");
    EXECUTABLES
        .into_iter()
        .any(|name| executable(name).is_file())
}

/// Installs a package. The folder gets a package.json of its own, or npm would install into
/// whatever package lies above it.
fn npm(folder: &Path, package: &str) -> Result<()> {
    fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
    let quiet = [
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-save",
        package,
    ];
    shell::execute(shell::command("npm", &quiet).current_dir(folder))
}
