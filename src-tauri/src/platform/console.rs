//! Closes the console window that Windows opens for a console program which nobody started in one:
//! from the Start menu, at login. The commands need a console, and the tray must not show one.

#[cfg_attr(windows, path = "console/windows.rs")]
#[cfg_attr(not(windows), path = "console/none.rs")]
mod platform;

/// Closes the console if only this program uses it. Somebody's terminal stays theirs.
pub(crate) fn close_own() {
    platform::close_own();
}
