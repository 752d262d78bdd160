//! Another user of the same machine, with what every user has: access to the ports, and to no file
//! of ours.
//!
//! Only root can start a program as another user. Where the tests run as an ordinary user, the
//! stranger is that user, but still not Beckon; tests that need another user ask
//! [`is_another_user`].

use crate::process::Process;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The user id of `nobody`.
const USER: &str = "65534";

/// The program that listens at a port, writes down everything it is sent and answers that the human
/// agrees. It listens on IPv4 and IPv6, as a hostile program would.
const LISTENER: &str = r#"
import socket, sys, threading
body = b'{"id":"x","state":"answered","answers":[["yes"]],"healthy":true,"version":"1.0.0"}'
head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
def serve(line):
    while True:
        heard = line.recv(65536)
        if not heard:
            return
        sys.stdout.buffer.write(heard)
        sys.stdout.flush()
        line.sendall(head + body)
listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", int(sys.argv[1])))
listener.listen(64)
print("listening", listener.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"#;

/// The program that hands on to another port whatever it hears, and what comes back.
const FORWARDER: &str = r#"
import socket, sys, threading
def pump(source, sink):
    while True:
        heard = source.recv(65536)
        if not heard:
            sink.close()
            return
        sink.sendall(heard)
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(64)
print("listening", listener.getsockname()[1], flush=True)
while True:
    near = listener.accept()[0]
    far = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    for pair in ((near, far), (far, near)):
        threading.Thread(target=pump, args=pair, daemon=True).start()
"#;

/// The program that opens connections and sends nothing.
const CROWD: &str = r#"
import resource, socket, sys, time
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
held = []
for _ in range(int(sys.argv[2])):
    line = socket.socket()
    line.settimeout(5)
    line.connect(("127.0.0.1", int(sys.argv[1])))
    held.append(line)
print("connected", len(held), flush=True)
time.sleep(1000)
"#;

/// Tells whether strangers are other users here; only root can start programs as another user.
pub fn is_another_user() -> bool {
    let own = std::fs::metadata("/proc/self").map(|it| std::os::unix::fs::MetadataExt::uid(&it));
    own.is_ok_and(|uid| uid == 0)
}

/// Another user's program that listens at a port of this machine.
pub struct Stranger {
    _process: Process,
    heard: PathBuf,
}

impl Stranger {
    /// Listens at `port` from now on; what is received goes into a file of `folder`.
    pub fn listen(port: u16, folder: &Path) -> Stranger {
        let heard = folder.join(format!("stranger-{port}.log"));
        let process = start(LISTENER, &[port.to_string()], &heard);
        Stranger {
            _process: process,
            heard,
        }
    }

    /// Returns everything that the stranger received.
    pub fn heard(&self) -> String {
        let heard = std::fs::read(&self.heard).unwrap();
        let heard = String::from_utf8_lossy(&heard).into_owned();
        heard
            .split_once('\n')
            .map(|(_, heard)| heard.to_owned())
            .unwrap_or_default()
    }
}

/// A port of somebody else's that leads to another one.
pub struct Forwarder {
    _process: Process,
    port: u16,
}

impl Forwarder {
    /// Leads there from now on; its log goes into `folder`.
    pub fn to_port(port: u16, folder: &Path) -> Forwarder {
        let log = folder.join(format!("forwarder-{port}.log"));
        let process = start(FORWARDER, &[port.to_string()], &log);
        let said = std::fs::read_to_string(log).unwrap();
        let (_, listening) = said.trim_end().split_once(' ').unwrap();

        Forwarder {
            _process: process,
            port: listening.parse().unwrap(),
        }
    }

    /// Returns its port.
    pub fn port(&self) -> u16 {
        self.port
    }
}

/// Opens that many silent connections to a port and returns once all of them are open.
pub fn crowd(port: u16, connections: usize, folder: &Path) -> Process {
    start(
        CROWD,
        &[port.to_string(), connections.to_string()],
        &folder.join("crowd.log"),
    )
}

/// Starts the program as another user, if possible, and waits for its first line.
fn start(program: &str, arguments: &[String], output: &Path) -> Process {
    let mut command = match is_another_user() {
        true => {
            let mut command = Command::new("setpriv");
            command.args([
                "--reuid",
                USER,
                "--regid",
                USER,
                "--clear-groups",
                "/usr/bin/python3",
            ]);
            command
        }
        false => Command::new("python3"),
    };
    let output_file = File::create(output).unwrap();
    command
        .arg("-c")
        .arg(program)
        .args(arguments)
        .current_dir("/");
    let mut process = Process::spawn({
        command
            .stdin(Stdio::null())
            .stdout(output_file.try_clone().unwrap())
            .stderr(output_file);
        command
    });
    crate::eventually_blocking(
        "the stranger is there",
        std::time::Duration::from_secs(20),
        || {
            let said = std::fs::read_to_string(output).unwrap_or_default();
            assert!(process.is_running(), "{said}");
            said.contains('\n').then_some(())
        },
    );
    process
}
