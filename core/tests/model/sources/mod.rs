//! The deciding code of a source of interrupts, included from the program: which ask an interrupt
//! is, and whether an answer may still be sent. It is pure, so it runs in the model too.
#![allow(dead_code, clippy::disallowed_methods)]

#[path = "../../../../src-tauri/src/sources/arrival.rs"]
pub mod arrival;
pub mod interrupts;
