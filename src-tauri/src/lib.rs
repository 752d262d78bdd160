//! The map of the resident program: one line for each room. ARCHITECTURE.md has the picture.
//!
//! Not here: decisions (they stand in `beckon-core`) and anything that links a web view (that is
//! `gui/window`).

// What happens, from outside to the middle and back.
mod app;
pub mod channels;
mod destination;
mod hub;
mod presence;
pub mod sources;
mod tray;
mod updates;

// What other programs and people on this machine use.
mod api;
pub mod cli;
mod gui;
mod integrations;

// What all of them stand on.
pub mod platform;
mod store;

// What is tried on them with bytes that nobody thought of; in no program.
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
