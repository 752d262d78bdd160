//! The handling of a panic in any part of the resident: the whole program restarts in its place, as
//! after a kill. What counts is on the disk. If only the part ended, its asks would stay unseen,
//! and the tray would go on saying that all is well.
//!
//! The hook never returns, so the released program need not unwind.
//!
//! Not here: the log lines of a panic (`logs.rs`).

#[cfg_attr(target_os = "linux", path = "fault/linux.rs")]
#[cfg_attr(target_os = "macos", path = "fault/macos.rs")]
#[cfg_attr(windows, path = "fault/windows.rs")]
mod platform;

use super::part::{self, Part, TALKING};
use super::{logs, program};
use std::convert::Infallible;
use std::ffi::OsString;
use std::fmt;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The exit code of Rust's programs that panic.
pub(crate) const EXIT_CODE: i32 = 101;
/// The argument that tells a restarted program how many panics there were in a row (`cli.rs`):
/// `--after-faults=2`.
pub(crate) const ARGUMENT: &str = "after-faults";
/// The argument that names the part that panicked last.
pub(crate) const SUSPECT: &str = "suspect";
/// The argument that names a part to leave out; one for each.
pub(crate) const WITHOUT: &str = "without";
/// The argument that names a part that was left out and is tried again; one for each time.
pub(crate) const TRIED: &str = "tried";
/// The number of panics in a row after which a part can be left out. If the same part then panics
/// twice in succession it does so at each start, and is left out: the list of one server must not
/// keep all others from being watched.
const MOST_STARTS: u32 = 4;
/// The number of panics in a row that are accepted if the part is unknown, or if several parts
/// panic in turns. From then on, after every second panic, one more part that communicates is left
/// out: otherwise a panic that never ends would keep all asks from being shown.
const MOST_UNKNOWN: u32 = 8;
/// The time after which parts that are left out are first tried again. It doubles each time.
const AGAIN: Duration = Duration::from_mins(5);
/// The longest such time. What others send may have changed, or somebody may have updated their
/// server.
const AGAIN_AT_LEAST: Duration = Duration::from_hours(4);
/// The time after which a program counts as running well, so that the next panic is a first one.
const STEADY: Duration = Duration::from_mins(10);
/// The longest pause before a restart. Hooks wait for eight seconds for a Beckon that is gone
/// (`cli/ask/waiting.rs`).
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// The panics before this start: how often the program was restarted in a row, and which part
/// panicked last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FormerFaults {
    pub(crate) count: u32,
    pub(crate) suspect: Option<Part>,
    /// The parts that had been left out and were tried again, one for each time.
    pub(crate) tried: Vec<Part>,
}

/// Makes a panic in any thread be logged and restart the program.
pub(crate) fn start_anew_on_panic(former: FormerFaults) {
    let started = Instant::now();
    std::panic::set_hook(Box::new(move |panic| {
        logs::log_panic(panic);
        // The loop may work on earlier input of a part that is left out already, and such a part
        // cannot be left out again.
        let of_place = || panic.location().and_then(|it| Part::of_place(it.file()));
        let part = Part::current().or_else(of_place);
        let part = part.filter(|part| !part.is_left_out());
        start_anew(&FaultRecord::of(&former, started.elapsed(), part))
    }));
}

/// Makes a panic end the program with success: it was told to end, so it must not restart.
pub(crate) fn end_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        logs::log_panic(panic);
        std::process::exit(0)
    }));
}

/// Returns the pause before a restart. A recurring panic must not keep the machine busy. The pause
/// is never zero: where the old program can't be replaced, it needs a moment to end.
pub(crate) fn pause(faults: u32) -> Duration {
    let doubled = 1_u64
        .checked_shl(faults.saturating_sub(1))
        .unwrap_or(u64::MAX);
    Duration::from_secs(doubled).min(LONGEST_PAUSE)
}

/// The facts about a panic for the next start.
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
        let is_again = part.is_some() && count > MOST_STARTS && part == former.suspect;
        let is_on_trial = part.as_ref().is_some_and(|it| former.tried.contains(it));
        if is_again || is_on_trial && ran < STEADY {
            // Without that part the next panic is a first one.
            return Self {
                count: 1,
                suspect: None,
                left_out: part,
            };
        }
        Self {
            count,
            suspect: part,
            left_out: next_without(count, part::left_out()),
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

/// Returns the next part to leave out if it is unknown which one panics.
fn next_without(count: u32, left_out: &[Part]) -> Option<Part> {
    let is_due = count >= MOST_UNKNOWN && count.is_multiple_of(2);
    let mut talking = TALKING.into_iter().filter(|it| !left_out.contains(it));
    talking.next().filter(|_| is_due)
}

/// Returns how long the parts stay left out, by how often they were tried again.
fn pause_without(tried: &[Part], left_out: &[Part]) -> Duration {
    let times = |part: &Part| tried.iter().filter(|it| *it == part).count();
    let most = left_out.iter().map(times).max().unwrap_or_default();
    let doubled = 1_u32.checked_shl(u32::try_from(most).unwrap_or(u32::MAX));
    AGAIN
        .checked_mul(doubled.unwrap_or(u32::MAX))
        .map_or(AGAIN_AT_LEAST, |it| it.min(AGAIN_AT_LEAST))
}

/// Restarts with all parts, after a pause that grows each time. A part that panicked because of
/// what others had sent must not be gone until somebody restarts Beckon.
pub(crate) async fn try_left_out_again(tried: &[Part]) {
    let left_out = part::left_out();
    if left_out.is_empty() {
        return;
    }
    tokio::time::sleep(pause_without(tried, left_out)).await;
    tracing::info!(?left_out, "restarting with the parts that were left out");
    let Err(error) = replace_with(with_all(std::env::args_os().skip(1)));
    tracing::error!(%error, "can't restart with the parts that were left out");
}

/// Restarts the program as it was started, for a reason that is no fault of its own.
pub(crate) fn start_over(why: &str) {
    tracing::warn!(why, "Beckon starts anew");
    let Err(error) = replace_with(with_all(std::env::args_os().skip(1)));
    tracing::error!(%error, "Beckon could not be started anew");
}

/// Returns the arguments of a program that leaves out nothing.
fn with_all(old: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let without = format!("--{WITHOUT}=");
    let is_replaced = |text: &str| {
        let faults = [format!("--{ARGUMENT}="), format!("--{SUSPECT}=")];
        faults.iter().any(|it| text.starts_with(it.as_str()))
    };
    old.filter_map(|argument| {
        let text = argument.to_string_lossy();
        match text.strip_prefix(&without) {
            Some(part) => Some(format!("--{TRIED}={part}").into()),
            None if is_replaced(&text) => None,
            None => Some(argument),
        }
    })
    .collect()
}

/// Restarts the program. Two threads may panic at once, and only one may start a new program.
fn start_anew(record: &FaultRecord) -> ! {
    static FIRST: Mutex<()> = Mutex::new(());
    let _first = FIRST.lock().unwrap_or_else(PoisonError::into_inner);
    // A source whose name no argument can hold must not end Beckon.
    let unnamed = FaultRecord {
        suspect: None,
        left_out: None,
        ..*record
    };
    let Err(error) = replace(record).or_else(|_| replace(&unnamed));
    tracing::error!(%error, "Beckon could not be restarted");
    std::process::exit(EXIT_CODE)
}

fn replace(record: &FaultRecord) -> anyhow::Result<Infallible> {
    replace_with(record.arguments(std::env::args_os().skip(1)))
}

fn replace_with(arguments: Vec<OsString>) -> anyhow::Result<Infallible> {
    let mut anew = Command::new(program::path()?);
    anew.args(arguments);
    Ok(platform::replace_with(anew)?)
}

#[cfg(test)]
mod tests;
