//! Starts a second process, and ends this one: AppKit is not made to be replaced within its
//! process.

use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Replaces this program.
///
/// # Errors
/// When the program can't be started. Otherwise this one is gone.
pub(super) fn replace_with(mut anew: Command) -> io::Result<Infallible> {
    // launchd ends what is left of a job's process group (launchd.plist(5), `AbandonProcessGroup`).
    anew.process_group(0).spawn()?;
    std::process::exit(super::EXIT_CODE)
}
