//! A fault of our own: a part of the resident panics. The whole program starts anew in its place, as
//! after a kill: what counts is on the disk, while a part that ended alone would leave asks unseen
//! and the tray would go on saying that all is well. Log lines of a panic: `logs.rs`.
//!
//! The hook never returns, so a program that ships need not unwind.

#[cfg_attr(target_os = "linux", path = "fault/linux.rs")]
#[cfg_attr(target_os = "macos", path = "fault/macos.rs")]
#[cfg_attr(windows, path = "fault/windows.rs")]
mod platform;

use super::part::Part;
use super::{logs, program};
use std::convert::Infallible;
use std::ffi::OsString;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What Rust's programs end with that panic.
pub(crate) const EXIT_CODE: i32 = 101;
/// The argument of a program that starts anew (`cli.rs`): so many faults in a row, `--after-faults=2`.
pub(crate) const ARGUMENT: &str = "after-faults";
/// Its argument for each part that it leaves out.
pub(crate) const WITHOUT: &str = "without";
/// So often in a row all of it starts anew. What still panics then does so at each start, so it is left
/// out: one server's list must not keep all others from being watched.
const MOST_STARTS: u32 = 4;
/// Whoever ran so long has shown that it can: the next fault is a first one.
const STEADY: Duration = Duration::from_mins(10);
/// Hooks wait for eight seconds for a Beckon that is gone (`cli/ask/waiting.rs`).
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// From now on a panic in any thread is logged and starts the program anew. So many faults in a row
/// were there before this run.
pub(crate) fn start_anew_on_panic(before: u32) {
    let started = Instant::now();
    std::panic::set_hook(Box::new(move |panic| {
        logs::log_panic(panic);
        let faults = in_a_row(before, started.elapsed());
        start_anew(faults, if faults > MOST_STARTS { Part::current() } else { None })
    }));
}

/// Whoever is told to end does not start anew, and does as it was told.
pub(crate) fn end_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        logs::log_panic(panic);
        std::process::exit(0)
    }));
}

/// How long a program waits that starts anew: a fault that comes back must not keep the machine busy.
/// Never none, since where the old program can't be replaced it needs a moment to end.
pub(crate) fn pause(faults: u32) -> Duration {
    let doubled = 1_u64.checked_shl(faults.saturating_sub(1)).unwrap_or(u64::MAX);
    Duration::from_secs(doubled).min(LONGEST_PAUSE)
}

fn in_a_row(before: u32, ran: Duration) -> u32 {
    if ran < STEADY { before.saturating_add(1) } else { 1 }
}

/// Two threads may panic at once, and one program is enough.
fn start_anew(faults: u32, without: Option<Part>) -> ! {
    static FIRST: Mutex<()> = Mutex::new(());
    let _first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    let Err(error) = replace(faults, without);
    tracing::error!(%error, "Beckon couldn't start anew");
    std::process::exit(EXIT_CODE)
}

fn replace(faults: u32, without: Option<Part>) -> anyhow::Result<Infallible> {
    let mut anew = Command::new(program::path()?);
    anew.args(arguments(std::env::args_os().skip(1), faults, without));
    Ok(platform::replace_with(anew)?)
}

fn arguments(
    old: impl Iterator<Item = OsString>,
    faults: u32,
    without: Option<Part>,
) -> Vec<OsString> {
    let count = format!("--{ARGUMENT}=");
    let kept = old.filter(|argument| !argument.to_string_lossy().starts_with(&count));
    let without = without.map(|part| format!("--{WITHOUT}={part}").into());
    kept.chain(without).chain([format!("{count}{faults}").into()]).collect()
}

#[cfg(test)]
mod tests;
