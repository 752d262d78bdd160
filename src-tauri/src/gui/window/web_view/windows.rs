//! Shows a message box.

use std::ptr::null_mut;
use windows_sys::Win32::UI::WindowsAndMessaging::{
    MB_ICONWARNING, MB_OK, MB_SETFOREGROUND, MessageBoxW,
};

pub(super) fn tell(title: &str, text: &str) {
    let (title, text) = (wide(title), wide(text));
    // SAFETY: both strings end with a zero and outlive the call; there is no window it belongs to.
    #[expect(unsafe_code)]
    unsafe {
        let style = MB_OK | MB_ICONWARNING | MB_SETFOREGROUND;
        MessageBoxW(null_mut(), text.as_ptr(), title.as_ptr(), style);
    }
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
