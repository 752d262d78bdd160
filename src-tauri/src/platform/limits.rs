//! The limits that the system sets a program, and memory that is given back to it.

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

/// Lets large memory, of a diff of megabytes for example, go back to the system when nobody needs
/// it any more.
pub fn give_back_memory() {
    heap::give_back_memory();
}
