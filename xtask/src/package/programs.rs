//! The programs as they ship: each is built once, and the resident without anything of the windows.

use crate::{shell, ui};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The linker option that merges functions of equal content, which instances of generic functions
/// often have.
const FOLDED: &str = "-Clink-arg=-Wl,--icf=all";
/// Whether rustc uses its own linker, lld. x86-64 Linux is the only target for which it does, since
/// 1.90 (rust-lang/rust#140525); the linkers of other systems do not know the option.
const LINKS_BY_LLD: bool = cfg!(all(
    target_os = "linux",
    target_arch = "x86_64",
    target_env = "gnu"
));

/// Builds the service, tray and commands.
pub(super) fn resident() -> Result<PathBuf> {
    static RESIDENT: OnceLock<PathBuf> = OnceLock::new();
    once(&RESIDENT, "beckon", || {
        build(&[
            "--no-default-features",
            "--features",
            "hub",
            "--bin",
            "beckon",
        ])
    })
}

/// Builds the windows, including their pages.
pub(super) fn window() -> Result<PathBuf> {
    static WINDOW: OnceLock<PathBuf> = OnceLock::new();
    once(&WINDOW, "beckon-window", || {
        ui::build_if_changed()?;
        build(&["--bin", "beckon-window"])
    })
}

/// Builds a program once, although several packages contain it. A second call of cargo would build
/// it again: the two programs are builds of the same library with different features.
fn once(
    made: &OnceLock<PathBuf>,
    name: &str,
    build: impl FnOnce() -> Result<()>,
) -> Result<PathBuf> {
    if made.get().is_none() {
        build()?;
    }
    Ok(made.get_or_init(|| built(name)).clone())
}

fn build(which: &[&str]) -> Result<()> {
    let arguments = ["rustc", "--release", "--locked", "--package", "beckon"];
    let linker: &[&str] = if LINKS_BY_LLD { &["--", FOLDED] } else { &[] };
    shell::execute(shell::cargo(&arguments).args(which).args(linker))
}

fn built(name: &str) -> PathBuf {
    shell::target()
        .join("release")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Returns the libraries that a program needs, by the names under which it needs them.
pub(super) fn needed_libraries(program: &Path) -> Result<Vec<String>> {
    let told = shell::output(shell::command("readelf", &["--dynamic"]).arg(program))?;
    let needed = told.lines().filter(|line| line.contains("(NEEDED)"));
    needed
        .map(|line| bracketed(line).map(str::to_owned))
        .collect()
}

/// Returns the newest version of the C library's interface that a program needs, as in `2.34`.
pub(super) fn newest_glibc(program: &Path) -> Result<String> {
    let told = shell::output(shell::command("readelf", &["--version-info"]).arg(program))?;
    let versions = told
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("GLIBC_"));
    let newest = versions.max_by_key(|version| numbers(version));
    newest
        .map(str::to_owned)
        .with_context(|| format!("{} names no C library", program.display()))
}

fn bracketed(line: &str) -> Result<&str> {
    let inner = line
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    inner
        .map(|(name, _)| name)
        .with_context(|| format!("failed to read {line:?}"))
}

fn numbers(version: &str) -> Vec<u32> {
    version
        .split('.')
        .filter_map(|part| part.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(numbers("2.34") > numbers("2.4") && numbers("2.2.5") < numbers("2.3"));
    }

    #[test]
    fn a_library_stands_in_brackets() {
        let line = " 0x0000000000000001 (NEEDED)             Shared library: [libc.so.6]";
        assert_eq!(bracketed(line).unwrap(), "libc.so.6");
        assert!(bracketed("nothing").is_err());
    }
}
