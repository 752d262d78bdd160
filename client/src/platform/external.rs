//! The opening of what belongs to other programs: folders and files, and addresses in the browser.

use crate::platform::children::Program;
use crate::platform::failure::SystemFailure;
use anyhow::{Context, Result, bail, ensure};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;

/// The time within which a desktop that has no program for it says so.
const REFUSES_WITHIN: Duration = Duration::from_secs(1);

/// Shows a folder in the file manager.
///
/// # Errors
/// When the system has nothing to show it with.
pub fn open_folder(folder: &Path) -> Result<()> {
    open(folder.as_os_str())
}

/// Opens a file in the program for such files. If there is none, or no file yet, shows the folder
/// that the file belongs to.
///
/// # Errors
/// When the system has nothing to show that with either.
pub fn open_file(file: &Path) -> Result<()> {
    if file.exists() && open(file.as_os_str()).is_ok() {
        return Ok(());
    }
    open_folder(file.parent().context(SystemFailure::Start(opener()))?)
}

/// Opens an address in the browser; only addresses of the web are opened.
///
/// # Errors
/// When it is no address of the web, or there is no browser.
pub fn open_link(address: &str) -> Result<()> {
    let url = url::Url::parse(address).context(SystemFailure::NoWebPage)?;
    ensure!(
        matches!(url.scheme(), "http" | "https"),
        SystemFailure::NoWebPage
    );
    open(OsStr::new(url.as_str()))
}

fn open(what: &OsStr) -> Result<()> {
    let program = Program::named(opener()).with_context(|| SystemFailure::Start(opener()))?;
    // Not through a shell, and an address cannot pose as an option: it begins with its scheme.
    let mut child = program
        .adjust(|command| name(command, what))
        .start()
        .with_context(|| SystemFailure::Start(opener()))?;
    let (ended, end) = mpsc::channel();
    std::thread::spawn(move || ended.send(child.wait()));
    // If the opener still runs, it has found a program, or has become that program.
    match end.recv_timeout(REFUSES_WITHIN) {
        Ok(Ok(status)) if !status.success() && tells() => bail!(SystemFailure::Start(opener())),
        _ => Ok(()),
    }
}

/// Adds the argument in quotes: without them, Windows' opener takes what follows `=` or a comma as
/// an argument of its own.
#[cfg(windows)]
fn name(command: &mut Command, what: &OsStr) {
    use std::os::windows::process::CommandExt;
    command.raw_arg(format!("\"{}\"", what.to_string_lossy().replace('"', "")));
}

#[cfg(not(windows))]
fn name(command: &mut Command, what: &OsStr) {
    command.arg(what);
}

/// Whether the exit status of the opener means anything. On Windows it is 1 whatever it did.
fn tells() -> bool {
    !cfg!(windows)
}

fn opener() -> &'static str {
    match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_web_pages_is_opened() {
        for address in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "/bin/sh",
            "-x",
            "",
        ] {
            assert!(open_link(address).is_err(), "{address}");
        }
    }
}
