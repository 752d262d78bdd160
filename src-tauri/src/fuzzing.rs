//! The doors for fuzzing: whatever bytes a stranger can send, and what must hold of them. Compiled
//! for the tests and for `cargo fuzz` (`fuzz/`), and in no program that anybody runs. A door panics
//! where something does not hold.
//!
//! Here: the list of the doors, that of `config.toml`, and the smoke run of the ordinary tests. What
//! holds of the others stands in the `fuzzing.rs` of their rooms.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic is how a door objects"
)]

mod doors;
mod json;

pub use doors::{
    commands, config, frames, hooks, hub, interrupts, lists, registrations, requests, telegram,
};
pub use json::json;

/// Takes whatever bytes come.
pub type FuzzDoor = fn(&[u8]);

/// Each door by its name, which is that of its program in `fuzz/fuzz_targets` and of its folder in
/// `fuzz/corpus`.
pub const DOORS: [(&str, FuzzDoor); 11] = [
    ("commands", commands),
    ("config", config),
    ("frames", frames),
    ("hooks", hooks),
    ("hub", hub),
    ("interrupts", interrupts),
    ("json", json),
    ("lists", lists),
    ("registrations", registrations),
    ("requests", requests),
    ("telegram", telegram),
];

#[cfg(test)]
mod tests;
