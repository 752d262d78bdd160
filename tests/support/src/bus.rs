//! A private session bus on which no service starts by itself; each test decides who owns names on
//! it.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tempfile::TempDir;
use zbus::Message;
use zbus::blocking::connection::Builder;
use zbus::blocking::fdo::DBusProxy;
use zbus::blocking::{Connection, MessageIterator, Proxy};
use zbus::names::BusName;

use crate::eventually_blocking;
use crate::process::Process;

/// A running `dbus-daemon`; ends on drop.
#[derive(Debug)]
pub struct Bus {
    address: String,
    process: Process,
    folder: TempDir,
}

impl Bus {
    /// Starts a bus whose socket is in a fresh directory.
    pub fn start() -> Bus {
        let folder = tempfile::Builder::new().prefix("bus-").tempdir().unwrap();
        let (address, process) = launch(&folder);
        Bus {
            address,
            process,
            folder,
        }
    }

    /// Returns the value for `DBUS_SESSION_BUS_ADDRESS`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Opens a new connection for the test itself.
    pub fn connect(&self) -> Connection {
        Builder::address(self.address.as_str())
            .unwrap()
            .build()
            .expect("failed to join the bus")
    }

    /// Waits until some connection owns `name`.
    pub fn wait_for_name(&self, name: &str) {
        let connection = self.connect();
        let bus = DBusProxy::new(&connection).unwrap();
        eventually_blocking(
            &format!("{name} on the bus"),
            Duration::from_secs(15),
            || {
                let name = BusName::try_from(name).unwrap();
                bus.name_has_owner(name).unwrap_or(false).then_some(())
            },
        );
    }

    /// Records every message that is sent on the bus from now on.
    pub fn monitor(&self) -> Monitor {
        let connection = self.connect();
        let heard: Arc<Mutex<Vec<Message>>> = Arc::default();
        let messages = MessageIterator::from(&connection);
        let door = Proxy::new(&connection, DBUS, "/org/freedesktop/DBus", MONITORING).unwrap();
        let () = door
            .call("BecomeMonitor", &(Vec::<&str>::new(), 0_u32))
            .unwrap();
        let paper = Arc::clone(&heard);
        std::thread::spawn(move || {
            for message in messages.map_while(Result::ok) {
                paper.lock().unwrap().push(message);
            }
        });
        Monitor { heard }
    }

    /// Kills the bus: every connection to it breaks.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    /// Starts the bus anew at the same address; no connection to the old one is carried over.
    pub fn restart(&mut self) {
        self.process.kill();
        let _ = std::fs::remove_file(socket(&self.folder));
        (self.address, self.process) = launch(&self.folder);
    }
}

const DBUS: &str = "org.freedesktop.DBus";
const MONITORING: &str = "org.freedesktop.DBus.Monitoring";

/// A record of all messages on a bus, whoever they were sent to.
#[derive(Debug)]
pub struct Monitor {
    heard: Arc<Mutex<Vec<Message>>>,
}

impl Monitor {
    /// Returns every message so far, in order.
    pub fn heard(&self) -> Vec<Message> {
        self.heard.lock().unwrap().clone()
    }
}

fn socket(folder: &TempDir) -> PathBuf {
    folder.path().join("socket")
}

fn launch(folder: &TempDir) -> (String, Process) {
    let file = folder.path().join("bus.conf");
    std::fs::write(&file, configuration(&socket(folder).display().to_string())).unwrap();
    let mut command = Command::new("dbus-daemon");
    command
        .arg(format!("--config-file={}", file.display()))
        .args(["--nofork", "--nopidfile", "--nosyslog", "--print-address"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut process = Process::spawn(command);
    let address = process.first_line();
    assert!(
        address.starts_with("unix:"),
        "dbus-daemon gave no address but {address:?}"
    );
    // The guid is left out, so that clients may join again after a restart.
    (format!("unix:path={}", socket(folder).display()), process)
}

/// Returns the configuration of the bus. It names no service directory, so a missing service stays
/// missing.
fn configuration(socket: &str) -> String {
    format!(
        r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={socket}</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>
"#
    )
}
