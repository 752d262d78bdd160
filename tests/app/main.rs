//! Tests of the real program from outside: real agents, notification daemons, buses and displays of
//! its own, and an imitated Telegram. They are one binary, so that it is linked once, with a folder
//! for each subject; `common` holds what they share.
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
