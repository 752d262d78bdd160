//! The resident program's rooms. `main.rs` starts them; see ARCHITECTURE.md for the picture.
//!
//! Not here: decisions (they stand in `beckon-core`) and anything that links a web view (that is
//! `bin/window.rs`).

pub mod api;
pub mod app;
pub mod asking;
pub mod book;
pub mod channels;
pub mod children;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod coverage;
pub mod demo;
pub mod endpoint;
pub mod external;
pub mod failed;
pub mod hotkey;
pub mod identity;
pub mod integration;
pub mod limits;
pub mod logs;
pub mod mailbox;
pub mod nearby;
pub mod opener;
mod owner;
pub mod paths;
mod percent;
pub mod presence;
pub mod private;
pub mod processes;
pub mod proof;
pub mod qr;
pub mod secrets;
pub mod selftest;
pub mod service;
pub mod signals;
pub mod snapshot;
pub mod sources;
pub mod store;
pub mod texts;
pub mod tray;
pub mod warning;
pub mod wire;
pub mod words;
