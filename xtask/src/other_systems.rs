//! The steps of `cargo xtask test` that are about other systems than this one: what compiles there, and
//! what runs where wine takes the place of Windows.

use crate::cross::CrossTool;
use crate::shell;
use anyhow::Result;
use std::process::Command;

/// Of each world of the model: what it lives through is the same on every system, and is lived a million
/// times elsewhere.
const LIVES: &str = "10000";
const CORE: [&str; 4] = ["windows", "test", "--package", "beckon-core"];
const LIBRARIES: [&str; 8] = [
    "windows",
    "test",
    "--package",
    "beckon",
    "--package",
    "beckon-client",
    "--no-default-features",
    "--lib",
];

/// Type-checks for Windows and macOS where a tool for that is at hand.
pub(crate) fn check() -> Result<()> {
    let Some(tool) = tool() else { return Ok(()) };
    shell::execute(&mut tool.command(&["all", "check", "-p", "beckon-core"]))?;
    let resident = ["all", "check", "-p", "beckon", "--no-default-features"];
    shell::execute(&mut tool.command(&resident))
}

/// The tests of the decisions and of the libraries, built for Windows and run by wine.
pub(crate) fn wine() -> Result<()> {
    let Some(tool) = tool() else { return Ok(()) };
    if Command::new("wine").arg("--version").output().is_err() {
        println!("skipped: there is no wine");
        return Ok(());
    }
    shell::execute(tool.command(&CORE).env("BECKON_MODEL_CASES", LIVES))?;
    shell::execute(&mut tool.command(&LIBRARIES))
}

fn tool() -> Option<CrossTool> {
    let tool = CrossTool::find();
    if tool.is_none() {
        println!("skipped: BECKON_CROSS_CHECK names no tool");
    }
    tool
}
