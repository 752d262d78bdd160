//! The only place where programs are started. A program gets none of Beckon's secrets, is found
//! only in absolute folders of `PATH`, and leads a process group of its own. A program that is
//! asked something has a time limit as well, and a limit for its output, and leaves nothing
//! running.
//!
//! Not here: what the programs are asked, and Beckon starting itself anew (`platform/fault.rs` of
//! the resident). `cargo xtask test walls` checks that no other code starts programs.

#[cfg_attr(unix, path = "children/unix.rs")]
#[cfg_attr(not(unix), path = "children/windows.rs")]
mod platform;

use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The only variable of Beckon that is passed on: where Beckon's files are is no secret, and its
/// own programs need it.
const PASSED_ON: &str = "BECKON_HOME";
/// The folders in which programs are looked for if `PATH` has no absolute folder.
const USUAL_FOLDERS: &[&str] = if cfg!(windows) {
    &[]
} else {
    &["/usr/local/bin", "/usr/bin", "/bin"]
};
/// The most output of a program that is asked something, in bytes. None has more to say.
const MOST_WORDS: usize = 1024 * 1024;
/// The time after a program's end for the rest of its output. If the pipe is still open then,
/// another program that it has left behind keeps it open.
const LAST_WORDS_WITHIN: Duration = Duration::from_millis(250);
const FIRST_LOOK: Duration = Duration::from_millis(1);
const LATER_LOOK: Duration = Duration::from_millis(20);

/// A program that is about to be started.
#[derive(Debug)]
pub struct Program {
    command: Command,
    is_apart: bool,
}

/// The answer of a program that was asked something.
#[derive(Debug)]
pub struct ProgramAnswer {
    /// The status with which it ended.
    pub status: ExitStatus,
    /// The text that it wrote to its standard output.
    pub output: Vec<u8>,
    /// The text that it wrote to its standard error.
    pub errors: Vec<u8>,
}

impl Program {
    /// Returns the program in that file, whose path must be absolute: a relative one depends on the
    /// current folder.
    ///
    /// # Errors
    /// When the path is not whole.
    pub fn at(file: &Path) -> Result<Self> {
        if !file.is_absolute() {
            return Err(Error::new(ErrorKind::InvalidInput, "its path is not whole"));
        }
        let mut command = Command::new(file);
        withhold(&mut command, std::env::vars_os().map(|(name, _)| name));
        command.env("PATH", search_path());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        platform::hide_console(&mut command);
        Ok(Self {
            command,
            is_apart: true,
        })
    }

    /// Returns the program of that name, as [`find`] finds it.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Self> {
        Self::at(&find(name).ok_or(ErrorKind::NotFound)?)
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.command.args(arguments);
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes a variable away.
    #[must_use]
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Takes all variables away but `PATH`.
    #[must_use]
    pub fn env_clear(mut self) -> Self {
        self.command.env_clear().env("PATH", search_path());
        self
    }

    /// Keeps it in Beckon's own process group: it is a part of Beckon, and ends together with it.
    #[must_use]
    pub fn beside_us(mut self) -> Self {
        self.is_apart = false;
        self
    }

    /// Adjusts the command in a way that only one system has.
    #[must_use]
    pub fn adjust(mut self, adjust: impl FnOnce(&mut Command)) -> Self {
        adjust(&mut self.command);
        self
    }

    /// Runs it to its end, and returns its output. It runs in the root folder: it has nothing to do
    /// with the current one. This blocks, so it must not be called on the loop's thread.
    ///
    /// # Errors
    /// When it cannot be started, has not ended within the limit, or says more than anybody reads.
    /// Then it is ended, with what it has started.
    pub fn ask(self, limit: Duration) -> Result<ProgramAnswer> {
        self.ask_with(&[], limit)
    }

    /// Runs it like [`Self::ask`], with something for its input.
    ///
    /// # Errors
    /// As with [`Self::ask`].
    pub fn ask_with(self, input: &[u8], limit: Duration) -> Result<ProgramAnswer> {
        let mut command = self.into_command();
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if !input.is_empty() {
            command.stdin(Stdio::piped());
        }
        if cfg!(unix) {
            command.current_dir("/");
        }
        let mut asked = AskedProgram(command.spawn()?);
        asked.hand_over(input)?;
        asked.listen(Instant::now() + limit)
    }

    /// Starts it, and lets it run on.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(self) -> Result<Child> {
        self.into_command().spawn()
    }

    /// Returns the command, for a caller that watches the program and its end in a way of its own.
    pub fn into_command(mut self) -> Command {
        if self.is_apart {
            platform::set_apart(&mut self.command);
        }
        self.command
    }
}

/// A running program that is killed when this is dropped, if it has not ended by itself.
struct AskedProgram(Child);

impl AskedProgram {
    /// Writes the input, which must fit into a pipe, so that nothing has to wait.
    fn hand_over(&mut self, input: &[u8]) -> Result<()> {
        use std::io::Write;

        /// The size of the smallest pipe of all systems, in bytes (pipe(7)).
        const PIPE: usize = 4_096;

        let Some(mut stdin) = self.0.stdin.take() else {
            return Ok(());
        };
        if input.len() > PIPE {
            return Err(Error::new(ErrorKind::InvalidInput, "its input is too long"));
        }
        match stdin.write_all(input) {
            // The program has ended without reading its input.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    fn listen(mut self, until: Instant) -> Result<ProgramAnswer> {
        let mut output = platform::Ear::of(self.0.stdout.take())?;
        let mut errors = platform::Ear::of(self.0.stderr.take())?;
        let mut ended: Option<Instant> = None;
        let mut pause = FIRST_LOOK;

        loop {
            let has_all = output.hear(MOST_WORDS)? & errors.hear(MOST_WORDS)?;
            let now = Instant::now();
            if ended.is_none() && platform::has_ended(&mut self.0)? {
                ended = Some(now);
            }
            match ended {
                Some(_) if has_all => break,
                Some(at) if now > at + LAST_WORDS_WITHIN => break,
                None if now > until => return Err(ErrorKind::TimedOut.into()),
                _ => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(LATER_LOOK);
        }

        platform::end_group(&mut self.0);
        Ok(ProgramAnswer {
            status: self.0.wait()?,
            output: output.heard(),
            errors: errors.heard(),
        })
    }
}

impl Drop for AskedProgram {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        platform::end_group(&mut self.0);
        let _ = self.0.wait();
    }
}

/// Finds a program in `PATH`. Relative folders are passed over, as an empty one is the current
/// folder (execvp(3)).
pub fn find(name: &str) -> Option<PathBuf> {
    find_also_in(name, &[])
}

/// Finds a program like [`find`], and looks into these folders afterwards: a program that the
/// desktop starts may know fewer folders than a shell.
pub fn find_also_in(name: &str, folders: &[&str]) -> Option<PathBuf> {
    all_named(name, folders).into_iter().next()
}

/// Returns all programs of that name, in the order in which they are found.
pub fn all_named(name: &str, folders: &[&str]) -> Vec<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let also = folders.iter().map(PathBuf::from);
    let folders = search_folders().into_iter().chain(also);
    let files = folders.map(|folder| folder.join(&name));
    files.filter(|file| platform::is_program(file)).collect()
}

fn search_folders() -> Vec<PathBuf> {
    folders_of(std::env::var_os("PATH"))
}

fn folders_of(path: Option<OsString>) -> Vec<PathBuf> {
    let own: Vec<PathBuf> = path
        .iter()
        .flat_map(std::env::split_paths)
        .filter(|folder| folder.is_absolute())
        .collect();
    if own.is_empty() {
        return USUAL_FOLDERS.iter().map(PathBuf::from).collect();
    }
    own
}

/// Returns `PATH` as started programs get it.
fn search_path() -> OsString {
    std::env::join_paths(search_folders()).unwrap_or_default()
}

/// Removes Beckon's own variables from the environment of a program.
fn withhold(command: &mut Command, names: impl Iterator<Item = OsString>) {
    for name in names.filter(|name| is_ours(name)) {
        command.env_remove(name);
    }
}

fn is_ours(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with("BECKON_") && name != PASSED_ON
}

#[cfg(test)]
mod tests;
