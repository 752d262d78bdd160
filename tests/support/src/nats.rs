//! A real nats-server on the loopback, with its streams in a directory of its own, so that it can
//! be killed and started again. `cargo xtask setup` installs it.

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use tempfile::TempDir;

use crate::eventually_blocking;
use crate::ports::free_port;
use crate::process::Process;

const STARTS_WITHIN: Duration = Duration::from_secs(20);

/// The versions of nats-server that the tests run against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The version in Debian 12.
    V2_9_10,
    /// The last of an older line.
    V2_10_26,
    /// A new one.
    V2_15_1,
}

impl Version {
    /// Returns the name of the version's directory.
    fn name(self) -> &'static str {
        match self {
            Version::V2_9_10 => "2.9.10",
            Version::V2_10_26 => "2.10.26",
            Version::V2_15_1 => "2.15.1",
        }
    }

    /// Returns the folder with the program, for use in a search path.
    pub fn folder(self) -> PathBuf {
        self.program().parent().unwrap().to_owned()
    }

    fn program(self) -> PathBuf {
        let named = std::env::var_os("BECKON_TEST_NATS_DIR").map(PathBuf::from);
        let usual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/nats");
        let folder = named.unwrap_or_else(|| usual.into()).join(self.name());
        let program = match self {
            Version::V2_9_10 => folder.join("usr/sbin/nats-server"),
            Version::V2_10_26 | Version::V2_15_1 => folder.join("bin/nats-server"),
        };
        assert!(
            program.is_file(),
            "{} is missing: run cargo xtask setup",
            program.display()
        );
        program
    }
}

/// The running server.
pub struct Nats {
    version: Version,
    port: u16,
    /// The size of the server's own disk; `None` if it has none of its own.
    room: Option<&'static str>,
    process: Mutex<Option<Process>>,
    // Last: it goes after the process.
    folder: TempDir,
}

impl Nats {
    /// Starts a server and waits until it takes connections.
    pub fn start(version: Version) -> Nats {
        let server = Nats::prepared(version);
        server.go();
        server
    }

    /// Starts a server with additional lines in its configuration.
    pub fn configured(version: Version, more: &str) -> Nats {
        let server = Nats::prepared(version);
        let path = server.folder.path().join("nats.conf");
        let config = fs::read_to_string(&path).unwrap() + more;
        fs::write(path, config).unwrap();
        server.go();
        server
    }

    /// Starts a server on a disk of its own with this size, in the notation of tmpfs(5). The disk
    /// is empty at every start.
    pub fn on_a_small_disk(version: Version, room: &'static str) -> Nats {
        let server = Nats {
            room: Some(room),
            ..Nats::prepared(version)
        };
        server.go();
        server
    }

    /// Replaces the lines that were added to the configuration and restarts the server.
    pub fn configure_anew(&self, more: &str) {
        self.kill9();
        let path = self.folder.path().join("nats.conf");
        let config = fs::read_to_string(&path).unwrap();
        let first: String = config
            .lines()
            .take(2)
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(path, first + more).unwrap();
        self.go();
    }

    /// Prepares a server without starting it; its port is fixed already.
    pub fn prepared(version: Version) -> Nats {
        let folder = tempfile::Builder::new().prefix("nats-").tempdir().unwrap();
        let port = free_port();
        let store = folder.path().join("streams");
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream {{ store_dir: {store:?}, max_mem: 16MB, max_file: 64MB }}\n"
        );
        fs::write(folder.path().join("nats.conf"), config).unwrap();
        Nats {
            version,
            port,
            room: None,
            process: Mutex::new(None),
            folder,
        }
    }

    /// Starts the server, again or for the first time, on the data that it had kept.
    pub fn go(&self) {
        let mut command = self.command();
        command
            .arg("--config")
            .arg(self.folder.path().join("nats.conf"));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        *self.process.lock().unwrap() = Some(Process::spawn(command));
        eventually_blocking("nats-server listens", STARTS_WITHIN, || {
            TcpStream::connect(("127.0.0.1", self.port)).ok()
        });
    }

    fn command(&self) -> Command {
        let program = self.version.program();
        let Some(room) = self.room else {
            return Command::new(program);
        };
        fs::create_dir_all(self.store()).unwrap();
        let mount = "mount -t tmpfs -o size=$0 tmpfs $1 && shift && exec \"$@\"";
        let mut command = Command::new("unshare");
        command.args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            mount,
            room,
        ]);
        command.arg(self.store()).arg(program);
        command
    }

    /// Kills the server with SIGKILL.
    pub fn kill9(&self) {
        if let Some(process) = self.process.lock().unwrap().as_mut() {
            process.kill();
        }
    }

    /// Sends SIGSTOP: connections stay open, and nothing answers.
    pub fn hang(&self) {
        self.signal(libc::SIGSTOP);
    }

    /// Sends SIGCONT: the server processes what has arrived meanwhile.
    pub fn go_on(&self) {
        self.signal(libc::SIGCONT);
    }

    /// Copies the data of a server that does not run, and returns the folder with the copy.
    pub fn back_up(&self) -> TempDir {
        let backup = tempfile::Builder::new()
            .prefix("nats-backup-")
            .tempdir()
            .unwrap();
        copy(&self.store(), backup.path());
        backup
    }

    /// Puts a copy back while the server does not run.
    pub fn restore(&self, backup: &TempDir) {
        fs::remove_dir_all(self.store()).unwrap();
        fs::create_dir(self.store()).unwrap();
        copy(backup.path(), &self.store());
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("streams")
    }

    fn signal(&self, signal: i32) {
        if let Some(process) = self.process.lock().unwrap().as_ref() {
            process.signal(signal);
        }
    }

    /// Returns the server's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the server's URL.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn copy(from: &Path, to: &Path) {
    let mut command = Command::new("cp");
    let copied = command
        .arg("-a")
        .arg(from.join("."))
        .arg(to)
        .status()
        .unwrap();
    assert!(copied.success(), "cp: {copied}");
}
