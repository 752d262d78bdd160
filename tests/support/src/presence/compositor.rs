//! KWin without a screen: a real Wayland compositor with `ext-idle-notify-v1`, and a real screen
//! locker on the session bus. No other compositor in Debian 12 has that protocol.

use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use zbus::blocking::Connection;

use crate::bus::Bus;
use crate::eventually_blocking;
use crate::process::Process;

const SAVER: &str = "org.freedesktop.ScreenSaver";
const PATH: &str = "/org/freedesktop/ScreenSaver";
const SOON: Duration = Duration::from_secs(15);

/// The running compositor; it ends on drop.
pub struct Compositor {
    connection: Connection,
    process: Process,
    // Last: the socket goes away after the process.
    folder: TempDir,
}

impl Compositor {
    /// Starts the compositor with `bus` as its session bus, and waits until it takes clients.
    pub fn start(bus: &Bus) -> Compositor {
        let folder = tempfile::Builder::new().prefix("kwin-").tempdir().unwrap();
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(folder.path().join("home"))
            .unwrap();
        // The file capability of the installed program keeps it from starting in a container; a
        // copy has no capability. The copy keeps the name, since KWin looks itself up by name.
        let program = folder.path().join("kwin_wayland");
        std::fs::copy("/usr/bin/kwin_wayland", &program).expect("kwin-wayland is installed");
        let mut command = Command::new(program);
        command
            .args([
                "--virtual",
                "--width",
                "320",
                "--height",
                "240",
                "--socket",
                "wayland-test",
            ])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("HOME", folder.path().join("home"))
            .env("XDG_RUNTIME_DIR", folder.path())
            .env("DBUS_SESSION_BUS_ADDRESS", bus.address())
            // Draws without a graphics card.
            .env("KWIN_COMPOSE", "Q")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let process = Process::spawn(command);
        let compositor = Compositor {
            connection: bus.connect(),
            process,
            folder,
        };
        eventually_blocking("a Wayland compositor", SOON, || {
            UnixStream::connect(compositor.socket()).ok()
        });
        bus.wait_for_name(SAVER);
        compositor
    }

    /// Returns the value for `WAYLAND_DISPLAY`.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("wayland-test")
    }

    /// Simulates a touch of keyboard or mouse.
    pub fn touch(&self) {
        self.call("SimulateUserActivity");
    }

    /// Locks the screen.
    pub fn lock(&self) {
        self.call("Lock");
    }

    /// Kills the compositor, as if it had crashed.
    pub fn kill(&mut self) {
        self.process.kill();
    }

    fn call(&self, method: &str) {
        self.connection
            .call_method(Some(SAVER), PATH, Some(SAVER), method, &())
            .unwrap();
    }
}
