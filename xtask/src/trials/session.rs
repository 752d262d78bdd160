//! A user's session in a Debian root: a display, a bus and a notification service, with or without
//! Beckon.

use super::root::DebianRoot;
use super::told;
use crate::shell;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest time to wait for anything.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);
const STOP: &str = "for p in /proc/[0-9]*; do case $(tr '\\0' ' ' <$p/cmdline) in \
    'beckon '|'beckon --headless '|'/usr/bin/beckon ') kill ${p#/proc/} ;; esac; done 2>/dev/null; true";

/// A session of the root's user.
pub(super) struct Session<'a> {
    root: &'a DebianRoot,
    variables: Vec<(String, String)>,
    /// The programs that run in the session; they end with the root.
    running: Vec<Child>,
}

impl<'a> Session<'a> {
    /// Begins a session with a desktop around it.
    pub(super) fn on_a_desktop(root: &'a DebianRoot) -> Result<Self> {
        let mut session = Self::in_a_terminal(root);
        session.leave_running("Xvfb :7 -screen 0 1280x900x24 -nolisten tcp >x.log 2>&1")?;
        session.leave_running(
            "exec dbus-daemon --session --nofork --nopidfile --address=unix:path=/run/user/1000/bus",
        )?;
        session.set("DISPLAY", ":7");
        session.set("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus");
        session.until("xdpyinfo >/dev/null 2>&1 && test -S /run/user/1000/bus")?;
        session.leave_running("exec dunst >dunst.log 2>&1")?;
        session.until("dunstctl count displayed >/dev/null 2>&1")?;
        Ok(session)
    }

    /// Begins a session with neither display nor bus, as over SSH.
    pub(super) fn in_a_terminal(root: &'a DebianRoot) -> Self {
        let variables = vec![("XDG_RUNTIME_DIR".to_owned(), "/run/user/1000".to_owned())];
        Self {
            root,
            variables,
            running: Vec::new(),
        }
    }

    pub(super) fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// Runs a script; returns its output.
    pub(super) fn run(&self, script: &str) -> Result<String> {
        shell::output(&mut self.root.user_command(&self.variables, script))
    }

    /// Runs a script; returns whether it succeeded, and its output.
    pub(super) fn try_run(&self, script: &str) -> Result<(bool, String)> {
        told(&mut self.root.user_command(&self.variables, script))
    }

    /// Starts a script without waiting for it.
    pub(super) fn leave_running(&mut self, script: &str) -> Result<()> {
        let child = start(&mut self.root.user_command(&self.variables, script))?;
        self.running.push(child);
        Ok(())
    }

    /// Runs a script until it succeeds; returns its output then.
    pub(super) fn until(&self, script: &str) -> Result<String> {
        until(script, || self.try_run(script))
    }

    /// Starts Beckon and waits until it is ready.
    pub(super) fn start_beckon(&mut self, command: &str) -> Result<()> {
        self.leave_running(&format!("exec {command} >beckon.log 2>&1"))?;
        self.wait_for_beckon()
    }

    /// Waits until Beckon is ready, however it was started.
    pub(super) fn wait_for_beckon(&self) -> Result<()> {
        self.until("beckon status --wait 20 >/dev/null").map(drop)
    }

    /// Ends the resident, as a logout does, but not the commands, which are the same program.
    pub(super) fn stop_beckon(&self) -> Result<()> {
        self.run(STOP)?;
        self.until("! beckon status >/dev/null 2>&1").map(drop)
    }

    /// Starts a script that asks and prints its answer; returns it with the id of the ask.
    pub(super) fn ask(&self) -> Result<(Asker, String)> {
        let script = "exec beckon ask --question 'Deploy now?' --choice Yes --choice No";
        let mut command = self.root.user_command(&self.variables, script);
        let asker = Asker(
            command
                .stdout(Stdio::piped())
                .spawn()
                .context("failed to ask")?,
        );
        Ok((asker, self.until_asked("Deploy now")?))
    }

    /// Waits until the list has an ask with these words; returns its id.
    pub(super) fn until_asked(&self, words: &str) -> Result<String> {
        let id_above = format!("awk '/^[^ ]/ {{ id = $1 }} /{words}/ {{ print id; exit }}'");
        let listed = format!("beckon list 2>/dev/null | {id_above} | grep .");
        Ok(self.until(&listed)?.trim().to_owned())
    }
}

/// A script that waits for an answer.
pub(super) struct Asker(Child);

impl Asker {
    /// Returns the answer, once the script has ended.
    pub(super) fn answer(self) -> Result<String> {
        let output = self
            .0
            .wait_with_output()
            .context("failed to wait for the asker")?;
        if !output.status.success() {
            bail!("the asker ended with {}", output.status);
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

pub(super) fn start(command: &mut Command) -> Result<Child> {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet
        .spawn()
        .with_context(|| format!("failed to start {quiet:?}"))
}

/// Runs `look` until it succeeds.
pub(super) fn until(
    what: &str,
    mut look: impl FnMut() -> Result<(bool, String)>,
) -> Result<String> {
    let began = Instant::now();
    loop {
        let (succeeds, told) = look()?;
        if succeeds {
            return Ok(told);
        }
        if began.elapsed() > PATIENCE {
            bail!("waited in vain for: {what}\n{told}");
        }
        sleep(LOOK_EVERY);
    }
}

/// Sends a request to the API of the Beckon whose files are in `state`: over its socket where there
/// is one, whose path may be one inside its root.
pub(super) fn post(state: &Path, path: &str, body: &str) -> Result<String> {
    let endpoint = std::fs::read_to_string(state.join("run/endpoint.json"))
        .context("failed to read where Beckon listens")?;
    let endpoint: serde_json::Value = serde_json::from_str(&endpoint)?;
    let token = endpoint["token"]
        .as_str()
        .context("Beckon wrote no token down")?;
    let mut curl = shell::command("curl", &["--silent", "--show-error", "--fail-with-body"]);
    let url = if endpoint["socket"].is_string() {
        curl.arg("--unix-socket").arg(state.join("run/beckon.sock"));
        "http://beckon"
    } else {
        endpoint["url"]
            .as_str()
            .context("Beckon wrote no address down")?
    };
    curl.args(["--header", "Content-Type: application/json", "--data", body]);
    curl.args(["--header", &format!("Authorization: Bearer {token}")]);
    shell::output(curl.arg(format!("{url}{path}")))
}
