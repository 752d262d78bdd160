//! A private X desktop: display, window manager, session bus, and on demand a real notification
//! daemon and a panel with a tray.
//!
//! This file holds the desktop and its programs. Notification daemons are in `desktop/daemons.rs`;
//! pointer, keys and screen are in `desktop/hand.rs`.

mod daemons;
mod dunst;
mod hand;
mod look;
mod portal;
mod xfce;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;

pub use daemons::{Button, Daemon, Received};
pub use hand::Place;
pub use look::Look;
pub use portal::{ColourScheme, Portal};

use crate::bus::Bus;
use crate::cores::Core;
use crate::process::Process;

const XFCONFD: &str = "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd";

/// The width of the screen, in pixels.
const WIDTH: usize = 1280;

/// The program that places windows and gives them the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowManager {
    /// openbox.
    Openbox,
    /// xfwm4, that of Xfce.
    Xfwm4,
}

impl WindowManager {
    fn program(self) -> &'static str {
        match self {
            Self::Openbox => "openbox",
            Self::Xfwm4 => "xfwm4",
        }
    }
}

/// The running desktop; everything on it ends on drop.
pub struct Desktop {
    display: String,
    bus: Bus,
    daemon: Option<(Daemon, Process)>,
    panel: Option<Process>,
    settings: Option<Process>,
    look: Option<Process>,
    _windows: Process,
    screen: Process,
    _core: Arc<Core>,
    // Last: the home goes away after the processes.
    folder: TempDir,
}

impl Desktop {
    /// Starts display, window manager and bus.
    pub fn start() -> Desktop {
        Desktop::under(WindowManager::Openbox)
    }

    /// Starts the same desktop with that window manager.
    pub fn under(manager: WindowManager) -> Desktop {
        let core = Core::take();
        let folder = tempfile::Builder::new()
            .prefix("desktop-")
            .tempdir()
            .unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder.path().join("runtime"))
            .unwrap();
        let bus = Bus::start();
        let mut screen = Process::spawn(screen());
        // Xvfb picks a free display and prints one line with its number once it takes clients.
        let display = format!(":{}", screen.first_line());
        let mut windows = Command::new(manager.program());
        quiet(&mut windows)
            .env_clear()
            .envs(environment(folder.path(), &display, &bus));
        Desktop {
            display,
            bus,
            daemon: None,
            panel: None,
            settings: None,
            look: None,
            _windows: Process::spawn(windows),
            screen,
            _core: core,
            folder,
        }
    }

    /// Kills the display, as if it had crashed.
    pub fn kill_screen(&mut self) {
        self.screen.kill();
    }

    /// Stops the display with SIGSTOP, so that it answers nothing any more.
    pub fn hang_screen(&self) {
        self.screen.signal(libc::SIGSTOP);
    }

    /// Returns the value for `DISPLAY`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Returns the session bus of the desktop.
    pub fn bus(&self) -> &Bus {
        &self.bus
    }

    /// Returns the home directory of the desktop's programs.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Returns the whole environment of the desktop's programs.
    pub fn environment(&self) -> Vec<(String, OsString)> {
        environment(self.folder.path(), &self.display, &self.bus)
    }

    /// Prepares a program that runs on this desktop and prints nothing.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        quiet(&mut command).env_clear().envs(self.environment());
        command
    }

    /// Starts an xfce4-panel whose only plug-in is the tray, and waits until it takes icons.
    pub fn start_panel(&mut self) {
        self.start_settings();
        self.write_settings("xfce4-panel.xml", PANEL);
        let mut command = self.command("xfce4-panel");
        command.arg("--disable-wm-check");
        self.panel = Some(Process::spawn(command));
        self.bus.wait_for_name("org.kde.StatusNotifierWatcher");
    }

    /// Stops the panel.
    pub fn stop_panel(&mut self) {
        self.panel = None;
    }

    /// Starts the settings service of the xfce programs, which nothing activates on our bus.
    fn start_settings(&mut self) {
        if self.settings.is_none() {
            self.settings = Some(Process::spawn(self.command(XFCONFD)));
            self.bus.wait_for_name("org.xfce.Xfconf");
        }
    }

    /// Writes the settings that an xfce program reads when it starts.
    fn write_settings(&self, name: &str, xml: &str) {
        let folder = self.home().join(".config/xfce4/xfconf/xfce-perchannel-xml");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), xml).unwrap();
    }

    /// Returns the path of a file beside the desktop's home.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Returns the command for the display. `-noreset`: else the display would start over when its last
/// client leaves.
fn screen() -> Command {
    let mut command = Command::new("Xvfb");
    quiet(&mut command)
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            &format!("{WIDTH}x800x24"),
        ])
        .args(["-nolisten", "tcp", "-noreset"])
        .stdout(Stdio::piped());
    command
}

fn quiet(command: &mut Command) -> &mut Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
}

fn environment(folder: &Path, display: &str, bus: &Bus) -> Vec<(String, OsString)> {
    let owned = |name: &str, value: &str| (name.to_owned(), OsString::from(value));
    vec![
        owned("DISPLAY", display),
        owned("DBUS_SESSION_BUS_ADDRESS", bus.address()),
        owned("GDK_BACKEND", "x11"),
        owned("NO_AT_BRIDGE", "1"),
        owned("LANG", "C.UTF-8"),
        owned("XDG_SESSION_TYPE", "x11"),
        (
            "PATH".to_owned(),
            std::env::var_os("PATH").unwrap_or_default(),
        ),
        ("HOME".to_owned(), folder.join("home").into_os_string()),
        (
            "XDG_RUNTIME_DIR".to_owned(),
            folder.join("runtime").into_os_string(),
        ),
    ]
}

const PANEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array"><value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="length" type="uint" value="100"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray"/>
  </property>
</channel>
"#;
