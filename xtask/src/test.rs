//! `cargo xtask test`: every check a change must pass, in order, with what each of them took.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{setup, shell, ui};

type Step = (&'static str, fn() -> Result<()>);

const STEPS: [Step; 9] = [
    ("setup", setup::setup),
    ("pages", ui::build),
    ("checks of the pages", ui::check),
    ("format", format),
    ("clippy", clippy),
    ("documentation", documentation),
    ("tests", tests),
    ("linked libraries", linked_libraries),
    ("other systems", other_systems),
];

pub(crate) fn test() -> Result<()> {
    let mut taken = Vec::new();
    let outcome = STEPS.into_iter().try_for_each(|(name, step)| timed(name, step, &mut taken));
    print_table(&taken);
    outcome
}

fn timed(
    name: &'static str,
    step: fn() -> Result<()>,
    taken: &mut Vec<(&'static str, Duration)>,
) -> Result<()> {
    println!("=== {name}");
    let began = Instant::now();
    let outcome = step();
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
    let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    shell::execute(&mut shell::cargo(&arguments))
}

fn documentation() -> Result<()> {
    let arguments = ["doc", "--workspace", "--no-deps", "--document-private-items"];
    shell::execute(shell::cargo(&arguments).env("RUSTDOCFLAGS", "-Dwarnings"))
}

fn tests() -> Result<()> {
    shell::execute(&mut shell::cargo(&["test", "--workspace"]))
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

/// Type-checks for Windows and macOS where a tool for that is at hand.
fn other_systems() -> Result<()> {
    let Ok(tool) = std::env::var("BECKON_CROSS_CHECK") else {
        println!("skipped: BECKON_CROSS_CHECK names no tool");
        return Ok(());
    };
    shell::execute(&mut shell::command(&tool, &["all", "check", "-p", "beckon-core"]))?;
    let resident = ["all", "check", "-p", "beckon", "--no-default-features"];
    shell::execute(&mut shell::command(&tool, &resident))
}
