//! Agents that nobody has told Beckon of: processes that run here, and servers that announce
//! themselves on the network.
//!
//! Not here: watching any of them.

pub mod mdns;
pub mod unwatched;
