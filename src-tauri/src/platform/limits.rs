//! What the system lets one program have at once.

#[cfg_attr(unix, path = "limits/unix.rs")]
#[cfg_attr(not(unix), path = "limits/none.rs")]
mod platform;

/// Lets this program open as many files and connections as it may.
pub fn raise_open_files() {
    platform::raise_open_files();
}
