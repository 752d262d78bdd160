//! On Windows a program that ends another one asks nobody, and Ctrl-C reaches all programs of a
//! console.

use std::process::ExitCode;
use tokio::process::Child;

/// Waits for the end of the agent; returns its exit code.
pub(in super::super) async fn of(agent: &mut Child) -> ExitCode {
    let ended = async {
        loop {
            // This process is to outlive the agent.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let status = tokio::select! {
        status = agent.wait() => status,
        () = ended => return ExitCode::FAILURE,
    };
    let code = status.ok().and_then(|status| status.code());
    let code = code.and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}
