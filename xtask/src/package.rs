//! `cargo xtask package`: makes the packages that people install, into `target/packages`. There is
//! one file for each kind of package, and one for each part that several of them share.
//!
//! `cargo xtask test packages` tries whether they work (`trials.rs`).

mod completions;
mod folder;
mod headless;
mod layout;
mod licences;
mod linux;
mod man;
mod npm;
mod outline;
mod programs;
mod python;
mod tools;
mod windows;

pub(crate) use folder::{Shape, lay_out};
pub(crate) use tools::program as tool;

use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The packages that are made of one build.
pub(crate) struct Release {
    /// The version, as in `Cargo.toml`; a trial of an update gives another one.
    pub(crate) version: String,
    /// The time of the commit, in seconds since 1970. Files carry it, so that the same commit makes
    /// the same bytes.
    pub(crate) time: String,
    /// The folder for the packages.
    pub(crate) folder: PathBuf,
}

struct Kind {
    word: &'static str,
    make: fn(&Release) -> Result<Vec<PathBuf>>,
    /// Whether it is made when no package is named; the others need more than this system.
    unasked: bool,
}

static KINDS: [Kind; 6] = [
    Kind {
        word: "deb",
        make: linux::deb,
        unasked: true,
    },
    Kind {
        word: "rpm",
        make: linux::rpm,
        unasked: true,
    },
    Kind {
        word: "tar",
        make: headless::tar,
        unasked: true,
    },
    Kind {
        word: "npm",
        make: npm::tarballs,
        unasked: true,
    },
    Kind {
        word: "python",
        make: python::wheel_and_sdist,
        unasked: true,
    },
    Kind {
        word: "windows",
        make: windows::zip_and_setup,
        unasked: false,
    },
];

/// Makes the named packages, or those that are made by default, and prints the size of each.
pub(crate) fn package(words: &[String]) -> Result<()> {
    let kinds = if words.is_empty() {
        unasked()
    } else {
        named(words)?
    };
    let release = Release::of_this_checkout()?;
    for kind in kinds {
        for file in (kind.make)(&release)? {
            println!("{:>6.1} MB  {}", megabytes(&file)?, file.display());
        }
    }
    Ok(())
}

fn unasked() -> Vec<&'static Kind> {
    KINDS.iter().filter(|kind| kind.unasked).collect()
}

fn named(words: &[String]) -> Result<Vec<&'static Kind>> {
    let find = |word: &String| KINDS.iter().find(|kind| kind.word == word);
    let all = || {
        KINDS
            .iter()
            .map(|kind| kind.word)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let found = words.iter().map(|word| {
        find(word).with_context(|| format!("there is no package {word:?}; there are: {}", all()))
    });
    found.collect()
}

/// Makes one kind of package, for the trials.
pub(crate) fn make(word: &str, release: &Release) -> Result<Vec<PathBuf>> {
    match KINDS.iter().find(|kind| kind.word == word) {
        Some(kind) => (kind.make)(release),
        None => bail!("there is no package {word:?}"),
    }
}

impl Release {
    /// Returns the release of `Cargo.toml`'s version, into `target/packages`.
    pub(crate) fn of_this_checkout() -> Result<Self> {
        Self::numbered(env!("CARGO_PKG_VERSION"), &shell::target().join("packages"))
    }

    /// Returns a release of the same programs with another version number.
    pub(crate) fn numbered(version: &str, folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("failed to make {}", folder.display()))?;
        let log = ["log", "-1", "--format=%ct"];
        // An unpacked archive has no history; its files keep their own times.
        let time = shell::output(&mut shell::command("git", &log)).unwrap_or_default();
        let time = time.trim().to_owned();
        Ok(Self {
            version: version.to_owned(),
            time,
            folder: folder.to_owned(),
        })
    }

    /// Makes an empty folder for files that are needed only on the way.
    pub(crate) fn workshop(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join("made-of").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .with_context(|| format!("failed to empty {}", folder.display()))?;
        }
        fs::create_dir_all(&folder)
            .with_context(|| format!("failed to make {}", folder.display()))?;
        Ok(folder)
    }
}

/// Reads a file of `xtask/package`.
pub(crate) fn template(name: &str) -> Result<String> {
    let file = template_file(name);
    fs::read_to_string(&file).with_context(|| format!("failed to read {}", file.display()))
}

/// Returns the path of a file in `xtask/package`.
pub(crate) fn template_file(name: &str) -> PathBuf {
    shell::root().join("xtask/package").join(name)
}

fn megabytes(file: &Path) -> Result<f64> {
    let size = file
        .metadata()
        .with_context(|| format!("failed to find {}", file.display()))?;
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    Ok(size.len() as f64 / 1e6)
}
