//! The directories that only their owner may use: what is in one was put there by nobody else. The
//! trust in `run/` rests on this.

#[cfg_attr(unix, path = "private/unix.rs")]
#[cfg_attr(not(unix), path = "private/inherited.rs")]
mod platform;

use std::io::Result;
use std::path::Path;

/// Makes a directory that only its owner may use, with the missing ones above it.
///
/// # Errors
/// When the file system refuses.
pub fn create(dir: &Path) -> Result<()> {
    platform::create(dir)
}

/// Whether we may put something into this directory, or make it if it is missing.
pub fn may_create(dir: &Path) -> bool {
    platform::may_create(dir)
}

/// Takes the directory from everybody else, if it is ours.
///
/// # Errors
/// When the file system refuses.
pub fn close(dir: &Path) -> Result<()> {
    platform::close(dir)
}

/// Whether the directory is ours, and closed to everybody else.
///
/// # Errors
/// When it cannot be looked at, as when there is none.
pub fn is_private(dir: &Path) -> Result<bool> {
    platform::is_private(dir)
}

/// Takes the right to write from everybody else, if the directory is ours.
///
/// # Errors
/// When the file system refuses.
pub fn keep_to_ourselves(dir: &Path) -> Result<()> {
    platform::keep_to_ourselves(dir)
}

/// Whether nobody else may add or remove anything there.
///
/// # Errors
/// When it cannot be looked at, as when there is none.
pub fn is_ours_to_write(dir: &Path) -> Result<bool> {
    platform::is_ours_to_write(dir)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_directory_that_others_may_enter_is_not_private_until_it_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("a").join("run");
        create(&dir).unwrap();
        assert!(is_private(&dir).unwrap());
        for mode in [0o755, 0o750, 0o701, 0o777] {
            std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(mode)).unwrap();
            assert!(!is_private(&dir).unwrap(), "{mode:o}");
            close(&dir).unwrap();
            assert!(is_private(&dir).unwrap(), "{mode:o}");
        }
        assert!(is_private(&folder.path().join("nowhere")).is_err());
    }

    #[test]
    fn a_directory_that_others_may_write_to_is_taken_from_them_and_may_be_read_by_them() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        for (before, after) in [
            (0o777, 0o755),
            (0o775, 0o755),
            (0o755, 0o755),
            (0o700, 0o700),
        ] {
            std::fs::set_permissions(dir, std::fs::Permissions::from_mode(before)).unwrap();
            assert_eq!(
                is_ours_to_write(dir).unwrap(),
                before == after,
                "{before:o}"
            );
            keep_to_ourselves(dir).unwrap();
            assert!(is_ours_to_write(dir).unwrap(), "{before:o}");
            assert_eq!(
                std::fs::metadata(dir).unwrap().permissions().mode() & 0o777,
                after
            );
        }
    }

    #[test]
    fn somebody_elses_directory_is_not_private() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("run");
        create(&dir).unwrap();
        if std::os::unix::fs::chown(&dir, Some(65_534), None).is_err() {
            eprintln!("skipped: only root gives a directory away");
            return;
        }
        assert!(!is_private(&dir).unwrap() && !is_ours_to_write(&dir).unwrap());
    }
}
