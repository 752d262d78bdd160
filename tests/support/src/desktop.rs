//! A private X desktop: display, window manager, session bus, and on demand a real notification
//! daemon and a panel with a tray.
//!
//! Here lives what runs on it. How popups are pressed and what the screen looks like is in
//! `desktop/hand.rs`.

mod hand;

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::bus::Bus;
use crate::notifications;
use crate::process::Process;

const XFCONFD: &str = "/usr/lib/x86_64-linux-gnu/xfce4/xfconf/xfconfd";
const XFCE4_NOTIFYD: &str = "/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd";

/// A real notification daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Daemon {
    /// dunst: draws no buttons, and answers only the connection that sent last.
    Dunst,
    /// xfce4-notifyd: real buttons, signals for everybody.
    Xfce4Notifyd,
}

/// The running desktop; everything on it ends on drop.
pub struct Desktop {
    display: String,
    bus: Bus,
    daemon: Option<Process>,
    panel: Option<Process>,
    settings: Option<Process>,
    _windows: Process,
    _screen: Process,
    // Last: the home goes away after the processes.
    folder: TempDir,
}

impl Desktop {
    /// Starts display, window manager and bus.
    pub fn start() -> Desktop {
        let folder = tempfile::Builder::new().prefix("desktop-").tempdir().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::DirBuilder::new().mode(0o700).create(folder.path().join("runtime")).unwrap();
        let bus = Bus::start();
        let mut screen = Process::spawn(screen());
        // One line with the number of a display that was free, once it takes clients.
        let display = format!(":{}", screen.first_line());
        let mut windows = Command::new("openbox");
        quiet(&mut windows).env_clear().envs(environment(folder.path(), &display, &bus));
        Desktop {
            display,
            bus,
            daemon: None,
            panel: None,
            settings: None,
            _windows: Process::spawn(windows),
            _screen: screen,
            folder,
        }
    }

    /// For `DISPLAY`.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Its session bus.
    pub fn bus(&self) -> &Bus {
        &self.bus
    }

    /// The home directory of its programs.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The whole environment of its programs.
    pub fn environment(&self) -> Vec<(String, OsString)> {
        environment(self.folder.path(), &self.display, &self.bus)
    }

    /// A program that will run on this desktop, silently.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        quiet(&mut command).env_clear().envs(self.environment());
        command
    }

    /// Starts a notification daemon and waits for its name; an earlier one is stopped first.
    pub fn start_daemon(&mut self, daemon: Daemon) {
        self.stop_daemon();
        let command = match daemon {
            Daemon::Dunst => self.dunst(),
            Daemon::Xfce4Notifyd => {
                self.start_settings();
                self.command(XFCE4_NOTIFYD)
            }
        };
        self.daemon = Some(Process::spawn(command));
        self.bus.wait_for_name(notifications::NAME);
    }

    /// Stops the notification daemon.
    pub fn stop_daemon(&mut self) {
        self.daemon = None;
    }

    /// dunst has no buttons; its menu is left to a program that picks a line: ours.
    fn dunst(&self) -> Command {
        let picker = self.folder.path().join("picker");
        let wanted = self.wanted_file().display().to_string();
        let script = format!("#!/bin/sh\nexec grep -m1 -iF -- \"$(cat '{wanted}')\"\n");
        fs::write(&picker, script).unwrap();
        fs::set_permissions(&picker, fs::Permissions::from_mode(0o755)).unwrap();
        let file = self.folder.path().join("dunstrc");
        fs::write(&file, format!("[global]\n dmenu = {}\n", picker.display())).unwrap();
        let mut command = self.command("dunst");
        command.arg("-config").arg(file);
        command
    }

    fn wanted_file(&self) -> PathBuf {
        self.folder.path().join("wanted")
    }

    /// Starts an xfce4-panel whose only plug-in is the tray, and waits until it takes icons.
    pub fn start_panel(&mut self) {
        self.start_settings();
        let folder = self.home().join(".config/xfce4/xfconf/xfce-perchannel-xml");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("xfce4-panel.xml"), PANEL).unwrap();
        let mut command = self.command("xfce4-panel");
        command.arg("--disable-wm-check");
        self.panel = Some(Process::spawn(command));
        self.bus.wait_for_name("org.kde.StatusNotifierWatcher");
    }

    /// Stops the panel.
    pub fn stop_panel(&mut self) {
        self.panel = None;
    }

    /// The settings service of the xfce programs: nothing activates it on our bus.
    fn start_settings(&mut self) {
        if self.settings.is_none() {
            self.settings = Some(Process::spawn(self.command(XFCONFD)));
            self.bus.wait_for_name("org.xfce.Xfconf");
        }
    }
}

/// `-noreset`: else the display would start over when its last client leaves.
fn screen() -> Command {
    let mut command = Command::new("Xvfb");
    quiet(&mut command)
        .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
        .stdout(Stdio::piped());
    command
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
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
        ("PATH".to_owned(), std::env::var_os("PATH").unwrap_or_default()),
        ("HOME".to_owned(), folder.join("home").into_os_string()),
        ("XDG_RUNTIME_DIR".to_owned(), folder.join("runtime").into_os_string()),
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
