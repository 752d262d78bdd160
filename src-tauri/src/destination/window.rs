//! The window of a program, brought to the front. One file per system.

#[cfg_attr(target_os = "linux", path = "window/x11.rs")]
#[cfg_attr(target_os = "macos", path = "window/macos.rs")]
#[cfg_attr(windows, path = "window/windows.rs")]
mod platform;

/// Raises the window of the first of these processes that has one: a process, and then who started
/// it, up to the terminal. Takes up to a second.
///
/// # Errors
/// When none has a window, or the desktop does not let us.
pub(super) fn raise(lineage: &[u32]) -> anyhow::Result<()> {
    platform::raise(lineage)
}
