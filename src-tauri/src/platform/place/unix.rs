//! The folder's number and that of its disk. A folder that is open keeps its number.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

pub(super) fn is_at(folder: &File, path: &Path) -> bool {
    let Ok(own) = folder.metadata() else {
        return true;
    };
    match std::fs::metadata(path) {
        Ok(there) => (there.dev(), there.ino()) == (own.dev(), own.ino()),
        // A disk that does not answer, or an encrypted home that is closed, tells nothing.
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_was_moved_removed_or_replaced_is_known() {
        let around = tempfile::tempdir().unwrap();
        let home = around.path().join("home");
        std::fs::create_dir(&home).unwrap();
        let folder = File::open(&home).unwrap();
        assert!(is_at(&folder, &home));

        std::fs::rename(&home, around.path().join("old")).unwrap();
        assert!(!is_at(&folder, &home));
        std::fs::create_dir(&home).unwrap();
        assert!(!is_at(&folder, &home));
        assert!(is_at(&folder, &around.path().join("old")));
        let link = around.path().join("link");
        std::os::unix::fs::symlink(around.path().join("old"), &link).unwrap();
        assert!(is_at(&folder, &link), "a link leads there as well");
    }
}
