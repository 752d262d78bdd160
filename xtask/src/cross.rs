//! The tool that builds on this system for others, where there is such a tool: `BECKON_CROSS_CHECK`
//! names it. Its arguments are a system, a verb of cargo's, and further arguments for cargo.

use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target for Windows, under the name that both compilers use: the one on Linux, and the one on
/// Windows itself.
pub(crate) const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// The tool, and the folder of its build results.
pub(crate) struct CrossTool {
    program: String,
    folder: PathBuf,
}

impl CrossTool {
    pub(crate) fn find() -> Option<Self> {
        let program = std::env::var("BECKON_CROSS_CHECK").ok()?;
        let named = std::env::var_os("CROSS_TARGET_DIR").map(PathBuf::from);
        Some(Self {
            program,
            folder: named.unwrap_or_else(|| shell::target().join("cross")),
        })
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = shell::command(&self.program, words);
        command.env("CROSS_TARGET_DIR", &self.folder);
        command
    }

    /// Returns the folder of the build results, in cargo's layout.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}
