//! The runner of tests: several at a time, with a note of how long each took.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::shell;

/// The number of tests at a time. Most tests wait most of the time; those that keep a core busy are
/// limited to one for each core by themselves (`tests/support/src/cores.rs`).
const AT_ONCE: &str = "6";
/// The option that mixes the tests, in the same order each time. In the order of their names the
/// tests with real agents follow each other, and wait for each other; mixed, the light ones run
/// beside them.
const ORDER: &str = "--shuffle-seed=1";

/// The name of a test and the seconds that it took.
pub(super) struct TimedTest {
    pub(super) name: String,
    pub(super) seconds: f64,
}

/// Runs `cargo test` with the arguments `cargo`, and the tests with the arguments `tests`. The
/// times include all tests that ended.
pub(super) fn run(cargo: &[&str], tests: &[String], timed: &mut Vec<TimedTest>) -> Result<()> {
    run_with(cargo, tests, &[], timed)
}

/// Runs tests likewise, with more variables in the environment.
pub(super) fn run_with(
    cargo: &[&str],
    tests: &[String],
    environment: &[(&str, &str)],
    timed: &mut Vec<TimedTest>,
) -> Result<()> {
    let mut command = shell::cargo(&[&["test"], cargo].concat());
    command.args(["--", "-Zunstable-options", "--report-time", ORDER]);
    command.args(tests);
    command.envs(environment.iter().copied());
    // Only the test programs get the variable: with it the compiler would build everything anew.
    command.env(runner()?, "env RUSTC_BOOTSTRAP=1");
    if std::env::var_os("RUST_TEST_THREADS").is_none() {
        command.env("RUST_TEST_THREADS", AT_ONCE);
    }
    read_times(&mut command, timed)
}

/// Returns the variable that names the program with which cargo starts a test program.
fn runner() -> Result<String> {
    let told = shell::output(shell::command("rustc", &["-vV"]).stderr(Stdio::inherit()))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not name its host")?;
    let name = host.to_uppercase().replace(['-', '.'], "_");
    Ok(format!("CARGO_TARGET_{name}_RUNNER"))
}

/// Prints the output of the command, and reads the times in it.
fn read_times(command: &mut Command, timed: &mut Vec<TimedTest>) -> Result<()> {
    let line = shell::line(command);
    println!("$ {line}");
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("failed to start {line}"))?;
    if let Some(output) = child.stdout.take() {
        for said in BufReader::new(output).split(b'\n') {
            let said = said.with_context(|| format!("failed to read what {line} says"))?;
            let said = String::from_utf8_lossy(&said);
            println!("{said}");
            timed.extend(time_of(&said));
        }
    }

    let status = child
        .wait()
        .with_context(|| format!("failed to wait for {line}"))?;
    if !status.success() {
        bail!("{line}: {status}");
    }
    Ok(())
}

/// Returns the test and its time in a line such as `test a::b ... ok <1.234s>`.
fn time_of(said: &str) -> Option<TimedTest> {
    let (name, outcome) = said.strip_prefix("test ")?.split_once(" ... ")?;
    let (_, time) = outcome.rsplit_once('<')?;
    let seconds = time.trim().strip_suffix("s>")?.parse().ok()?;
    Some(TimedTest {
        name: name.to_owned(),
        seconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_test_is_read_from_its_line() {
        let timed = time_of("test a::b ... FAILED <1.234s>").unwrap();
        assert_eq!((timed.name.as_str(), timed.seconds), ("a::b", 1.234));
        for other in [
            "test a::b ... ok",
            "running 3 tests",
            "test a::b has been running for over 60 seconds",
            "test result: ok. 3 passed; finished in 0.01s",
        ] {
            assert!(time_of(other).is_none(), "{other}");
        }
    }
}
