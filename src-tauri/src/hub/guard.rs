//! The guard between a hub's server and the library that speaks its protocol. Whoever runs the
//! server, or took its port, may send anything: it is read here first, by its sizes and its
//! grammar, and only what is plain goes on. The library never has a socket of its own to the
//! server.
//!
//! Not here: what records say, and who is believed (`trust.rs`).

#[cfg(feature = "hub")]
mod connecting;
#[cfg(feature = "hub")]
mod dialing;
#[cfg(feature = "hub")]
mod flow;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod head;
pub(super) mod operations;
#[cfg(feature = "hub")]
mod outgoing;
#[cfg(feature = "hub")]
mod relay;
mod stored;
#[cfg(feature = "hub")]
mod unasked;

#[cfg(feature = "hub")]
pub(super) use connecting::{connect, connect_again_and_again};
#[cfg(feature = "hub")]
pub(super) use dialing::{HubAddress, ServerTrust};
