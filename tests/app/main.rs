//! The real program, from outside: real agents, notification daemons, buses and displays of its own,
//! an imitated Telegram. One binary, so that it is linked once; a folder for each thing that is asked
//! about, and what they share in `common`.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(target_os = "linux")]

mod agents;
mod api;
mod clock;
mod common;
mod desktop;
mod durability;
mod federation;
mod foreign;
#[cfg(feature = "hub")]
mod hub;
mod language;
mod opencode;
mod security;
mod telegram;
mod updates;
#[cfg(feature = "gui")]
mod windows;
