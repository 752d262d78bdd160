//! Windows lets no folder be moved in which a file is open.

use std::fs::File;
use std::path::Path;

pub(super) fn is_at(_folder: &File, _path: &Path) -> bool {
    true
}
