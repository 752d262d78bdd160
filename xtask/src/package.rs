//! `cargo xtask package`: what people install, into `target/packages`. One file for each kind of
//! package, and one for each thing that several of them hold.
//!
//! Not here: whether they work, which `cargo xtask test packages` tries (`trials.rs`).

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

/// What is made of one build.
pub(crate) struct Release {
    /// As in `Cargo.toml`; a trial of an update says another.
    pub(crate) version: String,
    /// Seconds since 1970 of the commit: files carry it, so that the same commit makes the same bytes.
    pub(crate) time: String,
    /// Where the packages go.
    pub(crate) folder: PathBuf,
}

struct Kind {
    word: &'static str,
    make: fn(&Release) -> Result<Vec<PathBuf>>,
    /// Made when nothing is named; the others take more than this system.
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

/// What is made unasked, or those that are named; says how large each is.
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

/// One of them, as the trials want it.
pub(crate) fn make(word: &str, release: &Release) -> Result<Vec<PathBuf>> {
    match KINDS.iter().find(|kind| kind.word == word) {
        Some(kind) => (kind.make)(release),
        None => bail!("there is no package {word:?}"),
    }
}

impl Release {
    /// The version of `Cargo.toml`, into `target/packages`.
    pub(crate) fn of_this_checkout() -> Result<Self> {
        Self::numbered(env!("CARGO_PKG_VERSION"), &shell::target().join("packages"))
    }

    /// The same programs under another number.
    pub(crate) fn numbered(version: &str, folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("failed to make {}", folder.display()))?;
        let log = ["log", "-1", "--format=%ct"];
        // An unpacked archive has no history; then files are as old as they say.
        let time = shell::output(&mut shell::command("git", &log)).unwrap_or_default();
        let time = time.trim().to_owned();
        Ok(Self {
            version: version.to_owned(),
            time,
            folder: folder.to_owned(),
        })
    }

    /// A place for what is only needed on the way, empty at first.
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

/// A file of `xtask/package`.
pub(crate) fn template(name: &str) -> Result<String> {
    let file = template_file(name);
    fs::read_to_string(&file).with_context(|| format!("failed to read {}", file.display()))
}

/// Where it lies.
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
