//! OpenCode as a human uses it: with its own interface in a terminal, without a port. The terminal
//! is a tmux of the test's own.

use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::{Home, Version, binary, home};
use crate::cores::Core;
use crate::model::Model;
use crate::process::Process;
use crate::{eventually, eventually_blocking};

/// The time limit for tmux to listen on its socket.
const LISTENS_WITHIN: Duration = Duration::from_secs(10);

/// Options with which OpenCode is to be started in a terminal; see [`Terminal::builder`].
#[derive(Debug)]
pub struct Builder {
    version: Version,
    home: Home,
    environment: Vec<(String, OsString)>,
}

impl Builder {
    /// Sets a variable.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Builder {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Puts this plugin into its global folder, under the file's own name.
    pub fn plugin(self, file: &Path) -> Builder {
        self.home.install_plugin(file);
        self
    }

    /// Returns OpenCode's `XDG_CONFIG_HOME`, in which it looks for its global folder.
    pub fn config_home(&self) -> PathBuf {
        self.home.path().join("config")
    }

    /// Starts OpenCode with `prompt` as its first prompt.
    pub fn start(self, prompt: &str) -> Terminal {
        let Builder {
            version,
            home,
            environment,
        } = self;
        let core = Core::take();
        let socket = home.path().join("tmux");
        let mut tmux = Command::new("tmux");
        tmux.arg("-S")
            .arg(&socket)
            .args(["-f", "/dev/null", "-D"])
            .stdin(Stdio::null());
        let tmux = Process::spawn(tmux);
        eventually_blocking("tmux listens", LISTENS_WITHIN, || {
            UnixStream::connect(&socket).ok()
        });
        let terminal = Terminal {
            _tmux: tmux,
            _core: core,
            home,
        };
        terminal.open(version, &environment, prompt);
        terminal
    }
}

/// A running OpenCode with its interface; both end on drop.
pub struct Terminal {
    _tmux: Process,
    _core: Arc<Core>,
    // Last: the directories go away after the processes.
    home: Home,
}

impl Terminal {
    /// Prepares a run with `model`, in fresh directories.
    pub fn builder(version: Version, model: &Model) -> Builder {
        let configuration = home::configuration(&model.url(), false);
        Builder {
            version,
            home: Home::new(),
            environment: Vec::new(),
        }
        .env("OPENCODE_CONFIG_CONTENT", configuration)
    }

    /// Starts OpenCode in a new tmux session. It ends with tmux, also when the tests are killed.
    fn open(&self, version: Version, environment: &[(String, OsString)], prompt: &str) {
        let mut command = self.command();
        command.args([
            "new-session",
            "-d",
            "-x",
            "120",
            "-y",
            "50",
            "-c",
            self.directory().as_str(),
        ]);
        command.args(["setpriv", "--pdeathsig", "KILL", "env", "-i"]);
        // The variables by which tmux names itself to its programs; `env -i` has emptied the
        // environment.
        let socket = self.socket().display().to_string();
        let within = [
            ("TMUX", format!("{socket},1,0")),
            ("TMUX_PANE", "%0".to_owned()),
        ];
        command.args(within.map(|(name, value)| format!("{name}={value}")));
        for (name, value) in self.home.environment().iter().chain(environment) {
            let mut variable = OsString::from(format!("{name}="));
            variable.push(value);
            command.arg(variable);
        }
        command.arg(binary(version)).args(["--prompt", prompt]);
        let opened = command.output().expect("failed to start tmux");
        assert!(
            opened.status.success(),
            "tmux opens no terminal: {opened:?}"
        );
    }

    /// Returns the folder of the project, which is also OpenCode's working directory.
    pub fn directory(&self) -> String {
        self.home.project("project")
    }

    /// Returns the path of tmux's socket.
    pub fn socket(&self) -> PathBuf {
        self.home.path().join("tmux")
    }

    /// Returns the text on the screen of the terminal.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until the screen is as `wanted`.
    pub async fn shows(&self, what: &str, wanted: impl Fn(&str) -> bool, timeout: Duration) {
        eventually(&format!("the terminal shows {what}"), timeout, async || {
            wanted(&self.screen()).then_some(())
        })
        .await;
    }

    /// Presses a key, given by tmux's name for it.
    pub fn press(&self, key: &str) {
        assert!(
            self.tmux(&["send-keys", key]).status.success(),
            "tmux presses no {key}"
        );
    }

    /// Returns the process id of OpenCode.
    pub fn pid(&self) -> Option<i32> {
        let listed = self.tmux(&["list-panes", "-a", "-F", "#{pane_pid}"]).stdout;
        String::from_utf8_lossy(&listed).trim().parse().ok()
    }

    /// Kills OpenCode with SIGKILL.
    #[allow(unsafe_code, reason = "libc::kill has no safe counterpart")]
    pub fn kill(&self) {
        if let Some(pid) = self.pid() {
            // SAFETY: kill takes plain numbers and touches no memory of ours.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        self.command()
            .args(arguments)
            .output()
            .expect("failed to start tmux")
    }

    fn command(&self) -> Command {
        let mut command = Command::new("tmux");
        // `-N`: never starts a tmux server by itself; only the one that ends with the tests is
        // used.
        command
            .arg("-N")
            .arg("-S")
            .arg(self.socket())
            .env_remove("TMUX");
        command
    }
}

impl Drop for Terminal {
    /// Kills OpenCode, which in some versions survives the loss of its terminal.
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the terminal ---\n{}--- end ---", self.screen());
        }
        self.kill();
    }
}
