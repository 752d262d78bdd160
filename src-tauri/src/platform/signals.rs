//! The system's request that the program end. Whatever form it takes, the program ends tidily:
//! nothing of it stays in `run/`.

#[cfg_attr(unix, path = "signals/unix.rs")]
#[cfg_attr(windows, path = "signals/windows.rs")]
mod platform;

/// Waits until the program is to end. Needs a tokio runtime.
pub(crate) async fn told_to_end() {
    platform::told_to_end().await;
}
