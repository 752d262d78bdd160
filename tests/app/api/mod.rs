//! Tests of the local HTTP API.

mod attention;
mod audit;
mod dialect;
mod refusals;
mod watching;
