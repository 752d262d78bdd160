//! Small real servers and private desktops for whole-app tests and benches.
//!
//! This crate holds what surrounds Beckon in a test: the real OpenCode and the real Claude Code
//! with a scripted model; an imitation of OpenCode whose every byte the test decides; a made-up
//! OpenCode 2.x; a strict Telegram; a private session bus; a strict notification daemon; an X
//! desktop; the services that tell where its human is; and the `beckon` program itself. It contains
//! no test of Beckon and knows none of Beckon's insides, only its outside contract.
//!
//! The servers run on threads of their own, so a test may block its own runtime, or have none.
//! Being test code, this crate panics on what cannot be helped; the message says what was missing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr)]

pub mod forms;
pub mod interrupts;
pub mod lying_nats;
pub mod model;
pub mod npm;
pub mod ports;
pub mod proxy;
pub mod relay;
pub mod repeating_nats;
pub mod replay;
mod serving;
pub mod telegram;
pub mod tls;
pub mod wiretap;

#[cfg(target_os = "linux")]
pub mod beckon;
#[cfg(target_os = "linux")]
pub mod bus;
#[cfg(target_os = "linux")]
pub mod claude;
#[cfg(target_os = "linux")]
mod cores;
#[cfg(target_os = "linux")]
pub mod desktop;
#[cfg(target_os = "linux")]
pub mod keyring;
#[cfg(target_os = "linux")]
pub mod langgraph;
#[cfg(target_os = "linux")]
pub mod nats;
#[cfg(target_os = "linux")]
pub mod notifications;
#[cfg(target_os = "linux")]
pub mod opencode;
#[cfg(target_os = "linux")]
pub mod power;
#[cfg(target_os = "linux")]
pub mod presence;
#[cfg(target_os = "linux")]
pub mod process;
#[cfg(target_os = "linux")]
pub mod stranger;
#[cfg(target_os = "linux")]
pub mod wall_clock;

use std::time::{Duration, Instant};

/// The interval at which a waited-for condition is checked.
const INTERVAL: Duration = Duration::from_millis(20);

/// Polls `attempt` until it returns a value, and panics naming `what` when `timeout` has passed.
///
/// An attempt that hangs is cut off at the deadline, too.
pub async fn eventually<T>(
    what: &str,
    timeout: Duration,
    mut attempt: impl AsyncFnMut() -> Option<T>,
) -> T {
    let polling = async {
        loop {
            if let Some(value) = attempt().await {
                return value;
            }
            tokio::time::sleep(INTERVAL).await;
        }
    };
    match tokio::time::timeout(timeout, polling).await {
        Ok(value) => value,
        Err(_) => panic!("waited {timeout:?} in vain: {what}"),
    }
}

/// Polls like [`eventually`], on the calling thread, for code without a runtime.
pub fn eventually_blocking<T>(
    what: &str,
    timeout: Duration,
    mut attempt: impl FnMut() -> Option<T>,
) -> T {
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(value) = attempt() {
            return value;
        }
        assert!(
            Instant::now() < deadline,
            "waited {timeout:?} in vain: {what}"
        );
        std::thread::sleep(INTERVAL);
    }
}
