//! A window that nobody sees. Windows reports locking, sleep and the end of a session only to
//! windows.
//!
//! Not here: what any of its messages mean.

use anyhow::{Context, Result, ensure};
use std::convert::Infallible;
use std::ptr::{null, null_mut};
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::System::LibraryLoader::GetModuleHandleW;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DispatchMessageW, GetMessageW, MSG, RegisterClassW, WNDCLASSW, WNDPROC,
    WS_OVERLAPPED,
};

/// Creates an ordinary window that is never shown. A window for messages only would miss what is
/// sent to all windows. Its procedure is called on this thread, within [`dispatch`].
///
/// # Errors
/// When the system makes none.
pub(crate) fn create(class: &str, procedure: WNDPROC) -> Result<HWND> {
    let class: Vec<u16> = class.encode_utf16().chain([0]).collect();
    let none = null_mut();
    // SAFETY: the name ends with a zero and outlives the calls; all else may be null.
    #[expect(unsafe_code)]
    let window = unsafe {
        let module = GetModuleHandleW(null());
        let kind = WNDCLASSW {
            lpfnWndProc: procedure,
            hInstance: module,
            lpszClassName: class.as_ptr(),
            ..WNDCLASSW::default()
        };
        ensure!(
            RegisterClassW(&kind) != 0,
            "Failed to register a window class"
        );
        let (name, style) = (class.as_ptr(), WS_OVERLAPPED);
        CreateWindowExW(0, name, name, style, 0, 0, 0, 0, none, none, module, null())
    };
    if window.is_null() {
        return Err(std::io::Error::last_os_error()).context("Failed to create a hidden window");
    }
    Ok(window)
}

/// Hands on messages on this thread until Windows refuses to go on.
///
/// # Errors
/// Always, in the end.
pub(crate) fn dispatch() -> Result<Infallible> {
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
