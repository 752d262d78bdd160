//! `cargo xtask test packages`: installs each package on a system without any Beckon, starts it,
//! asks through it, updates it and removes it, with the tools that people use. It is not one of the
//! steps that every change passes.
//!
//! It needs Linux and root (it makes roots of Debian 12 and enters them), a network for the
//! packages' dependencies, and mmdebstrap, which it installs.

mod archive;
mod checks;
mod debian;
mod npm;
mod python;
mod root;
mod session;
mod windows;
mod wine;

use crate::package::Release;
use crate::{packages, shell};
use anyhow::{Context, Result, bail};
use std::process::Command;
use std::time::Instant;

/// The packages of this checkout for a trial, and the figures that it measures.
pub(crate) struct Trial {
    release: Release,
    began: Instant,
    figures: Vec<(String, f64)>,
}

struct Story {
    word: &'static str,
    run: fn(&mut Trial) -> Result<()>,
}

static STORIES: [Story; 5] = [
    Story {
        word: "deb",
        run: debian::a_debian_that_never_saw_beckon,
    },
    Story {
        word: "tar",
        run: archive::a_home_without_anything,
    },
    Story {
        word: "npm",
        run: npm::an_empty_folder,
    },
    Story {
        word: "python",
        run: python::an_empty_environment,
    },
    Story {
        word: "windows",
        run: windows::a_windows_that_never_saw_beckon,
    },
];

/// Runs all trials, or those that are named.
pub(crate) fn packages(words: &[String]) -> Result<()> {
    if !cfg!(target_os = "linux") || !packages::is_root() {
        bail!("packages are tried in roots of Debian 12, which takes Linux and root");
    }
    packages::install(&[packages::TRIALS])?;
    let is_wanted = |story: &&Story| words.is_empty() || words.iter().any(|it| it == story.word);
    let wanted: Vec<&Story> = STORIES.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        bail!("there is no trial {words:?}");
    }
    let mut figures = Vec::new();
    for story in wanted {
        println!("--- {}", story.word);
        let mut trial = Trial::new()?;
        (story.run)(&mut trial).with_context(|| format!("the trial of {} failed", story.word))?;
        figures.append(&mut trial.figures);
    }
    println!();
    figures
        .iter()
        .for_each(|(what, seconds)| println!("{what:<60}{seconds:>8.1} s"));
    Ok(())
}

impl Trial {
    fn new() -> Result<Self> {
        let release = Release::of_this_checkout()?;
        Ok(Self {
            release,
            began: Instant::now(),
            figures: Vec::new(),
        })
    }

    /// Starts the clock of the next figure.
    fn begin(&mut self) {
        self.began = Instant::now();
    }

    fn note(&mut self, what: &str) {
        let seconds = self.began.elapsed().as_secs_f64();
        println!("  {what}: {seconds:.1} s");
        self.figures.push((what.to_owned(), seconds));
    }
}

/// Prints the sentence if it holds, or fails with what was found instead.
fn holds(sentence: &str, found: bool, detail: &str) -> Result<()> {
    if !found {
        bail!("it does not hold that {sentence}: {detail}");
    }
    println!("  {sentence}");
    Ok(())
}

/// Runs a command; returns its output, also of a failure.
fn told(command: &mut Command) -> Result<(bool, String)> {
    let output = command
        .output()
        .with_context(|| format!("failed to start {command:?}"))?;
    let text = [output.stdout, output.stderr].concat();
    Ok((
        output.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    ))
}

fn folder_of(name: &str) -> std::path::PathBuf {
    shell::target().join("trials").join(name)
}

/// Makes an empty folder below `target/trials`.
fn empty_folder(name: &str) -> Result<std::path::PathBuf> {
    let folder = folder_of(name);
    if folder.exists() {
        shell::output(shell::command("rm", &["-rf", "--one-file-system"]).arg(&folder))?;
    }
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("failed to make {}", folder.display()))?;
    Ok(folder)
}
