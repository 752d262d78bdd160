//! The local HTTP API.

mod dialect;
mod refusals;
mod watching;
