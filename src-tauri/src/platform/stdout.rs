//! Whether there was a stdout when this program was started. Rust's runtime opens `/dev/null` in the place of
//! a closed one before `main` begins, and whatever is said then goes nowhere without an error.
//!
//! Not here: what is written to it.

#[cfg_attr(unix, path = "stdout/unix.rs")]
#[cfg_attr(not(unix), path = "stdout/windows.rs")]
mod platform;

/// Whether it was closed, as by `>&-`.
pub(crate) fn was_closed() -> bool {
    platform::was_closed()
}
