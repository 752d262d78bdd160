//! The same process goes on as another program: whoever started it, systemd or a shell, keeps it. Its
//! windows stay its children, of which each leaves an entry in the process table when it closes.

use std::convert::Infallible;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// # Errors
/// When the program can't be started. Otherwise this one is gone.
pub(super) fn replace_with(mut anew: Command) -> io::Result<Infallible> {
    let gone = anew.exec();
    tracing::warn!(%gone, "where Beckon lay is no Beckon now");
    Err(Command::new("/proc/self/exe").args(anew.get_args()).exec())
}
