//! The end of the agent's process, and the signals that reach it on the way.

#[cfg_attr(unix, path = "ending/unix.rs")]
#[cfg_attr(not(unix), path = "ending/windows.rs")]
mod platform;

pub(super) use platform::of;
