//! Requests to end by signals. A terminal that is closed, and an ssh that breaks, send SIGHUP.
//! Ctrl-\ sends SIGQUIT, which would leave our memory with its secrets in a core file.

use std::io::IsTerminal;
use tokio::signal::unix::{Signal, SignalKind, signal};

pub(super) async fn told_to_end() {
    let mut kinds = vec![
        SignalKind::terminate(),
        SignalKind::interrupt(),
        SignalKind::quit(),
    ];
    if heeds_hangup() {
        kinds.push(SignalKind::hangup());
    }
    let waits = kinds
        .into_iter()
        .filter_map(|kind| signal(kind).ok())
        .map(|s| Box::pin(next(s)));
    let waits: Vec<_> = waits.collect();
    if waits.is_empty() {
        std::future::pending::<()>().await;
    }
    futures_util::future::select_all(waits).await;
}

async fn next(mut signal: Signal) {
    signal.recv().await;
}

/// Tells whether SIGHUP is heeded. `nohup` lets a program ignore it, and a handler of ours would
/// undo that.
fn heeds_hangup() -> bool {
    match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => !ignores_hangup(&status),
        // Where nothing tells, the terminal decides: `nohup` takes the program off it.
        Err(_) => std::io::stdout().is_terminal() || std::io::stderr().is_terminal(),
    }
}

/// Tells whether SIGHUP is ignored. `SigIgn` is a set of signals in hexadecimal; SIGHUP is its
/// first.
fn ignores_hangup(status: &str) -> bool {
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let set = set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    set.is_some_and(|set| set & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hangup_that_is_ignored_from_the_start_stays_so() {
        let status =
            |set: &str| format!("Name:\tbeckon\nSigBlk:\t01\nSigIgn:\t{set}\nSigCgt:\t01\n");
        assert!(ignores_hangup(&status("0000000000001001")));
        assert!(!ignores_hangup(&status("0000000000001000")));
        assert!(!ignores_hangup("Name:\tbeckon\n"));
    }
}
