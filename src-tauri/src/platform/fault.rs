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
use std::fmt;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What Rust's programs end with that panic.
pub(crate) const EXIT_CODE: i32 = 101;
/// The argument of a program that starts anew (`cli.rs`): so many faults in a row, `--after-faults=2`.
pub(crate) const ARGUMENT: &str = "after-faults";
/// Its argument for the part that panicked last.
pub(crate) const SUSPECT: &str = "suspect";
/// Its argument for each part that it leaves out.
pub(crate) const WITHOUT: &str = "without";
/// So often in a row all of it starts anew. A part that panics once more then, as the last time, does so
/// at each start, and is left out: one server's list must not keep all others from being watched.
const MOST_STARTS: u32 = 4;
/// Whoever ran so long has shown that it can: the next fault is a first one.
const STEADY: Duration = Duration::from_mins(10);
/// Hooks wait for eight seconds for a Beckon that is gone (`cli/ask/waiting.rs`).
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How often a program has started anew in a row, and because of which part the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormerFaults {
    pub(crate) count: u32,
    pub(crate) suspect: Option<Part>,
}

/// From now on a panic in any thread is logged and starts the program anew.
pub(crate) fn start_anew_on_panic(former: FormerFaults) {
    let started = Instant::now();
    std::panic::set_hook(Box::new(move |panic| {
        logs::log_panic(panic);
        // What the loop takes in for a part may outlast it.
        let part = Part::current().filter(|part| !part.is_left_out());
        start_anew(&FaultRecord::of(&former, started.elapsed(), part))
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
    let doubled = 1_u64
        .checked_shl(faults.saturating_sub(1))
        .unwrap_or(u64::MAX);
    Duration::from_secs(doubled).min(LONGEST_PAUSE)
}

/// What the next start is told.
#[derive(Debug, PartialEq, Eq)]
struct FaultRecord {
    count: u32,
    suspect: Option<Part>,
    left_out: Option<Part>,
}

impl FaultRecord {
    fn of(former: &FormerFaults, ran: Duration, part: Option<Part>) -> Self {
        let count = if ran < STEADY {
            former.count.saturating_add(1)
        } else {
            1
        };
        match part {
            // Without it the next fault is a first one.
            Some(_) if count > MOST_STARTS && part == former.suspect => Self {
                count: 1,
                suspect: None,
                left_out: part,
            },
            suspect => Self {
                count,
                suspect,
                left_out: None,
            },
        }
    }

    fn arguments(&self, old: impl Iterator<Item = OsString>) -> Vec<OsString> {
        let argument = |name: &str, value: &dyn fmt::Display| format!("--{name}={value}").into();
        let replaced = [format!("--{ARGUMENT}="), format!("--{SUSPECT}=")];
        let is_replaced = |old: &OsString| {
            replaced
                .iter()
                .any(|it| old.to_string_lossy().starts_with(it.as_str()))
        };
        let kept = old.filter(|old| !is_replaced(old));
        let left_out = self.left_out.iter().map(|part| argument(WITHOUT, part));
        let suspect = self.suspect.iter().map(|part| argument(SUSPECT, part));
        kept.chain(left_out)
            .chain(suspect)
            .chain([argument(ARGUMENT, &self.count)])
            .collect()
    }
}

/// Two threads may panic at once, and one program is enough.
fn start_anew(record: &FaultRecord) -> ! {
    static FIRST: Mutex<()> = Mutex::new(());
    let _first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    // A name that no argument can hold must not end Beckon.
    let unnamed = FaultRecord {
        suspect: None,
        left_out: None,
        ..*record
    };
    let Err(error) = replace(record).or_else(|_| replace(&unnamed));
    tracing::error!(%error, "Beckon couldn't start anew");
    std::process::exit(EXIT_CODE)
}

fn replace(record: &FaultRecord) -> anyhow::Result<Infallible> {
    let mut anew = Command::new(program::path()?);
    anew.args(record.arguments(std::env::args_os().skip(1)));
    Ok(platform::replace_with(anew)?)
}

#[cfg(test)]
mod tests;
