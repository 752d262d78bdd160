//! The real OpenCode server, headless, in directories of its own, with a scripted model.
//!
//! This file holds the server's options, start, restart, signals and stop. Where the executable
//! comes from is in `opencode/binary.rs`, its configuration and environment in `opencode/home.rs`,
//! the tests' requests over HTTP in `opencode/api.rs`, and those to its second core in
//! `opencode/second_core.rs`.

mod acp;
mod api;
mod binary;
mod home;
mod second_core;
mod terminal;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use acp::AcpAgent;
pub use binary::binary;
pub use home::Home;
use reqwest::{Client, Method};
pub use terminal::Terminal;

use crate::cores::Core;
use crate::eventually;
use crate::model::Model;
use crate::ports::free_port;
use crate::process::Process;

/// A version of OpenCode that is tested against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// 1.1.53: the oldest one supported.
    V1_1_53,
    /// 1.18.33: the newest one measured.
    V1_18_33,
}

impl Version {
    /// Every version, the oldest first.
    pub const ALL: [Version; 2] = [Version::V1_1_53, Version::V1_18_33];

    /// Returns the version number, as npm and the server write it.
    pub fn number(self) -> &'static str {
        match self {
            Version::V1_1_53 => "1.1.53",
            Version::V1_18_33 => "1.18.33",
        }
    }
}

/// Options with which a server is to be started; see [`OpenCode::builder`].
#[derive(Clone, Debug)]
pub struct Builder {
    version: Version,
    model: String,
    password: Option<String>,
    port: Option<u16>,
    projects: Vec<String>,
    home: Option<Arc<Home>>,
    asker: bool,
    second_core: bool,
    environment: Vec<(String, OsString)>,
    plugin: Option<PathBuf>,
}

impl Builder {
    /// Sets a variable.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Builder {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Puts this plugin into its global folder, under the file's own name.
    pub fn plugin(mut self, file: &Path) -> Builder {
        self.plugin = Some(file.to_owned());
        self
    }

    /// Demands HTTP Basic with this password (user `opencode`).
    pub fn password(mut self, password: &str) -> Builder {
        self.password = Some(password.to_owned());
        self
    }

    /// Listens on this port instead of a free one.
    pub fn port(mut self, port: u16) -> Builder {
        self.port = Some(port);
        self
    }

    /// Makes one more git project beside the main one; its place is [`OpenCode::project`].
    pub fn project(mut self, name: &str) -> Builder {
        self.projects.push(name.to_owned());
        self
    }

    /// Runs on the data of an earlier server.
    pub fn home(mut self, home: Arc<Home>) -> Builder {
        self.home = Some(home);
        self
    }

    /// Configures the subagent `asker`, which may use the question tool.
    pub fn asker(mut self) -> Builder {
        self.asker = true;
        self
    }

    /// Configures the second core of 1.18 too, which does not read the environment.
    pub fn second_core(mut self) -> Builder {
        self.second_core = true;
        self
    }

    /// Starts the server and waits until it answers.
    pub async fn start(self) -> OpenCode {
        let core = Core::take();
        let home = self.home.clone().unwrap_or_else(|| Arc::new(Home::new()));
        for project in &self.projects {
            home.make_project(project);
        }
        if self.second_core {
            let configuration = home::configuration(&self.model, self.asker);
            let projects = self.projects.iter().map(String::as_str).chain(["project"]);
            projects.for_each(|project| home.configure(project, &configuration));
        }
        self.plugin
            .iter()
            .for_each(|plugin| home.install_plugin(plugin));
        let port = self.port.unwrap_or_else(free_port);
        let process = Mutex::new(launch(&self, &home, port));
        let client = Client::builder().no_proxy().build().unwrap();
        let opencode = OpenCode {
            directory: home.project("project"),
            options: self,
            home,
            port,
            process,
            client,
            prompts: Mutex::default(),
            _core: core,
        };
        opencode.wait_ready().await;
        opencode
    }
}

/// A running OpenCode server; stops on drop.
pub struct OpenCode {
    options: Builder,
    directory: String,
    port: u16,
    client: Client,
    process: Mutex<Process>,
    /// The number of prompts sent per session, so that `wait_idle` does not take "not begun" for
    /// "finished".
    prompts: Mutex<HashMap<String, usize>>,
    _core: Arc<Core>,
    // Last: the directories go away after the process.
    home: Arc<Home>,
}

impl OpenCode {
    /// Starts `version` with `model`, in fresh directories, on a free port, without a password.
    pub async fn start(version: Version, model: &Model) -> OpenCode {
        OpenCode::builder(version, model).start().await
    }

    /// Prepares a start of `version` with `model`, to which options can be added.
    pub fn builder(version: Version, model: &Model) -> Builder {
        Builder {
            version,
            model: model.url(),
            password: None,
            port: None,
            projects: Vec::new(),
            home: None,
            asker: false,
            second_core: false,
            environment: Vec::new(),
            plugin: None,
        }
    }

    /// Returns the version that runs.
    pub fn version(&self) -> Version {
        self.options.version
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns the port that the server listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the folder of the main project, which is also the server's working directory.
    pub fn directory(&self) -> &str {
        &self.directory
    }

    /// Returns the folder of a further project, named by [`Builder::project`].
    pub fn project(&self, name: &str) -> String {
        self.home.project(name)
    }

    /// Returns the server's directories, for another server on the same data.
    pub fn home(&self) -> Arc<Home> {
        Arc::clone(&self.home)
    }

    /// Returns the process id while the server runs.
    pub fn pid(&self) -> Option<u32> {
        self.process.lock().unwrap().pid()
    }

    /// Sends SIGKILL to the whole group; the data stays.
    pub fn kill(&self) {
        self.process.lock().unwrap().kill();
    }

    /// Sends SIGTERM to the whole group, and SIGKILL if that is not enough; the data stays.
    pub fn shut_down(&self) {
        self.process.lock().unwrap().stop();
    }

    /// Sends SIGSTOP: the port stays open, nothing answers.
    pub fn stop(&self) {
        self.process.lock().unwrap().signal(libc::SIGSTOP);
    }

    /// Sends SIGCONT.
    pub fn cont(&self) {
        self.process.lock().unwrap().signal(libc::SIGCONT);
    }

    /// Starts again on the same data and port; what still runs is killed first.
    pub async fn restart(&self) {
        {
            let mut process = self.process.lock().unwrap();
            process.kill();
            *process = launch(&self.options, &self.home, self.port);
        }
        self.prompts.lock().unwrap().clear();
        self.wait_ready().await;
    }

    /// Waits until the server answers. Each try has a time limit of its own: 1.18.33 never answers
    /// a request that was sent within about a second after it bound its port.
    async fn wait_ready(&self) {
        eventually(
            "OpenCode answers GET /path",
            Duration::from_secs(60),
            async || {
                assert!(
                    self.process.lock().unwrap().is_running(),
                    "{}",
                    self.obituary()
                );
                let request = self
                    .request(Method::GET, "/path")
                    .timeout(Duration::from_millis(2500));
                let response = request.send().await.ok()?;
                (response.status() == 200).then_some(())
            },
        )
        .await;
    }

    fn obituary(&self) -> String {
        format!("OpenCode ended during its start:\n{}", self.log())
    }

    /// Returns what the server has written to stdout and stderr so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.home.log()).unwrap_or_default()
    }
}

fn launch(options: &Builder, home: &Home, port: u16) -> Process {
    let log = File::options()
        .create(true)
        .append(true)
        .open(home.log())
        .unwrap();
    let mut command = Command::new(binary(options.version));
    command
        .args([
            "serve",
            "--hostname",
            "127.0.0.1",
            "--port",
            &port.to_string(),
        ])
        .current_dir(home.project("project"))
        .env_clear()
        .envs(home.environment())
        .env(
            "OPENCODE_CONFIG_CONTENT",
            home::configuration(&options.model, options.asker),
        )
        .envs(
            options
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .stdin(std::process::Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log);
    if let Some(password) = &options.password {
        command.env("OPENCODE_SERVER_PASSWORD", password);
    }
    Process::spawn(command)
}
