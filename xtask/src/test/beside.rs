//! A step that runs beside others: a process of its own, whose output is kept until it is waited
//! for. `test.rs` says which steps those are.

use std::fs::File;
use std::io::{self, Seek};
use std::process::{Child, Command};

use anyhow::{Context, Result, bail};

/// The processor time that a step which runs beside others takes from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepPriority {
    /// A share like any other process's.
    Usual,
    /// Only what the others leave, for steps that run beside ones with time limits.
    Lowest,
}

/// A step under way.
pub(super) struct StepBeside {
    word: &'static str,
    child: Child,
    /// The file with its output, both streams in order. It has no name, so nothing of it stays on
    /// the disk.
    said: File,
}

impl StepBeside {
    pub(super) fn start(word: &'static str, priority: StepPriority) -> Result<Self> {
        println!("=== {word}: begins, beside the next steps");
        let own = std::env::current_exe().context("failed to find the own program")?;
        let mut command = match priority {
            StepPriority::Lowest if cfg!(unix) => {
                let mut nice = Command::new("nice");
                nice.args(["-n", "19"]).arg(own);
                nice
            }
            StepPriority::Lowest | StepPriority::Usual => Command::new(own),
        };
        Self::of(word, command.args(["test", word]))
    }

    pub(super) fn word(&self) -> &'static str {
        self.word
    }

    fn of(word: &'static str, command: &mut Command) -> Result<Self> {
        let said = tempfile::tempfile().context("failed to make a file for its words")?;
        let child = command
            .stdout(said.try_clone()?)
            .stderr(said.try_clone()?)
            .spawn()
            .context("failed to start a step beside")?;
        Ok(Self { word, child, said })
    }

    /// Waits for the end of the step, and prints all of its output.
    pub(super) fn join(mut self) -> Result<()> {
        let status = self.child.wait().context("failed to wait for a step")?;
        self.said.rewind()?;
        io::copy(&mut self.said, &mut io::stdout())?;
        if status.success() {
            return Ok(());
        }
        bail!("it ran beside the others, and ended with {status}")
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<()> {
        let mut command = Command::new("sh");
        StepBeside::of("pages", command.args(["-c", script]))?.join()
    }

    #[test]
    fn a_step_beside_fails_as_its_process_does() {
        assert!(shell("echo said; exit 0").is_ok());
        let failed = shell("exit 3").unwrap_err();
        assert!(failed.to_string().contains("3"), "{failed}");
    }
}
