//! By the console's Ctrl-C, Ctrl-Break, its closing, and the end of the session.

use tokio::signal::windows;

pub(super) async fn told_to_end() {
    let (Ok(mut c), Ok(mut break_), Ok(mut close), Ok(mut shutdown)) =
        (windows::ctrl_c(), windows::ctrl_break(), windows::ctrl_close(), windows::ctrl_shutdown())
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = c.recv() => {}
        _ = break_.recv() => {}
        _ = close.recv() => {}
        _ = shutdown.recv() => {}
    }
}
