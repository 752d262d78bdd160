//! Windows: a registered hot key. Its presses are sent to the thread that registered it
//! (<https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerhotkey>).

use super::{HotkeyError, KeyCombination, PressedCallback};
use std::ptr::null_mut;
use std::sync::mpsc;
use windows_sys::Win32::Foundation::{ERROR_HOTKEY_ALREADY_REGISTERED, GetLastError};
use windows_sys::Win32::System::Threading::GetCurrentThreadId;
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{
    HOT_KEY_MODIFIERS, MOD_ALT, MOD_CONTROL, MOD_NOREPEAT, MOD_SHIFT, MOD_WIN, RegisterHotKey,
    UnregisterHotKey,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    GetMessageW, MSG, PostThreadMessageW, WM_HOTKEY, WM_QUIT,
};

/// The id of our hot key among those of the thread, of which it is the only one.
const ID: i32 = 1;

/// The thread that holds the key.
pub(super) struct KeyGrab {
    thread: u32,
}

pub(super) fn grab(
    combination: KeyCombination,
    pressed: PressedCallback,
) -> Result<KeyGrab, HotkeyError> {
    let (reply, answer) = mpsc::channel();
    std::thread::Builder::new()
        .name("hotkey".into())
        .spawn(move || hold(combination, &pressed, &reply))
        .map_err(|_| HotkeyError::Nowhere)?;
    answer
        .recv()
        .map_err(|_| HotkeyError::Nowhere)?
        .map(|thread| KeyGrab { thread })
}

impl Drop for KeyGrab {
    fn drop(&mut self) {
        // SAFETY: no pointers; if the thread has ended, Windows says so and nothing happens.
        #[expect(unsafe_code)]
        unsafe {
            PostThreadMessageW(self.thread, WM_QUIT, 0, 0);
        }
    }
}

fn hold(
    combination: KeyCombination,
    pressed: &PressedCallback,
    reply: &mpsc::Sender<Result<u32, HotkeyError>>,
) {
    // SAFETY: no pointers but the null window, which means this thread.
    #[expect(unsafe_code)]
    let registered = unsafe {
        let key = u32::from(combination.key);
        match RegisterHotKey(null_mut(), ID, modifiers(combination), key) {
            0 if GetLastError() == ERROR_HOTKEY_ALREADY_REGISTERED => Err(HotkeyError::Taken),
            0 => Err(HotkeyError::Nowhere),
            _ => Ok(GetCurrentThreadId()),
        }
    };
    let is_held = registered.is_ok();
    let is_heard = reply.send(registered).is_ok();
    if is_held && is_heard {
        listen(pressed);
    }
    // SAFETY: as above.
    #[expect(unsafe_code)]
    unsafe {
        UnregisterHotKey(null_mut(), ID);
    }
}

/// Listens until the grab is dropped.
fn listen(pressed: &PressedCallback) {
    let mut message = MSG::default();
    loop {
        // SAFETY: the structure is ours.
        #[expect(unsafe_code)]
        let got = unsafe { GetMessageW(&mut message, null_mut(), 0, 0) };
        if got <= 0 {
            return;
        }
        if message.message == WM_HOTKEY {
            pressed();
        }
    }
}

/// Returns the modifiers as Windows takes them. `MOD_NOREPEAT` makes a key that stays down one
/// press. Letters and digits are their own key codes
/// (<https://learn.microsoft.com/windows/win32/inputdev/virtual-key-codes>).
fn modifiers(combination: KeyCombination) -> HOT_KEY_MODIFIERS {
    let KeyCombination {
        control,
        alt,
        shift,
        logo,
        ..
    } = combination;
    let all = [
        (control, MOD_CONTROL),
        (alt, MOD_ALT),
        (shift, MOD_SHIFT),
        (logo, MOD_WIN),
    ];
    let held = all.into_iter().filter(|(held, _)| *held);
    held.fold(MOD_NOREPEAT, |sum, (_, modifier)| sum | modifier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    #[test]
    fn a_key_that_is_held_is_taken_for_others_until_it_is_given_back() {
        let combination = "Ctrl+Alt+Shift+7".parse().unwrap();
        let nothing: PressedCallback = Arc::new(|| {});
        let held = grab(combination, nothing.clone()).unwrap();
        assert_eq!(
            grab(combination, nothing.clone()).err(),
            Some(HotkeyError::Taken)
        );
        drop(held);
        // Its thread gives it back in its own time.
        let until = Instant::now() + Duration::from_secs(10);
        while let Err(error) = grab(combination, nothing.clone()) {
            assert_eq!(error, HotkeyError::Taken);
            assert!(Instant::now() < until, "the key is still taken");
            std::thread::yield_now();
        }
    }
}
