//! The local HTTP API.

mod attention;
mod dialect;
mod refusals;
mod watching;
