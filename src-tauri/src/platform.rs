//! The services of the system: secrets, processes, clocks, directories, log files, and whatever
//! differs from one system to another.
//!
//! Not here: presence, notifications, tray and hot key, which are rooms of their own with a file
//! for each system.

pub(crate) mod account;
pub(crate) mod console;
pub(crate) mod fault;
pub(crate) mod file_watch;
#[cfg(windows)]
pub(crate) mod hidden_window;
pub(crate) mod identity;
pub mod limits;
pub(crate) mod login;
pub(crate) mod logs;
pub(crate) mod owner;
pub(crate) mod part;
pub(crate) mod place;
pub mod processes;
pub(crate) mod program;
pub(crate) mod retry_after;
pub(crate) mod secrets;
pub(crate) mod signals;
pub mod sink;
pub(crate) mod stdout;
