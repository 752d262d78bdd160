//! The hidden window whose messages tell of locking, sleep and waking.
//!
//! Not here: when the last input was, and the end of the session (`platform/signals`).

use crate::platform::hidden_window;
use crate::presence::FactSink;
use crate::presence::evidence::PresenceFact;
use anyhow::Result;
use beckon_core::PresenceSource;
use std::convert::Infallible;
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::{HWND, LPARAM, LRESULT, WPARAM};
use windows_sys::Win32::System::Power::RegisterSuspendResumeNotification;
use windows_sys::Win32::System::RemoteDesktop::{
    NOTIFY_FOR_THIS_SESSION, WTSRegisterSessionNotification,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    DEVICE_NOTIFY_WINDOW_HANDLE, DefWindowProcW, PBT_APMRESUMEAUTOMATIC, PBT_APMSUSPEND, WM_CLOSE,
    WM_POWERBROADCAST, WM_WTSSESSION_CHANGE, WTS_SESSION_LOCK, WTS_SESSION_UNLOCK,
};

/// The name of the window's class.
const CLASS: &str = "BeckonPresence";

/// The sink to which the window tells what it hears; there is one, and the window's procedure is
/// given nothing else.
static SINK: OnceLock<FactSink> = OnceLock::new();

/// Listens on this thread until Windows refuses to go on.
///
/// # Errors
/// Always, in the end.
pub(super) fn listen(sink: FactSink) -> Result<Infallible> {
    let sink = SINK.get_or_init(|| sink);
    let window = hidden_window::create(CLASS, Some(on_message))?;
    // SAFETY: the window is ours and lives as long as the thread.
    #[expect(unsafe_code)]
    let (session, power) = unsafe {
        let power = RegisterSuspendResumeNotification(window, DEVICE_NOTIFY_WINDOW_HANDLE);
        (
            WTSRegisterSessionNotification(window, NOTIFY_FOR_THIS_SESSION),
            power,
        )
    };
    if session == 0 || power == 0 {
        let error = std::io::Error::last_os_error();
        tracing::info!(%error, "locking or sleep is only seen by asking");
    }
    if power != 0 {
        sink.post((PresenceSource::System, PresenceFact::Asleep(false)));
    }
    hidden_window::dispatch()
}

/// Returns the fact that a message means.
fn meaning(message: u32, parameter: WPARAM) -> Option<PresenceFact> {
    match (message, u32::try_from(parameter).ok()?) {
        (WM_WTSSESSION_CHANGE, WTS_SESSION_LOCK) => Some(PresenceFact::Locked(true)),
        (WM_WTSSESSION_CHANGE, WTS_SESSION_UNLOCK) => Some(PresenceFact::Locked(false)),
        (WM_POWERBROADCAST, PBT_APMSUSPEND) => Some(PresenceFact::Asleep(true)),
        (WM_POWERBROADCAST, PBT_APMRESUMEAUTOMATIC) => Some(PresenceFact::Asleep(false)),
        _ => None,
    }
}

#[expect(unsafe_code)]
unsafe extern "system" fn on_message(
    window: HWND,
    message: u32,
    parameter: WPARAM,
    more: LPARAM,
) -> LRESULT {
    if let (Some(fact), Some(sink)) = (meaning(message, parameter), SINK.get()) {
        sink.post((PresenceSource::System, fact));
    }
    // The message is not for this window alone: whether the program ends is decided elsewhere, and
    // until then the window goes on listening.
    if message == WM_CLOSE {
        return 0;
    }
    // SAFETY: passed on as it came.
    unsafe { DefWindowProcW(window, message, parameter, more) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::null_mut;

    #[test]
    fn messages_of_the_session_and_of_its_power_are_understood() {
        let table = [
            (
                WM_WTSSESSION_CHANGE,
                WTS_SESSION_LOCK,
                Some(PresenceFact::Locked(true)),
            ),
            (
                WM_WTSSESSION_CHANGE,
                WTS_SESSION_UNLOCK,
                Some(PresenceFact::Locked(false)),
            ),
            (
                WM_POWERBROADCAST,
                PBT_APMSUSPEND,
                Some(PresenceFact::Asleep(true)),
            ),
            (
                WM_POWERBROADCAST,
                PBT_APMRESUMEAUTOMATIC,
                Some(PresenceFact::Asleep(false)),
            ),
            (WM_POWERBROADCAST, WTS_SESSION_LOCK, None),
        ];
        for (message, parameter, fact) in table {
            assert_eq!(meaning(message, parameter as WPARAM), fact);
        }
    }

    #[test]
    fn what_the_window_hears_is_told() {
        let (told, mut facts) = tokio::sync::mpsc::unbounded_channel();
        SINK.get_or_init(|| crate::platform::sink::Sink::new(move |fact| _ = told.send(fact)));
        // SAFETY: no window is needed for what is not passed on to one.
        #[expect(unsafe_code)]
        unsafe {
            on_message(
                null_mut(),
                WM_WTSSESSION_CHANGE,
                WTS_SESSION_LOCK as WPARAM,
                0,
            );
        }
        assert_eq!(
            facts.try_recv(),
            Ok((PresenceSource::System, PresenceFact::Locked(true)))
        );
    }
}
