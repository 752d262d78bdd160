//! What the system lets one program have at once, and what is given back to it.

#[cfg_attr(all(target_os = "linux", target_env = "gnu"), path = "limits/glibc.rs")]
#[cfg_attr(
    not(all(target_os = "linux", target_env = "gnu")),
    path = "limits/no_heap_option.rs"
)]
mod heap;
#[cfg_attr(unix, path = "limits/unix.rs")]
#[cfg_attr(not(unix), path = "limits/none.rs")]
mod platform;

/// Lets this program open as many files and connections as it may.
pub fn raise_open_files() {
    platform::raise_open_files();
}

/// What was large, a diff of megabytes say, goes back to the system when nobody needs it any more.
pub fn give_back_memory() {
    heap::give_back_memory();
}
