//! `cargo xtask test`: every check a change must pass, in order, with what each of them took; or one
//! of them, by its word.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{other_systems, setup, shell, trials, ui, walls};

struct Step {
    /// What it is called on the command line.
    word: &'static str,
    run: fn(&[String]) -> Result<()>,
}

static STEPS: [Step; 11] = [
    Step {
        word: "setup",
        run: |_| setup::setup(),
    },
    Step {
        word: "pages",
        run: |_| ui::build(),
    },
    Step {
        word: "page-checks",
        run: |_| ui::check(),
    },
    Step {
        word: "fmt",
        run: |_| format(),
    },
    Step {
        word: "walls",
        run: |_| walls::walls(),
    },
    Step {
        word: "clippy",
        run: |_| clippy(),
    },
    Step {
        word: "docs",
        run: |_| documentation(),
    },
    Step {
        word: "tests",
        run: tests,
    },
    Step {
        word: "libraries",
        run: |_| linked_libraries(),
    },
    Step {
        word: "other-systems",
        run: |_| other_systems::check(),
    },
    Step {
        word: "wine",
        run: |_| other_systems::wine(),
    },
];

/// Only when they are named: these take root and a network, or long, and a change hardly ever breaks
/// them.
static EXTRA: [Step; 2] = [
    Step {
        word: "packages",
        run: trials::packages,
    },
    Step {
        word: "other-systems-windows",
        run: |_| other_systems::check_windows(),
    },
];

/// All steps; or the one that is named, with what else is said to it: `tests federation`.
pub(crate) fn test(words: &[String]) -> Result<()> {
    let mut taken = Vec::new();
    let outcome = match words.split_first() {
        None => STEPS
            .iter()
            .try_for_each(|step| timed(step, &[], &mut taken)),
        Some((word, rest)) => timed(named(word)?, rest, &mut taken),
    };
    print_table(&taken);
    outcome
}

fn named(word: &str) -> Result<&'static Step> {
    let every = || STEPS.iter().chain(&EXTRA);
    let words = || every().map(|step| step.word).collect::<Vec<_>>().join(", ");
    let step = every().find(|step| step.word == word);
    step.with_context(|| format!("there is no step {word:?}; there are: {}", words()))
}

fn timed(
    step: &'static Step,
    rest: &[String],
    taken: &mut Vec<(&'static str, Duration)>,
) -> Result<()> {
    let name = step.word;
    println!("=== {name}");
    let began = Instant::now();
    let outcome = (step.run)(rest);
    taken.push((name, began.elapsed()));
    println!("=== {name}: {:.1} s", began.elapsed().as_secs_f64());
    outcome.with_context(|| format!("the step \"{name}\" failed"))
}

fn print_table(taken: &[(&str, Duration)]) {
    println!();
    for (name, time) in taken {
        println!("{name:<20}{:>8.1} s", time.as_secs_f64());
    }
    let sum: Duration = taken.iter().map(|(_, time)| *time).sum();
    println!("{:<20}{:>8.1} s", "together", sum.as_secs_f64());
}

fn format() -> Result<()> {
    shell::execute(&mut shell::cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    let arguments = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ];
    shell::execute(&mut shell::cargo(&arguments))
}

fn documentation() -> Result<()> {
    let arguments = [
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ];
    shell::execute(shell::cargo(&arguments).env("RUSTDOCFLAGS", "-Dwarnings"))
}

/// Everything, or of the tests in `tests/app` those whose path has one of the names: `federation`,
/// `telegram::replies`.
fn tests(names: &[String]) -> Result<()> {
    match names {
        [] => shell::execute(&mut shell::cargo(&["test", "--workspace"])),
        names => shell::execute(shell::cargo(&["test", "--test", "app", "--"]).args(names)),
    }
}

/// The resident program is small because no toolkit is in it: a stray dependency would not be seen
/// by any other test.
fn linked_libraries() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("skipped: only on Linux");
        return Ok(());
    }
    let program = shell::target().join("debug/beckon");
    let libraries = shell::output(std::process::Command::new("ldd").arg(&program))?;
    let toolkit = |line: &&str| line.contains("libgtk") || line.contains("libwebkit");
    if let Some(line) = libraries.lines().find(toolkit) {
        bail!("{} links a toolkit: {}", program.display(), line.trim());
    }
    println!("{} links no toolkit", program.display());
    Ok(())
}
