//! Finds agents that nobody has told Beckon of: processes that run here, and servers that announce
//! themselves on the network.
//!
//! Not here: watching any of them.

pub(crate) mod mdns;
pub(crate) mod unwatched;
