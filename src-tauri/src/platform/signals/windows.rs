//! Requests to end by the console's Ctrl-C, Ctrl-Break and its closing, and by what Windows tells
//! windows only: the end of the session, and a polite request to close (`session_end.rs`).

#[path = "windows/session_end.rs"]
mod session_end;

use tokio::signal::windows;

pub(super) async fn told_to_end() {
    tokio::select! {
        () = at_the_console() => {}
        () = session_end::told() => {}
    }
}

async fn at_the_console() {
    let (Ok(mut c), Ok(mut break_), Ok(mut close), Ok(mut shutdown)) = (
        windows::ctrl_c(),
        windows::ctrl_break(),
        windows::ctrl_close(),
        windows::ctrl_shutdown(),
    ) else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = c.recv() => {}
        _ = break_.recv() => {}
        _ = close.recv() => {}
        _ = shutdown.recv() => {}
    }
}
