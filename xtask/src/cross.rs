//! The tool that builds for other systems on this one, where there is such a tool: `BECKON_CROSS_CHECK`
//! names it. It takes a system, a verb of cargo's, and what cargo is to be told besides.

use crate::shell;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Windows as both compilers name it that build Beckon for it: on Linux, and on Windows itself.
pub(crate) const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// The tool, and where what it builds lies.
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

    /// As cargo lays it out.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}
