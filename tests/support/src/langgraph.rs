//! The real LangGraph server (`langgraph dev`) in a directory of its own, with graphs that only
//! ask.
//!
//! It keeps everything in memory and needs neither licence nor network.
//! `langgraph/requirements.txt` names its version.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cores::Core;
use crate::eventually;
use crate::ports::free_port;
use crate::process::Process;

const REQUIREMENTS: &str = include_str!("../langgraph/requirements.txt");
const FILES: [(&str, &str); 2] = [
    ("graph.py", include_str!("../langgraph/graph.py")),
    (
        "langgraph.json",
        include_str!("../langgraph/langgraph.json"),
    ),
];

/// The time limit for a start; Python has much to load, on a busy machine above all.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// The running server.
pub struct LangGraph {
    client: Client,
    port: u16,
    process: Process,
    _core: Arc<Core>,
    // Last: it goes after the process.
    folder: TempDir,
}

impl LangGraph {
    /// Starts the server and waits until it answers.
    pub async fn start() -> LangGraph {
        let core = Core::take();
        let folder = tempfile::Builder::new()
            .prefix("langgraph-")
            .tempdir()
            .unwrap();
        for (name, text) in FILES {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let port = free_port();
        let process = Process::spawn(program(folder.path(), port));
        let server = LangGraph {
            client: Client::new(),
            port,
            process,
            _core: core,
            folder,
        };
        let ok = format!("{}/ok", server.url());
        eventually("LangGraph answers", STARTS_WITHIN, async || {
            server
                .client
                .get(&ok)
                .send()
                .await
                .ok()
                .filter(|r| r.status().is_success())
                .map(drop)
        })
        .await;
        server
    }

    /// Returns the server's URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Runs a graph on a new thread until it asks for something; returns the thread's id.
    pub async fn run(&self, graph: &str, steps: Value) -> String {
        let thread = self.post("/threads", json!({})).await;
        let id = thread["thread_id"].as_str().unwrap().to_owned();
        let run = json!({ "assistant_id": graph, "input": { "steps": steps } });
        self.post(&format!("/threads/{id}/runs/wait"), run).await;
        id
    }

    /// Answers as another client, and waits until the graph asks again or ends.
    pub async fn resume(&self, graph: &str, thread: &str, value: Value) {
        let run = json!({ "assistant_id": graph, "command": { "resume": value } });
        self.post(&format!("/threads/{thread}/runs/wait"), run)
            .await;
    }

    /// Waits until the graph has ended and returns the answers that it got.
    pub async fn answers(&self, thread: &str) -> Value {
        let url = format!("{}/threads/{thread}", self.url());
        eventually(
            &format!("{thread} ends"),
            Duration::from_secs(20),
            async || {
                let thread: Value = self.client.get(&url).send().await.ok()?.json().await.ok()?;
                (thread["status"] == "idle").then(|| thread["values"]["answers"].clone())
            },
        )
        .await
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let url = format!("{}{path}", self.url());
        let response = self.client.post(url).json(&body).send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {response:?}");
        response.json().await.unwrap()
    }

    /// Stops the server with SIGSTOP until [`LangGraph::go_on`].
    pub fn pause(&self) {
        self.process.signal(19);
    }

    /// Lets a stopped server continue.
    pub fn go_on(&self) {
        self.process.signal(18);
    }

    /// Returns the server's log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for LangGraph {
    fn drop(&mut self) {
        // SIGKILL will do: the server has nothing to save.
        self.process.kill();
    }
}

fn program(folder: &Path, port: u16) -> Command {
    let log = File::create(folder.join("log")).unwrap();
    let mut command = Command::new(installed().join("bin/langgraph"));
    command
        .args([
            "dev",
            "--no-browser",
            "--no-reload",
            "--host",
            "127.0.0.1",
            "--port",
        ])
        .arg(port.to_string())
        .env("LANGGRAPH_CLI_NO_ANALYTICS", "1")
        .env("LANGSMITH_TRACING", "false")
        .env_remove("LANGSMITH_API_KEY")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log);
    command
}

/// Returns the virtual environment, which is made and filled by pip first if it is missing. The
/// folder is `BECKON_TEST_LANGGRAPH_DIR`, or `target/langgraph` of the workspace.
pub fn installed() -> PathBuf {
    let named = std::env::var_os("BECKON_TEST_LANGGRAPH_DIR").map(PathBuf::from);
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/langgraph");
    let folder = named.unwrap_or_else(usual);
    fs::create_dir_all(&folder).expect("failed to make the folder for LangGraph");
    // Test programs run side by side: the second one waits for the first one's installation.
    let lock = File::create(folder.join(".lock")).expect("failed to open the install lock");
    lock.lock().expect("failed to take the install lock");
    let (venv, done) = (folder.join("venv"), folder.join("installed.txt"));
    if fs::read_to_string(&done).is_ok_and(|text| text == REQUIREMENTS) {
        return venv;
    }
    let _ = fs::remove_file(&done);
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&venv));
    let requirements = venv.join("requirements.txt");
    fs::write(&requirements, REQUIREMENTS).unwrap();
    let pip = ["-m", "pip", "install", "--quiet", "--requirement"];
    run(Command::new(venv.join("bin/python"))
        .args(pip)
        .arg(requirements));
    fs::write(done, REQUIREMENTS).unwrap();
    venv
}

fn run(command: &mut Command) {
    let status = command
        .status()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}
