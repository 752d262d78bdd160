//! A window that nobody sees: Windows tells locking, sleep and waking only to windows.
//!
//! Not here: when the last input was.

use crate::presence::FactSink;
use crate::presence::evidence::PresenceFact;
use anyhow::{Context, Result, ensure};
use beckon_core::PresenceSource;
use std::convert::Infallible;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use windows_sys::Win32::Foundation::{HWND, LPARAM, LRESULT, WPARAM};
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::System::Power::RegisterSuspendResumeNotification;
use windows_sys::Win32::System::RemoteDesktop::{
    NOTIFY_FOR_THIS_SESSION, WTSRegisterSessionNotification,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DEVICE_NOTIFY_WINDOW_HANDLE, DefWindowProcW, DispatchMessageW, GetMessageW,
    MSG, PBT_APMRESUMEAUTOMATIC, PBT_APMSUSPEND, RegisterClassW, WM_POWERBROADCAST,
    WM_WTSSESSION_CHANGE, WNDCLASSW, WS_OVERLAPPED, WTS_SESSION_LOCK, WTS_SESSION_UNLOCK,
};

/// Of the window's class.
const CLASS: &str = "BeckonPresence";

/// Where the window tells what it hears; there is one, and its procedure is given nothing else.
static SINK: OnceLock<FactSink> = OnceLock::new();

/// Listens on this thread until Windows refuses to go on.
///
/// # Errors
/// Always, in the end.
pub(super) fn listen(sink: FactSink) -> Result<Infallible> {
    let sink = SINK.get_or_init(|| sink);
    let window = create()?;
    // SAFETY: the window is ours and lives as long as the thread.
    #[expect(unsafe_code)]
    let (session, power) = unsafe {
        let power = RegisterSuspendResumeNotification(window, DEVICE_NOTIFY_WINDOW_HANDLE);
        (WTSRegisterSessionNotification(window, NOTIFY_FOR_THIS_SESSION), power)
    };
    if session == 0 || power == 0 {
        let error = std::io::Error::last_os_error();
        tracing::info!(%error, "locking or sleep is only seen by asking");
    }
    if power != 0 {
        sink.post((PresenceSource::System, PresenceFact::Asleep(false)));
    }
    dispatch()
}

/// An ordinary window that is never shown: one for messages only would miss what is sent to all.
fn create() -> Result<HWND> {
    let (class, none) = (wide(CLASS), null_mut());
    // SAFETY: the name ends with a zero and outlives the calls; all else may be null.
    #[expect(unsafe_code)]
    let window = unsafe {
        let module = GetModuleHandleW(null());
        let kind = WNDCLASSW {
            lpfnWndProc: Some(on_message),
            hInstance: module,
            lpszClassName: class.as_ptr(),
            ..WNDCLASSW::default()
        };
        ensure!(RegisterClassW(&kind) != 0, "Failed to register a window class");
        let (name, style) = (class.as_ptr(), WS_OVERLAPPED);
        CreateWindowExW(0, name, name, style, 0, 0, 0, 0, none, none, module, null())
    };
    if window.is_null() {
        return Err(std::io::Error::last_os_error()).context("Failed to create a hidden window");
    }
    Ok(window)
}

fn dispatch() -> Result<Infallible> {
    let mut message = MSG::default();
    loop {
        // SAFETY: the structure is ours, and Windows fills it before it is passed on.
        #[expect(unsafe_code)]
        let got = unsafe {
            let got = GetMessageW(&mut message, null_mut(), 0, 0);
            DispatchMessageW(&message);
            got
        };
        ensure!(got > 0, "Failed to wait for messages of the system");
    }
}

/// What a message means for presence.
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
    // SAFETY: passed on as it came.
    unsafe { DefWindowProcW(window, message, parameter, more) }
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_session_and_of_its_power_are_understood() {
        let table = [
            (WM_WTSSESSION_CHANGE, WTS_SESSION_LOCK, Some(PresenceFact::Locked(true))),
            (WM_WTSSESSION_CHANGE, WTS_SESSION_UNLOCK, Some(PresenceFact::Locked(false))),
            (WM_POWERBROADCAST, PBT_APMSUSPEND, Some(PresenceFact::Asleep(true))),
            (WM_POWERBROADCAST, PBT_APMRESUMEAUTOMATIC, Some(PresenceFact::Asleep(false))),
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
            on_message(null_mut(), WM_WTSSESSION_CHANGE, WTS_SESSION_LOCK as WPARAM, 0);
        }
        assert_eq!(facts.try_recv(), Ok((PresenceSource::System, PresenceFact::Locked(true))));
    }
}
