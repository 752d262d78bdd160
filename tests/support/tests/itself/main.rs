//! Tests that the doubles are as strict as what they stand for, and that the real programs run.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may")]

#[cfg(target_os = "linux")]
mod beckon;
#[cfg(target_os = "linux")]
mod desktop;
#[cfg(target_os = "linux")]
mod notifications;
#[cfg(target_os = "linux")]
mod opencode;
mod proxy;
mod replay;
mod telegram;
