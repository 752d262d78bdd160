//! The file as a link to one that this process holds open. When the process ends, however it ends,
//! the link leads nowhere, and a program that looks whether there is a file finds none.

use std::fs::File;
use std::io::Result;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::Path;

/// The lowest number of the descriptor: so high that no later process of the same id has such a
/// file.
const HIGH: i32 = 900;

/// The file is there as long as this is.
pub(super) struct HeldFile {
    _open: Option<OwnedFd>,
}

pub(super) fn put(path: &Path) -> Result<HeldFile> {
    super::remove(path)?;
    let open = rustix::io::fcntl_dupfd_cloexec(File::open("/dev/null")?, HIGH)?;
    let own = format!("/proc/{}/fd/{}", std::process::id(), open.as_raw_fd());
    if std::os::unix::fs::symlink(own, path).is_ok() && path.exists() {
        return Ok(HeldFile { _open: Some(open) });
    }
    // The file system has no links, or there is no /proc: a plain file is made, which stays after a
    // hard end.
    super::remove(path)?;
    std::fs::write(path, "").map(|()| HeldFile { _open: None })
}
