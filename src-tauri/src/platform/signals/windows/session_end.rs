//! Waits for `WM_CLOSE`, which an installer and `taskkill` send to every window of a program, and
//! for `WM_ENDSESSION`, which a program with windows gets in place of the console's event: logging
//! off, shutting down, an update that restarts it
//! (<https://learn.microsoft.com/windows/win32/shutdown/wm-endsession>).
//!
//! Beside the tray tao hears of the end of the session, too, and would end the process at once:
//! `tray/native.rs` holds it back.

use crate::platform::hidden_window;
use anyhow::Result;
use std::convert::Infallible;
use std::sync::OnceLock;
use std::time::Duration;
use tokio::sync::Notify;
use windows_sys::Win32::Foundation::{HWND, LPARAM, LRESULT, WPARAM};
use windows_sys::Win32::UI::WindowsAndMessaging::{DefWindowProcW, WM_CLOSE, WM_ENDSESSION};

/// The name of the window's class.
const CLASS: &str = "BeckonEnd";
/// How long the answer to Windows is held back. Once it has the answer, Windows may end the program
/// at any moment; after five seconds without one it says that the program hangs. Ours has ended by
/// then.
const ENDED_WITHIN: Duration = Duration::from_secs(4);

/// The notification by the window's procedure, which is given nothing else.
static ENDS: OnceLock<Notify> = OnceLock::new();

pub(super) async fn told() {
    let listen = || {
        let Err(error) = listen();
        tracing::info!(
            error = format!("{error:#}"),
            "the end of the session can't be noticed"
        );
    };
    if let Err(error) = std::thread::Builder::new()
        .name("session".into())
        .spawn(listen)
    {
        tracing::warn!(%error, "the end of the session can't be noticed");
    }
    ends().notified().await;
}

fn ends() -> &'static Notify {
    ENDS.get_or_init(Notify::new)
}

fn listen() -> Result<Infallible> {
    hidden_window::create(CLASS, Some(on_message))?;
    hidden_window::dispatch()
}

#[expect(unsafe_code)]
unsafe extern "system" fn on_message(
    window: HWND,
    message: u32,
    parameter: WPARAM,
    more: LPARAM,
) -> LRESULT {
    match message {
        WM_CLOSE => ends().notify_one(),
        // A zero means that the session does not end after all.
        WM_ENDSESSION if parameter != 0 => {
            ends().notify_one();
            std::thread::sleep(ENDED_WITHIN);
        }
        // SAFETY: the message is passed on as it came.
        _ => return unsafe { DefWindowProcW(window, message, parameter, more) },
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null_mut;

    #[tokio::test]
    async fn who_asks_its_windows_to_close_ends_the_program() {
        // SAFETY: no window is needed for what is not passed on to one.
        #[expect(unsafe_code)]
        let answer = unsafe { on_message(null_mut(), WM_CLOSE, 0, 0) };
        assert_eq!(answer, 0);
        tokio::time::timeout(Duration::from_secs(1), ends().notified())
            .await
            .unwrap();
    }
}
