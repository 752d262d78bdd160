//! Helpers that start other programs from the repository's root and print what is started. Which
//! ones is up to the commands.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Returns the repository's root.
pub(crate) fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().map(PathBuf::from).unwrap_or(xtask)
}

/// Returns the folder in which cargo builds.
pub(crate) fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    named.map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Prepares a program with arguments, to be run in the root.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Prepares the cargo that runs this, with arguments.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    command(&cargo, arguments)
}

/// Prints the command, runs it, and fails if it fails.
pub(crate) fn execute(command: &mut Command) -> Result<()> {
    let line = line(command);
    println!("$ {line}");
    let status = command
        .status()
        .with_context(|| format!("failed to start {line}"))?;
    if !status.success() {
        bail!("{line}: {status}");
    }
    Ok(())
}

/// Runs a command and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command
        .output()
        .with_context(|| format!("failed to start {line}"))?;
    if !output.status.success() {
        bail!(
            "{line}: {}\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the command as it would be typed.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
