//! The real Claude Code as a human has it: in a terminal, with the hooks that Beckon wrote into its
//! settings, and a scripted model instead of an account. The terminal is a tmux of the test's own.

use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::beckon::Beckon;
use crate::cores::Core;
use crate::model::Model;
use crate::npm;
use crate::process::Process;
use crate::{eventually, eventually_blocking};

/// The npm package of Claude Code; `cargo xtask setup` installs the same version.
const PACKAGE: &str = "@anthropic-ai/claude-code@2.1.330";
const PROGRAM: &str = "node_modules/@anthropic-ai/claude-code-linux-x64/claude";
/// The API key given to Claude Code. Any key will do, as long as it is listed as approved.
const KEY: &str = "sk-ant-dummy-0123456789abcdef0123456789";
const LISTENS_WITHIN: Duration = Duration::from_secs(10);

/// Returns the path of the executable, which npm installs first if it is missing. The folder is
/// `BECKON_TEST_CLAUDE_CODE_DIR`, or `target/claude-code` of the workspace.
pub fn binary() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_CLAUDE_CODE_DIR").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/claude-code");
    let folder = named.unwrap_or_else(usual);
    npm::ensure(&folder, PACKAGE, |folder| {
        Some(folder.join(PROGRAM)).filter(|it| it.is_file())
    })
}

/// A running Claude Code; it and its terminal end on drop.
pub struct ClaudeCode {
    _tmux: Process,
    _core: Arc<Core>,
    // Last: the directories go away after the processes.
    folder: TempDir,
}

impl ClaudeCode {
    /// Starts Claude Code in the home of that Beckon's user, with `prompt` as its first prompt.
    pub fn start(beckon: &Beckon, model: &Model, prompt: &str) -> ClaudeCode {
        let core = Core::take();
        let folder = tempfile::Builder::new()
            .prefix("claude-")
            .tempdir()
            .unwrap();
        let socket = folder.path().join("tmux");
        std::fs::create_dir(folder.path().join("project")).unwrap();
        let mut tmux = Command::new("tmux");
        tmux.arg("-S")
            .arg(&socket)
            .args(["-f", "/dev/null", "-D"])
            .stdin(Stdio::null());
        let tmux = Process::spawn(tmux);
        eventually_blocking("tmux listens", LISTENS_WITHIN, || {
            UnixStream::connect(&socket).ok()
        });
        let claude = ClaudeCode {
            _tmux: tmux,
            _core: core,
            folder,
        };
        let home = beckon.folder().join("user");
        std::fs::write(home.join(".claude.json"), claude.known().to_string()).unwrap();
        claude.open(&claude.environment(beckon, model, &home), prompt);
        claude
    }

    /// Returns the settings that Claude Code stores after the questions of its first start, so that
    /// it does not ask them here.
    fn known(&self) -> Value {
        let trusted =
            json!({ "hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true });
        json!({
            "hasCompletedOnboarding": true,
            "lastOnboardingVersion": "2.1.330",
            "theme": "dark",
            "autoUpdates": false,
            "customApiKeyResponses": { "approved": [&KEY[KEY.len() - 20..]], "rejected": [] },
            "projects": { self.project().to_str().unwrap(): trusted },
        })
    }

    /// Builds the environment from nothing: only PATH is inherited.
    fn environment(&self, beckon: &Beckon, model: &Model, home: &Path) -> Vec<(&str, OsString)> {
        let switches = [
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "DISABLE_ERROR_REPORTING",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "CLAUDE_CODE_DISABLE_TERMINAL_TITLE",
        ];
        let mut environment: Vec<(&str, OsString)> =
            switches.map(|switch| (switch, "1".into())).to_vec();
        environment.extend([
            ("HOME", home.into()),
            ("BECKON_HOME", beckon.home().into()),
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("TMPDIR", self.folder.path().into()),
            ("LANG", "C.UTF-8".into()),
            ("TERM", "xterm-256color".into()),
            ("SHELL", "/bin/sh".into()),
            ("ANTHROPIC_BASE_URL", model.root().into()),
            ("ANTHROPIC_API_KEY", KEY.into()),
            // Makes all tools available at once, without a search for them.
            ("ENABLE_TOOL_SEARCH", "false".into()),
        ]);
        environment
    }

    /// Starts Claude Code in a new tmux session. It ends with tmux, also when the tests are killed.
    fn open(&self, environment: &[(&str, OsString)], prompt: &str) {
        let mut command = self.command();
        command
            .args(["new-session", "-d", "-x", "120", "-y", "50", "-c"])
            .arg(self.project());
        command.args(["setpriv", "--pdeathsig", "KILL", "env", "-i"]);
        for (name, value) in environment {
            let mut variable = OsString::from(format!("{name}="));
            variable.push(value);
            command.arg(variable);
        }
        command
            .arg(binary())
            .args(["--model", "claude-sonnet-4-5", prompt]);
        let opened = command.output().expect("failed to start tmux");
        assert!(
            opened.status.success(),
            "tmux opens no terminal: {opened:?}"
        );
    }

    /// Returns the directory in which Claude Code works.
    pub fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    /// Returns the text on the screen of the terminal.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.tmux(&["capture-pane", "-p"]).stdout).into_owned()
    }

    /// Waits until the screen shows this.
    pub async fn shows(&self, text: &str, timeout: Duration) {
        eventually(
            &format!("Claude Code shows {text:?}"),
            timeout,
            async || self.screen().contains(text).then_some(()),
        )
        .await;
    }

    /// Presses a key, given by tmux's name for it.
    pub fn press(&self, key: &str) {
        assert!(
            self.tmux(&["send-keys", key]).status.success(),
            "tmux presses no {key}"
        );
    }

    /// Kills Claude Code with SIGKILL.
    #[allow(unsafe_code, reason = "libc::kill has no safe counterpart")]
    pub fn kill(&self) {
        let listed = self.tmux(&["list-panes", "-a", "-F", "#{pane_pid}"]).stdout;
        if let Ok(pid) = String::from_utf8_lossy(&listed).trim().parse() {
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
            .arg(self.folder.path().join("tmux"))
            .env_remove("TMUX");
        command
    }
}

impl Drop for ClaudeCode {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- the terminal ---\n{}--- end ---", self.screen());
        }
        self.kill();
    }
}
