//! What a source of interrupts decides, as it stands in the program: which ask an interrupt is, and
//! whether an answer may still be sent. It is pure, so it lives here too.
#![allow(dead_code, clippy::disallowed_methods)]

#[path = "../../../../src-tauri/src/sources/arrival.rs"]
pub mod arrival;
pub mod interrupts;
