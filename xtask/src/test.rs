//! `cargo xtask test`: every check a change must pass, in order, with what each of them took; or one
//! of them, by its word.

mod beside;
mod processor;
mod quick;
mod running;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{other_systems, setup, shell, trials, ui, walls};
use beside::{StepBeside, StepPriority};
use running::TimedTest;

/// So many of the slowest tests are named.
const SLOWEST: usize = 10;
/// All steps together may take so long of all processors. It limits how the checks grow, and not how slow a
/// machine is: the steps up to the tests took 2,250 s on a machine with two cores on 27 November 2026.
const MOST_PROCESSOR_TIME: Duration = Duration::from_secs(6_000);

struct Step {
    /// What it is called on the command line.
    word: &'static str,
    turn: StepTurn,
    run: fn(&[String], &mut TestFigures) -> Result<()>,
}

/// When a step runs among all the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepTurn {
    /// After the one before it.
    Next,
    /// Beside those that follow, which leave processors idle, until that one is to begin.
    Beside {
        until: &'static str,
        priority: StepPriority,
    },
}

/// What the steps took so far.
#[derive(Default)]
struct TestFigures {
    steps: Vec<TakenStep>,
    tests: Vec<TimedTest>,
}

struct TakenStep {
    name: &'static str,
    /// By the clock.
    wall: Duration,
    /// Of all processors.
    processor: Duration,
}

static STEPS: [Step; 11] = [
    Step {
        word: "setup",
        turn: StepTurn::Next,
        run: |_, _| setup::setup(),
    },
    Step {
        word: "pages",
        turn: StepTurn::Next,
        run: |_, _| ui::build(),
    },
    Step {
        word: "page-checks",
        turn: StepTurn::Beside {
            until: "tests",
            priority: StepPriority::Usual,
        },
        run: |_, _| ui::check(),
    },
    Step {
        word: "fmt",
        turn: StepTurn::Next,
        run: |_, _| format(),
    },
    Step {
        word: "walls",
        turn: StepTurn::Next,
        run: |_, _| walls::walls(),
    },
    Step {
        word: "clippy",
        turn: StepTurn::Next,
        run: |_, _| clippy(),
    },
    Step {
        word: "docs",
        turn: StepTurn::Next,
        run: |_, _| documentation(),
    },
    Step {
        word: "other-systems",
        turn: StepTurn::Beside {
            until: "wine",
            priority: StepPriority::Lowest,
        },
        run: |_, _| other_systems::check(),
    },
    Step {
        word: "tests",
        turn: StepTurn::Next,
        run: tests,
    },
    Step {
        word: "libraries",
        turn: StepTurn::Next,
        run: |_, _| linked_libraries(),
    },
    Step {
        word: "wine",
        turn: StepTurn::Next,
        run: |_, _| other_systems::wine(),
    },
];

/// Only when they are named: a part of all the others, for the loop in which one works; and what takes root
/// and a network, or long, and is hardly ever broken by a change.
static EXTRA: [Step; 3] = [
    Step {
        word: "quick",
        turn: StepTurn::Next,
        run: |words, figures| {
            let base = words.first().map(String::as_str);
            quick::run(base, &mut figures.tests)
        },
    },
    Step {
        word: "packages",
        turn: StepTurn::Next,
        run: |words, _| trials::packages(words),
    },
    Step {
        word: "other-systems-windows",
        turn: StepTurn::Next,
        run: |_, _| other_systems::check_windows(),
    },
];

/// All steps; or the one that is named, with what else is said to it: `tests federation`.
pub(crate) fn test(words: &[String]) -> Result<()> {
    let mut figures = TestFigures::default();
    let outcome = match words.split_first() {
        None => every_step(&mut figures),
        Some((word, rest)) => named(word).and_then(|step| timed(step, rest, &mut figures)),
    };
    figures.print();
    outcome?;
    figures.check_growth()
}

fn every_step(figures: &mut TestFigures) -> Result<()> {
    let mut beside = Vec::new();
    let outcome = STEPS.iter().try_for_each(|step| match step.turn {
        StepTurn::Beside { until, priority } => {
            beside.push((until, StepBeside::start(step.word, priority)?));
            Ok(())
        }
        StepTurn::Next => {
            for (_, awaited) in beside.extract_if(.., |(until, _)| *until == step.word) {
                join(awaited, figures)?;
            }
            timed(step, &[], figures)
        }
    });

    // After a failure nothing is left behind, and what was found beside it is told as well.
    for (_, running) in beside {
        if let Err(other) = join(running, figures) {
            eprintln!("Error: {other:#}");
        }
    }
    outcome
}

/// Waits for a step that runs beside. By the clock it takes what the others have to wait for it.
fn join(running: StepBeside, figures: &mut TestFigures) -> Result<()> {
    take_time(running.word(), figures, |_| running.join())
}

fn named(word: &str) -> Result<&'static Step> {
    let every = || STEPS.iter().chain(&EXTRA);
    let words = || every().map(|step| step.word).collect::<Vec<_>>().join(", ");
    let step = every().find(|step| step.word == word);
    step.with_context(|| format!("there is no step {word:?}; there are: {}", words()))
}

fn timed(step: &'static Step, rest: &[String], figures: &mut TestFigures) -> Result<()> {
    take_time(step.word, figures, |figures| (step.run)(rest, figures))
}

fn take_time(
    name: &'static str,
    figures: &mut TestFigures,
    run: impl FnOnce(&mut TestFigures) -> Result<()>,
) -> Result<()> {
    println!("=== {name}");
    let began = Instant::now();
    let worked = processor::of_children();
    let outcome = run(figures);
    let taken = TakenStep {
        name,
        wall: began.elapsed(),
        processor: processor::of_children().saturating_sub(worked),
    };
    println!("=== {name}: {:.1} s", taken.wall.as_secs_f64());
    figures.steps.push(taken);
    outcome.with_context(|| format!("the step \"{name}\" failed"))
}

impl TestFigures {
    fn check_growth(&self) -> Result<()> {
        let taken: Duration = self.steps.iter().map(|step| step.processor).sum();
        if taken <= MOST_PROCESSOR_TIME {
            return Ok(());
        }
        bail!(
            "everything passed, and took {:.0} s of the processors, of {} s that it may: make a step cheaper, \
             or say in xtask/src/test.rs why it may take more",
            taken.as_secs_f64(),
            MOST_PROCESSOR_TIME.as_secs()
        )
    }

    fn print(&self) {
        self.print_slowest();
        println!("\n{:<20}{:>10}{:>14}", "step", "clock", "processors");
        for TakenStep {
            name,
            wall,
            processor,
        } in &self.steps
        {
            print_row(name, *wall, *processor);
        }
        let wall = self.steps.iter().map(|step| step.wall).sum();
        let processor = self.steps.iter().map(|step| step.processor).sum();
        print_row("together", wall, processor);
    }

    fn print_slowest(&self) {
        let mut tests: Vec<&TimedTest> = self.tests.iter().collect();
        tests.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
        if !tests.is_empty() {
            println!("\nthe slowest tests");
        }
        for TimedTest { name, seconds } in tests.into_iter().take(SLOWEST) {
            println!("{seconds:>8.1} s  {name}");
        }
    }
}

fn print_row(name: &str, wall: Duration, processor: Duration) {
    let (wall, processor) = (wall.as_secs_f64(), processor.as_secs_f64());
    println!("{name:<20}{wall:>8.1} s{processor:>12.1} s");
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
fn tests(names: &[String], figures: &mut TestFigures) -> Result<()> {
    let targets: &[&str] = match names {
        // No examples of the documentation: there are none.
        [] => &["--workspace", "--tests"],
        // With the features that all of them have together, so that nothing is built twice.
        _ => &["--workspace", "--test", "app"],
    };
    running::run(targets, names, &mut figures.tests)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(processor: Duration) -> TestFigures {
        let step = TakenStep {
            name: "tests",
            wall: Duration::ZERO,
            processor,
        };
        TestFigures {
            steps: vec![step],
            tests: Vec::new(),
        }
    }

    #[test]
    fn a_step_that_runs_beside_others_is_awaited_by_a_later_one() {
        let place = |word: &str| STEPS.iter().position(|step| step.word == word);
        for step in &STEPS {
            if let StepTurn::Beside { until, .. } = step.turn {
                assert!(place(until) > place(step.word), "{}: {until}", step.word);
            }
        }
    }

    #[test]
    fn steps_that_have_grown_past_the_budget_fail_in_words() {
        let most = MOST_PROCESSOR_TIME;
        assert!(figures(most).check_growth().is_ok());
        let grown = figures(most + Duration::from_secs(1)).check_growth();
        let words = grown.unwrap_err().to_string();
        assert!(words.contains("took 6001 s"), "{words}");
    }
}
