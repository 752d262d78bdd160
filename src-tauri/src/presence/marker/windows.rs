//! The file as one that the system takes away when this process closes it, or ends.

use std::fs::{File, OpenOptions};
use std::io::Result;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

/// `FILE_FLAG_DELETE_ON_CLOSE`
const DELETE_ON_CLOSE: u32 = 0x0400_0000;

/// The file is there as long as this is.
pub(super) struct HeldFile {
    _open: File,
}

pub(super) fn put(path: &Path) -> Result<HeldFile> {
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create(true)
        .custom_flags(DELETE_ON_CLOSE);
    options.open(path).map(|open| HeldFile { _open: open })
}
