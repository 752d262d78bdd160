//! On Unix a signal that is meant for the agent reaches the process that its editor knows: this one.

use rustix::process::{Pid, Signal, kill_process};
use std::future::poll_fn;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};
use tokio::process::Child;
use tokio::signal::unix::{Signal as SignalStream, SignalKind, signal};

/// The signals by which an editor or a terminal ends a program.
const PASSED_ON: [(SignalKind, Signal); 4] = [
    (SignalKind::terminate(), Signal::TERM),
    (SignalKind::interrupt(), Signal::INT),
    (SignalKind::hangup(), Signal::HUP),
    (SignalKind::quit(), Signal::QUIT),
];
/// The exit code of a shell for a program that a signal has ended is this and its number (POSIX,
/// 2.8.2).
const BY_SIGNAL: i32 = 128;

/// Waits for the end of the agent, and passes signals on to it; returns its exit code.
pub(in super::super) async fn of(agent: &mut Child) -> ExitCode {
    let heard = PASSED_ON.map(|(kind, passed)| Some((signal(kind).ok()?, passed)));
    let mut heard: Vec<(SignalStream, Signal)> = heard.into_iter().flatten().collect();
    let pid = agent.id().and_then(|id| i32::try_from(id).ok());
    let pid = pid.and_then(Pid::from_raw);
    loop {
        tokio::select! {
            status = agent.wait() => return status.map_or(ExitCode::FAILURE, code),
            signal = next(&mut heard) => {
                // One that has just ended needs none.
                let _ = pid.map(|pid| kill_process(pid, signal));
            }
        }
    }
}

async fn next(heard: &mut [(SignalStream, Signal)]) -> Signal {
    poll_fn(|context| {
        let mut ready = heard.iter_mut();
        let ready = ready
            .find_map(|(stream, passed)| stream.poll_recv(context).is_ready().then_some(*passed));
        ready.map_or(std::task::Poll::Pending, std::task::Poll::Ready)
    })
    .await
}

fn code(status: ExitStatus) -> ExitCode {
    let by_signal = status.signal().map(|signal| BY_SIGNAL + signal);
    let code = status.code().or(by_signal);
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
