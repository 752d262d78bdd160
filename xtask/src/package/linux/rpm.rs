//! What an `.rpm` asks for besides its files: libraries by the names that programs know them by, which
//! every rpm system has, where the names of packages differ.

use super::super::layout::ZshFolder;
use super::super::programs;
use super::{Dialect, Needs};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;

pub(super) static DIALECT: Dialect = Dialect {
    packager: "rpm",
    zsh: ZshFolder::Usual,
    needs,
};

/// rpm's mark of a library for 64 bits.
const WIDE: &str = "()(64bit)";

fn needs(programs: &[&Path], _workshop: &Path) -> Result<Needs> {
    let mut depends = BTreeSet::new();
    for program in programs {
        for library in programs::needed_libraries(program)? {
            // The loader is said otherwise, and comes with the C library.
            if !library.starts_with("ld-linux") {
                depends.insert(format!("{library}{WIDE}"));
            }
        }
        depends.insert(format!(
            "libc.so.6(GLIBC_{})(64bit)",
            programs::newest_glibc(program)?
        ));
    }
    Ok(Needs {
        depends: depends.into_iter().collect(),
        recommends: Vec::new(),
    })
}
