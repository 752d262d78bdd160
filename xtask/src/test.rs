//! `cargo xtask test`: runs every check that a change must pass, in order, and prints the time that
//! each took; or runs one of them, by its word.

mod beside;
mod processor;
mod quick;
mod running;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{other_systems, setup, shell, trials, ui, walls};
use beside::{StepBeside, StepPriority};
use running::TimedTest;

/// The number of slowest tests that are printed.
const SLOWEST: usize = 10;
/// The processor time that all steps together may take. It limits how the checks grow, and not how
/// slow a machine is: the steps up to the tests took 2,250 s on a machine with two cores on 27
/// November 2026.
const MOST_PROCESSOR_TIME: Duration = Duration::from_secs(6_000);

struct Step {
    /// The step's name on the command line.
    word: &'static str,
    turn: StepTurn,
    run: fn(&[String], &mut TestFigures) -> Result<()>,
}

/// The time at which a step runs among all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepTurn {
    /// After the previous step.
    Next,
    /// Concurrently with the following steps, which leave processors idle, until the step `until`
    /// begins.
    Beside {
        until: &'static str,
        priority: StepPriority,
    },
}

/// The times of the steps and tests so far.
#[derive(Default)]
struct TestFigures {
    steps: Vec<TakenStep>,
    tests: Vec<TimedTest>,
}

struct TakenStep {
    name: &'static str,
    /// The time by the clock.
    wall: Duration,
    /// The time on all processors.
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

/// The steps that run only when they are named. One is a part of all the others, for use while
/// working; the rest needs root and a network, or takes long, and is hardly ever broken by a
/// change.
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

/// Runs all steps, or the one that is named, with the words after it as its arguments: `tests
/// federation`.
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

    // After a failure the steps that run beside it are still waited for, and their failures are
    // printed as well.
    for (_, running) in beside {
        if let Err(other) = join(running, figures) {
            eprintln!("Error: {other:#}");
        }
    }
    outcome
}

/// Waits for a step that runs beside others. The time by the clock counts only what the others wait
/// for it.
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

/// Runs all tests, or those in `tests/app` whose path contains one of the names: `federation`,
/// `telegram::replies`.
fn tests(names: &[String], figures: &mut TestFigures) -> Result<()> {
    let targets: &[&str] = match names {
        // The documentation contains no examples to be tested.
        [] => &["--workspace", "--tests"],
        // The whole workspace is named also for one test, so that the features are the same and
        // nothing is built twice.
        _ => &["--workspace", "--test", "app"],
    };
    running::run(targets, names, &mut figures.tests)
}

/// Checks that the resident program links no toolkit, without which it is small. No other test
/// would notice a stray dependency.
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
