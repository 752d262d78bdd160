//! The real `beckon` program in a home of its own; each test decides what it is connected to.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;

use crate::bus::Bus;
use crate::power::Platter;
use crate::process::Process;

/// The time limit for a signal to stop every thread of the program.
const SOON: Duration = Duration::from_secs(5);

/// The time limit of every command and every read, so that no test hangs for ever.
const LIMIT: Duration = Duration::from_secs(60);

/// The time limit for a start to become ready; a start takes a second while builds run beside it.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// The path of the whole status, including the sums of the history.
const STATUS: &str = "/status?blocked=true";

/// Options with which `beckon` is to be run; see [`Beckon::builder`].
pub struct Builder {
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(String, OsString)>,
    config: Option<String>,
    cuttable: bool,
}

impl Builder {
    /// Sets a variable; apart from PATH and LANG nothing is inherited.
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Builder {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Joins this session bus; the default is to have no session bus.
    pub fn bus(self, bus: &Bus) -> Builder {
        self.env("DBUS_SESSION_BUS_ADDRESS", bus.address())
    }

    /// Joins this system bus; the default is to have no system bus.
    pub fn system_bus(self, bus: &Bus) -> Builder {
        self.env("DBUS_SYSTEM_BUS_ADDRESS", bus.address())
    }

    /// Replaces the arguments, which are `--headless`.
    pub fn args(mut self, arguments: &[&str]) -> Builder {
        self.arguments = arguments
            .iter()
            .map(|argument| (*argument).to_owned())
            .collect();
        self
    }

    /// Sets the text of `config.toml`.
    pub fn config(mut self, text: &str) -> Builder {
        self.config = Some(text.to_owned());
        self
    }

    /// Makes it possible to cut the program's power; see [`Beckon::cut_power`].
    pub fn cuttable(mut self) -> Builder {
        self.cuttable = true;
        self
    }

    /// Makes the home, but starts nothing.
    pub fn build(self) -> Beckon {
        let folder = tempfile::Builder::new()
            .prefix("beckon-")
            .tempdir()
            .unwrap();
        let mut private = std::fs::DirBuilder::new();
        private.mode(0o700);
        for name in ["home", "user", "runtime"] {
            private.create(folder.path().join(name)).unwrap();
        }
        let mut beckon = Beckon {
            platter: None,
            program: self.program,
            arguments: self.arguments,
            environment: Mutex::new(self.environment),
            process: Mutex::new(None),
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            folder,
        };
        if let Some(text) = self.config {
            beckon.write_config(&text);
        }
        if self.cuttable {
            beckon.put_on_a_platter();
        }
        beckon
    }

    /// Makes the home and starts the program, without waiting until it is ready.
    pub fn start(self) -> Beckon {
        let beckon = self.build();
        beckon.start();
        beckon
    }
}

/// The result of a finished command.
#[derive(Clone, Debug)]
pub struct Output {
    /// The exit code; `None` if a signal ended the command.
    pub status: Option<i32>,
    /// The text on standard output.
    pub stdout: String,
    /// The text on standard error.
    pub stderr: String,
}

impl Output {
    /// Parses the standard output as JSON; panics with the whole output if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {self:?}"))
    }
}

impl From<std::process::Output> for Output {
    fn from(output: std::process::Output) -> Output {
        Output {
            status: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// The program in its home, running or not; it ends on drop.
pub struct Beckon {
    program: PathBuf,
    arguments: Vec<String>,
    environment: Mutex<Vec<(String, OsString)>>,
    process: Mutex<Option<Process>>,
    platter: Option<Platter>,
    /// The HTTP client of this program. It is not shared between tests, since connections belong to
    /// the runtime of one test.
    client: reqwest::Client,
    // Last: the home goes away after the process.
    folder: TempDir,
}

impl Beckon {
    /// Prepares a run of `program`, usually `env!("CARGO_BIN_EXE_beckon")`.
    pub fn builder(program: impl Into<PathBuf>) -> Builder {
        Builder {
            program: program.into(),
            arguments: vec!["--headless".to_owned()],
            environment: Vec::new(),
            config: None,
            cuttable: false,
        }
    }

    fn put_on_a_platter(&mut self) {
        let platter = Platter::under(&self.home());
        for (name, value) in platter.environment() {
            self.environment
                .lock()
                .unwrap()
                .push((name.to_owned(), value.into()));
        }
        self.platter = Some(platter);
    }

    /// Returns how much memory the running program occupies, in KiB.
    pub fn resident_kib(&self) -> u64 {
        let pid = self.pid().expect("it runs");
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS"))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Returns the folder that `BECKON_HOME` names.
    pub fn home(&self) -> PathBuf {
        let environment = self.environment.lock().unwrap();
        let other = environment.iter().rfind(|(name, _)| name == "BECKON_HOME");
        if let Some((_, home)) = other.filter(|(_, home)| Path::new(home).is_absolute()) {
            return home.into();
        }

        self.folder.path().join("home")
    }

    /// Sets a variable for what is started from now on.
    pub fn set_env(&self, name: &str, value: &str) {
        self.environment
            .lock()
            .unwrap()
            .push((name.to_owned(), value.into()));
    }

    /// Writes `config.toml` anew, as an editor does: a new file in the old one's place.
    pub fn write_config(&self, text: &str) {
        let target = self.home().join("config.toml");
        let fresh = self.home().join("config.toml.new");
        std::fs::write(&fresh, text).unwrap();
        std::fs::rename(fresh, target).unwrap();
    }

    /// Starts it, again or for the first time, on the same home; what still runs is killed.
    pub fn start(&self) {
        self.start_with(&self.arguments);
    }

    /// Starts the program like [`start`](Beckon::start), with other arguments this time.
    pub fn start_with<A: AsRef<OsStr>>(&self, arguments: &[A]) {
        let log = File::options()
            .create(true)
            .append(true)
            .open(self.stderr_file())
            .unwrap();
        let mut command = self.prepared();
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        let mut process = self.process.lock().unwrap();
        drop(process.take());
        *process = Some(Process::spawn(command));
    }

    fn prepared(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("RUST_BACKTRACE", "1")
            // A developer who looks for a race may set a more detailed log filter.
            .envs(std::env::var_os("BECKON_LOG").map(|filter| ("BECKON_LOG", filter)))
            .env("HOME", self.folder.path().join("user"))
            // An empty folder of its own: zbus would look for a bus in the real one.
            .env("XDG_RUNTIME_DIR", self.folder.path().join("runtime"))
            // The real system bus knows the screen that the tests run behind.
            .env("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent")
            .env("BECKON_HOME", self.home())
            .envs(
                self.environment
                    .lock()
                    .unwrap()
                    .iter()
                    .map(|(name, value)| (name, value)),
            )
            .current_dir(self.folder.path());
        command
    }

    fn stderr_file(&self) -> PathBuf {
        self.folder.path().join("stderr.log")
    }

    /// Returns what the program wrote to stdout and stderr so far, over all starts.
    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.stderr_file()).unwrap_or_default()
    }

    /// The process id while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.process.lock().unwrap().as_ref().and_then(Process::pid)
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.process
            .lock()
            .unwrap()
            .as_mut()
            .is_some_and(Process::is_running)
    }

    /// Kills the program with SIGKILL.
    pub fn kill9(&self) {
        if let Some(process) = self.process.lock().unwrap().as_mut() {
            process.kill();
        }
    }

    /// Simulates a power failure: the program ends at once, and its home keeps only what had
    /// reached the disk. Files that the test itself has written there since the start are lost,
    /// too.
    pub fn cut_power(&self) {
        self.cut_power_leaving(|| false);
    }

    /// Simulates a power failure like [`cut_power`](Beckon::cut_power), on a disk where some of
    /// what was not synced has arrived: `arrives` is asked for each block.
    pub fn cut_power_leaving(&self, arrives: impl FnMut() -> bool) {
        self.kill9();
        let platter = self
            .platter
            .as_ref()
            .expect("a program that was built `cuttable`");
        platter.restore(arrives);
    }

    /// Sends SIGTERM and, if the program still runs after a few seconds, SIGKILL.
    pub fn terminate(&self) {
        if let Some(process) = self.process.lock().unwrap().as_mut() {
            process.stop();
        }
    }

    /// Sends SIGTERM and returns before the program has ended.
    pub fn sigterm(&self) {
        self.signal(libc::SIGTERM);
    }

    /// Sends SIGSTOP and waits until every thread has stopped.
    pub fn sigstop(&self) {
        self.signal(libc::SIGSTOP);
        if let Some(pid) = self.pid() {
            crate::eventually_blocking("every thread to stand still", SOON, || {
                stands_still(pid).then_some(())
            });
        }
    }

    /// Sends SIGCONT.
    pub fn sigcont(&self) {
        self.signal(libc::SIGCONT);
    }

    fn signal(&self, signal: i32) {
        if let Some(process) = self.process.lock().unwrap().as_ref() {
            process.signal(signal);
        }
    }

    /// Prepares a command line of `beckon` on the same home and environment, without running it.
    pub fn prepare(&self, arguments: &[&str]) -> Command {
        let mut command = self.prepared();
        command.args(arguments);
        command
    }

    /// Runs `beckon ARGUMENTS` on the same home.
    pub async fn command(&self, arguments: &[&str]) -> Output {
        self.command_with_input(arguments, "").await
    }

    /// Runs `beckon ARGUMENTS` with `input` on its standard input.
    pub async fn command_with_input(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = tokio::process::Command::from(self.prepare(arguments));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .kill_on_drop(true)
            .spawn()
            .expect("failed to start beckon");
        let mut stdin = child.stdin.take().unwrap();
        // The command may end without having read its input.
        let _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
        match tokio::time::timeout(LIMIT, child.wait_with_output()).await {
            Ok(output) => output.unwrap().into(),
            Err(_) => panic!("beckon {arguments:?} did not end within {LIMIT:?}"),
        }
    }

    /// Runs a command like [`command`](Beckon::command), for a test without a runtime; it has no
    /// time limit.
    pub fn command_blocking(&self, arguments: &[&str]) -> Output {
        let mut command = self.prepare(arguments);
        command
            .stdin(Stdio::null())
            .output()
            .expect("failed to start beckon")
            .into()
    }

    /// Returns what `beckon status --json` prints, read over the local API: tests look often, and
    /// starting a command costs a hundred times as much.
    pub async fn status(&self) -> Value {
        self.get(STATUS).await
    }

    /// Returns what `beckon list --json` prints, read over the local API for the same reason.
    pub async fn list(&self) -> Vec<Value> {
        let list = self.get("/list").await;
        list.as_array()
            .cloned()
            .unwrap_or_else(|| panic!("not an array: {list}"))
    }

    /// Reads from the local API, which must be there.
    pub async fn get(&self, path: &str) -> Value {
        let read = tokio::time::timeout(LIMIT, self.try_get(path)).await;
        let read = read.unwrap_or_else(|_| panic!("no answer to {path} within {LIMIT:?}"));
        read.unwrap_or_else(|error| panic!("failed to read {path}: {error}"))
    }

    /// Waits until it is ready and gives its status.
    pub async fn wait_ready(&self) -> Value {
        let is_ready = async || {
            let status = self.try_get(STATUS).await.ok()?;
            (status["ready"] == true).then_some(status)
        };
        crate::eventually("beckon is ready", READY_WITHIN, is_ready).await
    }

    async fn try_get(&self, path: &str) -> Result<Value, String> {
        let endpoint = self.endpoint().ok_or("no endpoint.json")?;
        // The file of a killed process names a port that any other program may have by now.
        if !Path::new(&format!("/proc/{}", endpoint["pid"])).exists() {
            return Err("endpoint.json is of a process that has ended".to_owned());
        }
        let text = |name: &str| endpoint[name].as_str().unwrap_or_default().to_owned();
        let request = self
            .client
            .get(text("url") + path)
            .bearer_auth(text("token"));
        let answer = request.send().await.map_err(|error| error.to_string())?;
        let answer = answer
            .error_for_status()
            .map_err(|error| error.to_string())?;
        answer.json().await.map_err(|error| error.to_string())
    }

    /// Reads `run/endpoint.json` with `url`, `token`, `pid` and `version`, if it is there.
    pub fn endpoint(&self) -> Option<Value> {
        let text = std::fs::read(self.home().join("run/endpoint.json")).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Returns the temporary directory that holds the home and the captured stderr.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Beckon {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- stderr of beckon ---\n{}--- end ---", self.stderr());
        }
    }
}

/// Tells whether every thread of the process is stopped. A thread that runs takes a moment to stop
/// after the signal was sent.
fn stands_still(pid: u32) -> bool {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return true;
    };
    tasks.filter_map(Result::ok).all(|task| {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        stat.rsplit(") ")
            .next()
            .is_none_or(|rest| rest.starts_with('T'))
    })
}
