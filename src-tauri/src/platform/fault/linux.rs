//! Replaces the program within its process, so that whoever started it, systemd or a shell, keeps
//! it. Its windows stay its children; each leaves an entry in the process table when it closes.

use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Replaces this program.
///
/// # Errors
/// When the new program can't be started. Otherwise this one is gone.
pub(super) fn replace_with(mut anew: Command) -> io::Result<Infallible> {
    let gone = anew.exec();
    tracing::warn!(%gone, "Beckon's file can't be executed any more; restarting from the running program");
    Err(Command::new("/proc/self/exe").args(anew.get_args()).exec())
}
