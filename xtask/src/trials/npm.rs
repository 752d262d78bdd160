//! The trial of the npm packages: installed from their files into an empty folder, and started and
//! asked through npm's links in `node_modules/.bin`; and of the plugin, imported as OpenCode does.

use super::session::{start, until};
use super::{Trial, empty_folder, holds, told};
use crate::package::make;
use crate::shell;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::{Child, Command, Stdio};

pub(super) fn an_empty_folder(trial: &mut Trial) -> Result<()> {
    let files = make("npm", &trial.release)?;
    let folder = empty_folder("npm")?;
    std::fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
    trial.begin();
    let mut npm = shell::command("npm", &["install", "--offline", "--no-audit", "--no-fund"]);
    shell::execute(npm.args(&files).current_dir(&folder))?;
    let beckon = |words: &[&str]| command(&folder, words);
    let mut resident = Ended(start(&mut beckon(&["--headless"]))?);
    until("beckon status", || {
        told(&mut beckon(&["status", "--wait", "20"]))
    })?;
    let ask = [
        "ask",
        "--question",
        "Deploy now?",
        "--choice",
        "Yes",
        "--choice",
        "No",
    ];
    let asker = beckon(&ask)
        .stdout(Stdio::piped())
        .spawn()
        .context("failed to ask")?;
    let id = waiting(&folder)?;
    shell::output(&mut beckon(&["answer", &id, "--choice", "2"]))?;
    let answer = asker
        .wait_with_output()
        .context("failed to wait for the asker")?;
    trial.note("npm: from the files on the disk to the first answer");
    let answer = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
    holds(
        "what npm installed asks and answers",
        answer == "No",
        &answer,
    )?;
    let code = beckon(&["show", "nothing"]).output()?.status.code();
    holds(
        "its exit codes come through",
        code == Some(1),
        &format!("{code:?}"),
    )?;
    resident.is_ended_by_a_signal()?;
    the_plugin_is_taken_in(&folder)
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(folder.join("node_modules/.bin/beckon"));
    command
        .args(words)
        .env("BECKON_HOME", folder.join("home"))
        .env("LC_ALL", "C.UTF-8");
    for desktop in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        command.env_remove(desktop);
    }
    command
}

fn waiting(folder: &Path) -> Result<String> {
    let listed = until("beckon list", || {
        let (_, listed) = told(&mut command(folder, &["list"]))?;
        Ok((listed.contains("  "), listed))
    })?;
    listed
        .split_whitespace()
        .next()
        .map(str::to_owned)
        .context("nothing is listed")
}

/// Imports the plugin and checks that it is one function that returns hooks.
fn the_plugin_is_taken_in(folder: &Path) -> Result<()> {
    let script = "import * as plugin from 'opencode-beckon'; \
        const hooks = await plugin.Beckon({ directory: '/' }); \
        console.log(Object.keys(plugin).join(), Object.keys(hooks).join()); process.exit(0)";
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", script])
        .current_dir(folder);
    let told = shell::output(node.env("BECKON_HOME", folder.join("home")))?;
    let is_plugin = told.trim() == "Beckon event,tool.execute.before";
    holds(
        "the plugin is one function that gives hooks",
        is_plugin,
        &told,
    )
}

/// The launcher and, through it, the resident; both end with the trial at the latest.
struct Ended(Child);

impl Ended {
    fn is_ended_by_a_signal(&mut self) -> Result<()> {
        shell::output(shell::command("kill", &[]).arg(self.0.id().to_string()))?;
        let status = self.0.wait().context("failed to wait for the launcher")?;
        holds(
            "a signal to the launcher ends Beckon tidily",
            status.success(),
            &status.to_string(),
        )
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
