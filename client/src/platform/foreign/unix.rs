//! Access to other programs' files on Unix: by owner, group, mode and access list.

use rustix::fs::{Access, Gid, Mode, OFlags, Uid};
use std::fs::{File, OpenOptions, Permissions};
use std::io::Result;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The rights of the group.
const GROUP: u32 = 0o070;

/// Opens a file for reading, without waiting for a writer of a named pipe.
pub(super) fn open_at_once(path: &Path) -> Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Makes the draft its owner's alone from its first moment on.
pub(super) fn keep_private(options: &mut OpenOptions) {
    options.mode(0o600);
}

/// Returns an error for a file that its owner has write-protected. Without this check a new file
/// could take its place all the same.
pub(super) fn check_writable(file: &Path) -> Result<()> {
    Ok(rustix::fs::access(file, Access::WRITE_OK)?)
}

/// Gives the draft the owner, group, mode and access list of the file. Nobody is granted anything
/// that the file does not grant.
pub(super) fn make_like(draft: &File, file: &Path) -> Result<()> {
    let wanted = std::fs::metadata(file)?;
    let own = draft.metadata()?;

    if own.uid() != wanted.uid() {
        rustix::fs::fchown(draft, Some(Uid::from_raw(wanted.uid())), None)?;
    }
    let mut mode = wanted.mode() & 0o777;
    if own.gid() != wanted.gid() {
        let given = rustix::fs::fchown(draft, None, Some(Gid::from_raw(wanted.gid())));
        // The mode is not about the group that the draft has instead.
        if given.is_err() {
            mode &= !GROUP;
        }
    }
    // With an access list the group's bits are its mask, and would grant the group too much without
    // it.
    if !access_list::copy(draft, file) {
        mode &= !GROUP;
    }
    draft.set_permissions(Permissions::from_mode(mode))
}

#[cfg(target_os = "linux")]
mod access_list {
    use rustix::fs::XattrFlags;
    use rustix::io::Errno;
    use std::fs::File;
    use std::path::Path;

    /// The attribute that holds the access list of a file (acl(5)).
    const ACCESS_LIST: &str = "system.posix_acl_access";
    /// The largest access list. The usual file systems refuse larger ones.
    const LARGEST: usize = 4_096;

    /// Returns false if there is an access list and it could not be copied.
    pub(super) fn copy(draft: &File, file: &Path) -> bool {
        let mut list = [0_u8; LARGEST];
        match rustix::fs::getxattr(file, ACCESS_LIST, &mut list) {
            Ok(length) => {
                let flags = XattrFlags::empty();
                rustix::fs::fsetxattr(draft, ACCESS_LIST, &list[..length], flags).is_ok()
            }
            // The draft may have got an access list from its folder.
            Err(Errno::NODATA) => matches!(
                rustix::fs::fremovexattr(draft, ACCESS_LIST),
                Ok(()) | Err(Errno::NODATA | Errno::NOTSUP)
            ),
            Err(error) => error == Errno::NOTSUP,
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod access_list {
    use std::fs::File;
    use std::path::Path;

    /// Copies nothing: the access list of macOS is no part of the mode, and without it nobody is
    /// granted more.
    pub(super) fn copy(_: &File, _: &Path) -> bool {
        true
    }
}
