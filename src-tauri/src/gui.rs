//! The windows as the resident sees them: the process that draws them, and the key that asks for
//! one.
//!
//! Not here: what they show. `gui/window` is a program of its own, `beckon-window`, and a client of
//! the local API.

pub(crate) mod hotkey;
pub(crate) mod process;
