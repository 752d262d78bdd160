//! The nats-server of this machine: where it is installed, its version, and the running server. The
//! server ends with Beckon, and is told when its configuration has changed.

use crate::platform::processes;
use anyhow::{Context as _, Result, ensure};
use beckon_client::platform::children::{self, Program, ProgramAnswer};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::process::Child;

const NAME: &str = "nats-server";
/// The folders that are searched after those of `PATH`. Debian puts the server where an ordinary
/// user's `PATH` does not lead, Homebrew where a service's does not.
const ALSO: [&str; 4] = [
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
];
/// The oldest version whose streams keep the first of two answers.
const OLDEST: (u32, u32) = (2, 9);
/// The first version that can be configured to write to the disk at once.
const SYNCS: (u32, u32) = (2, 10);
/// The time limit for printing the version.
const SAYS_WITHIN: Duration = Duration::from_secs(5);
/// The number of bytes at the end of the server's log that are read.
const TAIL: usize = 4_096;

/// A nats-server that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NatsServer {
    program: PathBuf,
    version: (u32, u32),
    /// The version, as it says it itself.
    pub(crate) name: String,
}

/// A reason why no server can be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoServer {
    /// No server is installed on this machine.
    #[error("no nats-server is installed")]
    Missing,
    /// The installed version is too old; with that version.
    #[error("nats-server {0} is too old")]
    TooOld(String),
}

impl NatsServer {
    /// Returns the first server on `PATH` that prints its version, or else the one in a folder
    /// where packages put it.
    pub(crate) fn find() -> Result<Self, NoServer> {
        let programs = children::all_named(NAME, &ALSO);
        match programs.iter().find_map(|program| Self::of(program)) {
            None => Err(NoServer::Missing),
            Some(old) if old.version < OLDEST => Err(NoServer::TooOld(old.name)),
            Some(server) => Ok(server),
        }
    }

    fn of(program: &Path) -> Option<Self> {
        let asked = Program::at(program).ok()?.arg("--version");
        let output = asked.ask(SAYS_WITHIN).ok()?.output;
        let said = String::from_utf8_lossy(&output);
        let name = said.trim().rsplit_once('v')?.1.to_owned();
        let mut numbers = name.split('.').map(|number| number.parse().ok());
        let version = (numbers.next()??, numbers.next()??);
        Some(Self {
            program: program.into(),
            version,
            name,
        })
    }

    /// Whether the server can be configured to write to the disk at once.
    pub(crate) fn syncs(&self) -> bool {
        self.version >= SYNCS
    }

    /// Checks a configuration without loading it. This blocks, so it must not run on a thread of
    /// tokio's.
    ///
    /// # Errors
    /// When the server would refuse it; with the reason in the server's words.
    pub(super) fn check(&self, configuration: &Path) -> Result<()> {
        let failed = || format!("Failed to start {}", self.program.display());
        let tried = Program::at(&self.program)
            .with_context(failed)?
            .arg("-t")
            .arg("--config")
            .arg(configuration)
            .ask(SAYS_WITHIN)
            .with_context(failed)?;

        ensure!(tried.status.success(), "{}", refusal(&tried));
        Ok(())
    }

    /// Starts the server. One that an earlier run of Beckon left behind is ended first.
    pub(super) fn start(&self, configuration: &Path) -> Result<RunningServer> {
        end_leftover(configuration);
        let log = configuration.with_file_name("nats.log");
        let said =
            File::create(&log).with_context(|| format!("Failed to write {}", log.display()))?;
        let failed = || format!("Failed to start {}", self.program.display());
        let program = Program::at(&self.program).with_context(failed)?;
        let command = program
            .arg("--config")
            .arg(configuration)
            .beside_us()
            .adjust(|command| _ = command.stderr(said))
            .into_command();
        let child = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn();
        let child = child.with_context(failed)?;
        Ok(RunningServer { child, log })
    }
}

/// A running server, which ends with this value.
pub(super) struct RunningServer {
    child: Child,
    log: PathBuf,
}

impl RunningServer {
    /// Makes the server load its changed configuration. Where it cannot be told (Windows), it is
    /// restarted with the new one, and its clients connect again.
    pub(super) async fn reload(&mut self, server: &NatsServer, configuration: &Path) -> Result<()> {
        let pid = self
            .child
            .id()
            .context("Failed to tell nats-server: it has ended")?;
        if platform::hang_up(pid)? {
            return Ok(());
        }
        self.start_anew(server, configuration).await
    }

    /// Ends the server and starts another one. Its clients connect again, if the configuration lets
    /// them.
    pub(super) async fn start_anew(
        &mut self,
        server: &NatsServer,
        configuration: &Path,
    ) -> Result<()> {
        self.child
            .kill()
            .await
            .context("Failed to end nats-server")?;
        *self = server.start(configuration)?;
        Ok(())
    }

    /// Waits for the server's end, and returns the reason.
    pub(super) async fn ended(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => last_words(&self.log).unwrap_or_else(|| status.to_string()),
            Err(error) => error.to_string(),
        }
    }

    /// Ends the server, and waits until it has ended.
    pub(super) async fn end(mut self) {
        if let Some(pid) = self.child.id().filter(|pid| platform::end(*pid).is_ok()) {
            tracing::debug!(pid, "nats-server is told to end");
            let _ = tokio::time::timeout(crate::hub::login::WITHIN, self.child.wait()).await;
        }
    }
}

/// Returns why the server refuses a configuration.
fn refusal(tried: &ProgramAnswer) -> String {
    let said = [&tried.errors, &tried.output].map(|it| String::from_utf8_lossy(it).into_owned());
    let line = said.iter().flat_map(|text| text.lines()).rev();
    let line = line.map(str::trim).find(|line| !line.is_empty());
    line.map_or_else(|| tried.status.to_string(), str::to_owned)
}

/// Returns the reason for the server's end from its log.
fn last_words(log: &Path) -> Option<String> {
    let text = std::fs::read(log).ok()?;
    let text = String::from_utf8_lossy(&text[text.len().saturating_sub(TAIL)..]).into_owned();
    let fatal = |line: &&str| line.contains("[FTL]") || line.contains("[ERR]");
    // A fault in the configuration is logged in such a line.
    let plain = |line: &&str| line.starts_with(NAME);
    let line = text
        .lines()
        .rev()
        .find(fatal)
        .or_else(|| text.lines().rev().find(plain))?;
    let why = line
        .rsplit_once("[FTL] ")
        .or_else(|| line.rsplit_once("[ERR] "));
    Some(why.map_or(line, |(_, why)| why).trim().to_owned())
}

/// Ends the server that is left of a Beckon that was killed.
fn end_leftover(configuration: &Path) {
    let ours = configuration.to_string_lossy();
    let left = processes::named(&[NAME]).into_iter();
    for process in left.filter(|process| process.arguments.iter().any(|it| *it == ours)) {
        tracing::info!(
            pid = process.pid,
            "a nats-server of an earlier run is ended"
        );
        if platform::end(process.pid).is_ok() {
            wait_for_end(process.pid);
        }
    }
}

fn wait_for_end(pid: u32) {
    let until = std::time::Instant::now() + crate::hub::login::WITHIN;
    while processes::is_running(pid) && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(unix)]
mod platform {
    use anyhow::{Context as _, Result};
    use rustix::process::{Pid, Signal, kill_process};

    /// Sends SIGHUP, at which nats-server reads its configuration. Returns whether that is
    /// possible.
    pub(super) fn hang_up(pid: u32) -> Result<bool> {
        tell(pid, Signal::HUP).map(|()| true)
    }

    pub(super) fn end(pid: u32) -> Result<()> {
        tell(pid, Signal::TERM)
    }

    fn tell(pid: u32, signal: Signal) -> Result<()> {
        let pid = i32::try_from(pid)
            .ok()
            .and_then(Pid::from_raw)
            .context("no process")?;
        kill_process(pid, signal).context("Failed to tell nats-server")
    }
}

#[cfg(not(unix))]
mod platform {
    use anyhow::{Result, bail};

    /// Returns false: on Windows only a service can be told to read its configuration.
    pub(super) fn hang_up(_: u32) -> Result<bool> {
        Ok(false)
    }

    pub(super) fn end(_: u32) -> Result<()> {
        bail!("it is ended with its handle")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_it_said_last_is_found_in_its_log() {
        let log = tempfile::NamedTempFile::new().unwrap();
        assert_eq!(last_words(log.path()), None);
        std::fs::write(
            log.path(),
            "[7] 2026/11/25 02:00:00.000000 [INF] Server is ready\n",
        )
        .unwrap();
        assert_eq!(last_words(log.path()), None, "it was killed");
        let lines = "[7] 2026/11/25 02:00:00.000000 [INF] Starting nats-server\n\
                     [7] 2026/11/25 02:00:00.100000 [FTL] listen tcp 127.0.0.1:4222: bind: address already in use\n";
        std::fs::write(log.path(), lines).unwrap();
        let why = last_words(log.path()).unwrap();
        assert_eq!(
            why,
            "listen tcp 127.0.0.1:4222: bind: address already in use"
        );
        std::fs::write(log.path(), "nats-server: nats.conf:3:1: unknown field\n\n").unwrap();
        assert_eq!(
            last_words(log.path()).unwrap(),
            "nats-server: nats.conf:3:1: unknown field"
        );
    }
}
