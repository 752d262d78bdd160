//! Starts a second process, and ends this one: Windows can't replace one.

use std::convert::Infallible;
use std::io;
use std::os::windows::process::CommandExt;
use std::process::Command;
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS};

/// Replaces this program.
///
/// # Errors
/// When the new program can't be started. Otherwise this one is gone.
pub(super) fn replace_with(mut anew: Command) -> io::Result<Infallible> {
    // Beckon is a console program that gave its console up; without this flag it would be given a
    // new one.
    anew.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP)
        .spawn()?;
    std::process::exit(super::EXIT_CODE)
}
