//! Hand and eye on a private desktop: windows, clicks, keys, pressed popups, screenshots. What
//! runs there lives in `desktop.rs`.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::Desktop;
use crate::eventually_blocking;

const SOON: Duration = Duration::from_secs(15);

/// Where a window is, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The left edge.
    pub x: i32,
    /// The upper edge.
    pub y: i32,
    /// The width.
    pub width: i32,
    /// The height.
    pub height: i32,
}

impl Desktop {
    /// Writes the whole screen to a PNG file.
    pub fn screenshot(&self, path: &Path) {
        let status = self.command("import").args(["-window", "root"]).arg(path).status();
        assert!(status.expect("failed to start import").success(), "no screenshot was taken");
    }

    /// Runs xdotool and gives its output, or nothing if it failed.
    pub fn xdotool(&self, arguments: &[&str]) -> Option<String> {
        let mut command = self.command("xdotool");
        let output = command.args(arguments).stdout(Stdio::piped()).output();
        let output = output.expect("failed to start xdotool");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Waits for a visible window whose title contains `title` and gives its X id.
    pub fn wait_window(&self, title: &str) -> String {
        eventually_blocking(&format!("a window {title:?}"), SOON, || {
            self.windows("--name", title).pop()
        })
    }

    /// The visible windows by `--name` or `--class`, the newest last.
    pub fn windows(&self, by: &str, pattern: &str) -> Vec<String> {
        let found = self.xdotool(&["search", "--onlyvisible", by, pattern]).unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }

    /// Where a window is.
    pub fn place(&self, window: &str) -> Option<Place> {
        let text = self.xdotool(&["getwindowgeometry", "--shell", window])?;
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.strip_prefix('=')?.parse().ok()
        };
        Some(Place {
            x: number("X")?,
            y: number("Y")?,
            width: number("WIDTH")?,
            height: number("HEIGHT")?,
        })
    }

    /// Moves the pointer there and clicks. Popups take a click only once they have seen the pointer.
    pub fn click(&self, x: i32, y: i32) {
        let (x, y) = (x.to_string(), y.to_string());
        let clicked = self.xdotool(&["mousemove", &x, &y, "sleep", "0.5", "click", "1"]);
        clicked.expect("xdotool clicks");
    }

    /// Types keys such as `Return` or `alt+F4` into the focused window.
    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]).expect("xdotool types");
    }

    /// Closes a window as its user would.
    pub fn close_window(&self, window: &str) {
        let keys = ["windowactivate", "--sync", window, "key", "alt+F4"];
        self.xdotool(&keys).expect("xdotool closes the window");
    }

    /// Waits for a popup of xfce4-notifyd and gives its window and place.
    pub fn wait_popup(&self) -> (String, Place) {
        eventually_blocking("a popup of xfce4-notifyd", SOON, || {
            let window = self.windows("--class", "xfce4-notifyd").pop()?;
            let place = self.place(&window)?;
            (place.width > 1).then_some((window, place))
        })
    }

    /// Clicks the last button of xfce4-notifyd's newest popup, which has one row of them.
    pub fn press_last_button(&self) {
        let (_, place) = self.wait_popup();
        self.click(place.x + place.width - 70, place.y + place.height - 38);
    }

    /// Clicks a button of xfce4-notifyd's newest popup, counted from the right (the last is 0), its
    /// buttons being `apart` pixels apart.
    pub fn press_button_from_right(&self, number: i32, apart: i32) {
        let (_, place) = self.wait_popup();
        let from_right = 70 + number * apart;
        self.click(place.x + place.width - from_right, place.y + place.height - 38);
    }

    /// Picks the first action of dunst's menu whose line contains `label`.
    pub fn pick_in_dunst(&self, label: &str) {
        std::fs::write(self.wanted_file(), label).unwrap();
        let status = self.command("dunstctl").arg("context").status();
        assert!(status.expect("failed to start dunstctl").success(), "dunst opened no menu");
    }
}
