//! The desktop's theme and text size, which a settings daemon announces to all programs at once
//! (<https://specifications.freedesktop.org/xsettings-spec/latest/>).

use std::fs;

use super::Desktop;
use crate::eventually_blocking;
use crate::process::Process;

/// The appearance that a person chooses in the settings of their desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The GTK theme.
    pub theme: &'static str,
    /// Dots per inch for texts; 96 is the usual size.
    pub dpi: u32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: "Adwaita",
            dpi: 96,
        }
    }
}

impl Desktop {
    /// Changes the appearance of the desktop. Running programs are notified.
    pub fn take_look(&mut self, look: Look) {
        let file = self.file("xsettings");
        let Look { theme, dpi } = look;
        let text = format!("Net/ThemeName \"{theme}\"\nXft/DPI {}\n", dpi * 1024);
        fs::write(&file, text).unwrap();
        match &self.look {
            Some(daemon) => daemon.signal(libc::SIGHUP),
            None => {
                let mut command = self.command("xsettingsd");
                command.arg("-c").arg(&file);
                self.look = Some(Process::spawn(command));
                self.wait_look();
            }
        }
    }

    /// Waits until the settings daemon has a window on the screen.
    fn wait_look(&self) {
        eventually_blocking("a settings daemon", super::hand::SOON, || {
            let windows = self.xdotool(&["search", "--name", "xsettingsd"])?;
            (!windows.trim().is_empty()).then_some(())
        });
    }
}
