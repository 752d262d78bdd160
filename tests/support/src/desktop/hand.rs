//! Input to and output of a private desktop: windows, pointer, clicks, keys, screenshots. The
//! programs on it are in `desktop.rs`.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use super::{Desktop, WIDTH};
use crate::eventually_blocking;

pub(super) const SOON: Duration = Duration::from_secs(15);

/// A window's position and size, in pixels.
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

/// The contents of the whole screen at one moment.
pub(super) struct Screen {
    /// The pixels row by row, three bytes each.
    bytes: Vec<u8>,
}

impl Screen {
    /// Returns red, green and blue at that position; black outside of the screen.
    pub(super) fn at(&self, (x, y): (i32, i32)) -> [u8; 3] {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return [0; 3];
        };
        let start = (y * WIDTH + x) * 3;
        let pixel = self.bytes.get(start..start + 3).filter(|_| x < WIDTH);
        pixel
            .and_then(|pixel| pixel.try_into().ok())
            .unwrap_or_default()
    }
}

impl Desktop {
    /// Takes a picture of the whole screen.
    pub(super) fn screen(&self) -> Screen {
        let mut command = self.command("import");
        command
            .args(["-window", "root", "-depth", "8", "rgb:-"])
            .stdout(Stdio::piped());
        let output = command.output().expect("failed to start import");
        assert!(output.status.success(), "no screenshot was taken");
        Screen {
            bytes: output.stdout,
        }
    }

    /// Returns red, green and blue of each pixel in that part of the screen.
    pub fn pixels(&self, place: Place) -> Vec<[u8; 3]> {
        let screen = self.screen();
        let rows = place.y..place.y + place.height;
        let columns = place.x..place.x + place.width;
        rows.flat_map(|y| columns.clone().map(move |x| (x, y)))
            .map(|at| screen.at(at))
            .collect()
    }

    /// Returns the X id of the window that has the keyboard focus.
    pub fn focused(&self) -> Option<String> {
        let id = self.xdotool(&["getwindowfocus"])?;
        Some(id.trim().to_owned())
    }

    /// Switches to a virtual desktop, counted from 0, and makes as many of them as that needs.
    pub fn turn_to(&self, number: usize) {
        let count = (number + 1).max(2).to_string();
        let number = number.to_string();
        let there = ["set_num_desktops", &count, "set_desktop", &number];
        // A window manager that has just started has no virtual desktops yet.
        eventually_blocking("that desktop", SOON, || {
            self.xdotool(&there)?;
            let now = self.xdotool(&["get_desktop"])?;
            (now.trim() == number).then_some(())
        });
    }

    /// Writes the whole screen to a PNG file.
    pub fn screenshot(&self, path: &Path) {
        let status = self
            .command("import")
            .args(["-window", "root"])
            .arg(path)
            .status();
        assert!(
            status.expect("failed to start import").success(),
            "no screenshot was taken"
        );
    }

    /// Runs xdotool and returns its output, or `None` if it failed.
    pub fn xdotool(&self, arguments: &[&str]) -> Option<String> {
        let mut command = self.command("xdotool");
        let output = command.args(arguments).stdout(Stdio::piped()).output();
        let output = output.expect("failed to start xdotool");
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Waits for a visible window whose title contains `title` and returns its X id.
    pub fn wait_window(&self, title: &str) -> String {
        eventually_blocking(&format!("a window {title:?}"), SOON, || {
            self.windows("--name", title).pop()
        })
    }

    /// Returns the X ids of the visible windows that match by `--name` or `--class`, the newest
    /// last.
    pub fn windows(&self, by: &str, pattern: &str) -> Vec<String> {
        let found = self
            .xdotool(&["search", "--onlyvisible", by, pattern])
            .unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }

    /// Returns the positions of the visible windows that match by `--name` or `--class`.
    pub fn places(&self, by: &str, pattern: &str) -> Vec<Place> {
        let search = [
            "search",
            "--onlyvisible",
            by,
            pattern,
            "getwindowgeometry",
            "--shell",
            "%@",
        ];
        let text = self.xdotool(&search).unwrap_or_default();
        text.split("WINDOW=").filter_map(place).collect()
    }

    /// Moves the pointer there.
    pub fn point(&self, (x, y): (i32, i32)) {
        let moved = self.xdotool(&["mousemove", &x.to_string(), &y.to_string()]);
        moved.expect("xdotool moves the pointer");
    }

    /// Clicks where the pointer is and then moves the pointer away: a popup below a pointer does
    /// not time out.
    pub fn click_here(&self) {
        let clicked = self.xdotool(&["click", "1", "mousemove", "0", "0"]);
        clicked.expect("xdotool clicks");
    }

    /// Types keys such as `Return` or `alt+F4` into the focused window.
    pub fn key(&self, key: &str) {
        self.xdotool(&["key", key]).expect("xdotool types");
    }

    /// Closes a window with alt+F4, as its user would.
    pub fn close_window(&self, window: &str) {
        let keys = ["windowactivate", "--sync", window, "key", "alt+F4"];
        self.xdotool(&keys).expect("xdotool closes the window");
    }
}

/// Parses a position from `NAME=NUMBER` lines.
fn place(text: &str) -> Option<Place> {
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.strip_prefix('=')?.parse().ok()
    };
    let (x, y) = (number("X")?, number("Y")?);
    Some(Place {
        x,
        y,
        width: number("WIDTH")?,
        height: number("HEIGHT")?,
    })
}
