//! Starts Beckon when its human logs in, or no longer. The setting is a line of the desktop's own
//! settings, which may be changed there too, so Beckon keeps no copy of it.
//!
//! No library is used: `auto-launch` 0.6.0 writes a path with blanks in it unquoted into the
//! registry, where another program may be run in its place, and unescaped into desktop entries.

#[cfg(unix)]
mod file;
#[cfg_attr(target_os = "linux", path = "autostart/linux.rs")]
#[cfg_attr(target_os = "macos", path = "autostart/macos.rs")]
#[cfg_attr(windows, path = "autostart/windows.rs")]
mod platform;

use crate::platform::program;
use anyhow::Result;

/// Tells whether Beckon starts at login.
///
/// # Errors
/// When the system does not say.
pub(crate) fn is_on() -> Result<bool> {
    platform::is_on()
}

/// Makes Beckon start at login, or no longer.
///
/// # Errors
/// When the system refuses, or this program's lasting place cannot be told.
pub(crate) fn turn(on: bool) -> Result<()> {
    if on {
        platform::turn_on(&program::path()?)
    } else {
        platform::turn_off()
    }
}
