//! The dependencies of an `.rpm`: libraries by the names that programs know them by. Every rpm
//! system has these, whereas the names of packages differ.

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

/// The suffix with which rpm marks a library for 64 bits.
const WIDE: &str = "()(64bit)";

fn needs(programs: &[&Path], _workshop: &Path) -> Result<Needs> {
    let mut depends = BTreeSet::new();
    for program in programs {
        for library in programs::needed_libraries(program)? {
            // The loader has another form of name, and comes with the C library anyway.
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
