//! A Windows that never saw Beckon, as far as wine is one: a prefix of its own, with an invisible
//! display. Dropping it ends everything in it.

use super::session::until;
use super::{empty_folder, told};
use crate::cross::CrossTool;
use crate::shell;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

/// A fresh wine prefix.
pub(super) struct WinePrefix {
    folder: PathBuf,
    display: Display,
}

impl WinePrefix {
    pub(super) fn fresh(name: &str) -> Result<Self> {
        let tool = CrossTool::find().context("BECKON_CROSS_CHECK names no tool")?;
        let folder = empty_folder(name)?.join("prefix");
        // The cross tool knows what this wine lacks, and puts it into the prefix.
        let words = [
            "windows",
            "test",
            "--package",
            "beckon-core",
            "--lib",
            "--no-run",
        ];
        shell::execute(tool.command(&words).env("CROSS_WINEPREFIX", &folder))?;
        let prefix = Self {
            folder,
            display: Display::start()?,
        };
        // The first server ends by itself; the second one stays until it is told to end.
        for word in ["--wait", "--persistent"] {
            shell::execute(quiet(prefix.within("wineserver").arg(word)))?;
        }
        Ok(prefix)
    }

    /// Returns the path outside of the prefix for `C:\…`, written with slashes.
    pub(super) fn drive(&self, inside: &str) -> PathBuf {
        self.folder.join("drive_c").join(inside)
    }

    /// Returns the path outside of the prefix for a path in its user's folder.
    pub(super) fn home(&self, inside: &str) -> Result<PathBuf> {
        let users = fs::read_dir(self.drive("users")).context("failed to look for wine's user")?;
        let mut folders = users.filter_map(|user| Some(user.ok()?.path()));
        let its = folders.find(|folder| !folder.ends_with("Public"));
        Ok(its.context("wine has no user")?.join(inside))
    }

    /// Runs a program to its end; returns its status and output.
    pub(super) fn run(&self, program: &Path, words: &[&str]) -> Result<(ExitStatus, String)> {
        self.leave_running(program, words, "said")?.ended()
    }

    /// Runs a program that must succeed; returns its output.
    pub(super) fn done(&self, program: &Path, words: &[&str]) -> Result<String> {
        let (status, said) = self.run(program, words)?;
        if !status.success() {
            bail!("{} {words:?}: {status}\n{said}", program.display());
        }
        Ok(said)
    }

    /// Starts a program without waiting for it. Its output goes into a file: a pipe would be held
    /// open by all that wine starts beside it.
    pub(super) fn leave_running(
        &self,
        program: &Path,
        words: &[&str],
        name: &str,
    ) -> Result<WineProgram> {
        let file = self.folder.with_file_name(format!("{name}.txt"));
        let said = File::create(&file).context("failed to make a file for what is said")?;
        let mut command = self.within("wine");
        command.arg(program).args(words).stdin(Stdio::null());
        command
            .stderr(said.try_clone().context("failed to hear both")?)
            .stdout(said);
        let child = command
            .spawn()
            .with_context(|| format!("failed to start {command:?}"))?;
        Ok(WineProgram { child, said: file })
    }

    /// Returns a value of the registry.
    pub(super) fn registry(&self, key: &str, value: &str) -> Result<Option<String>> {
        let key = format!("HKCU\\{key}");
        let (status, said) = self.run(Path::new("reg"), &["query", &key, "/v", value])?;
        let line = said.lines().find_map(|line| line.split_once("REG_SZ"));
        Ok(line
            .filter(|_| status.success())
            .map(|(_, text)| text.trim().to_owned()))
    }

    /// Returns the paths of the files on the drive, one a line, without those of Windows itself.
    pub(super) fn files(&self) -> Result<Vec<String>> {
        let mut find = shell::command("find", &[".", "-type", "f", "-not", "-path", "./windows/*"]);
        find.args(["-not", "-path", "*/Temp/*"])
            .current_dir(self.drive(""));
        let (_, found) = told(&mut find)?;
        let mut files: Vec<String> = found.lines().map(str::to_owned).collect();
        files.sort();
        Ok(files)
    }

    fn within(&self, program: &str) -> Command {
        let mut command = shell::command(program, &[]);
        command
            .env("WINEPREFIX", &self.folder)
            .env("WINEDEBUG", "-all");
        command
            .env("DISPLAY", &self.display.name)
            .env("LANG", "C.UTF-8");
        command.env_remove("BECKON_HOME");
        command
    }
}

impl Drop for WinePrefix {
    fn drop(&mut self) {
        // Ends only the server of this prefix, and with it all that runs there.
        let _ = quiet(self.within("wineserver").arg("--kill")).status();
    }
}

/// A program that runs, or has run.
pub(super) struct WineProgram {
    child: Child,
    said: PathBuf,
}

impl WineProgram {
    /// Waits for the end; returns the status and the output.
    pub(super) fn ended(mut self) -> Result<(ExitStatus, String)> {
        let mut status = None;
        until("a program to end", || {
            status = self
                .child
                .try_wait()
                .context("failed to wait for a program")?;
            Ok((status.is_some(), self.said_so_far()))
        })?;
        Ok((status.context("it has not ended")?, self.said_so_far()))
    }

    fn said_so_far(&self) -> String {
        String::from_utf8_lossy(&fs::read(&self.said).unwrap_or_default())
            .trim()
            .to_owned()
    }
}

/// An invisible display, which ends on drop.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn start() -> Result<Self> {
        let mut command = Command::new("Xvfb");
        command.args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1280x900x24",
            "-nolisten",
            "tcp",
        ]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut server = command.spawn().context("failed to start Xvfb")?;
        let output = server.stdout.take().context("Xvfb has no output")?;
        let mut number = String::new();
        BufReader::new(output)
            .read_line(&mut number)
            .context("failed to hear of a display")?;
        Ok(Self {
            server,
            name: format!(":{}", number.trim()),
        })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn quiet(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}
