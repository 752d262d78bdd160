//! The code that Beckon's programs share: the types of the local API and the connection to it, the
//! settings, the texts, and the paths of files.
//!
//! Not here: decisions (they are in `beckon-core`), and anything that only the resident program
//! does. The window program is built from this crate alone.

pub mod config;
pub mod connection;
pub mod json;
pub mod platform;
pub mod text;
pub mod wire;
