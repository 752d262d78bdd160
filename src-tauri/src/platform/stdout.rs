//! Tells whether there was a stdout when this program was started, and whether somebody reads it.
//! Rust's runtime opens `/dev/null` in the place of a closed one before `main` begins, and whatever
//! is said then goes nowhere without an error.
//!
//! Not here: what is written to it.

#[cfg_attr(unix, path = "stdout/unix.rs")]
#[cfg_attr(not(unix), path = "stdout/windows.rs")]
mod platform;

/// Tells whether the reader has gone, as `head` does once it has its lines. A write would say so,
/// but there may be nothing to write for hours.
pub(crate) fn has_lost_its_reader() -> bool {
    platform::has_lost_its_reader()
}

/// Tells whether it was closed, as by `>&-`.
pub(crate) fn was_closed() -> bool {
    platform::was_closed()
}
