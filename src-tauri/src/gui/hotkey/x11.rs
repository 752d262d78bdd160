//! X11: a passive grab of the key on the root window. With a Wayland compositor there is no such
//! thing, since its X server sees no keys of other programs.

use super::{HotkeyError, KeyCombination, PressedCallback};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, EventMask, GrabMode, ModMask, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;

/// The modifiers of Caps Lock and Num Lock. The key is grabbed with each of them held or not.
const LOCKS: [ModMask; 2] = [ModMask::LOCK, ModMask::M2];

/// The grab, which the server ends with the connection.
pub(super) struct KeyGrab {
    connection: Arc<RustConnection>,
    /// Our own window, to which a message wakes the waiting thread.
    window: Window,
    over: Arc<AtomicBool>,
}

pub(super) fn grab(
    combination: KeyCombination,
    pressed: PressedCallback,
) -> Result<KeyGrab, HotkeyError> {
    if std::env::var_os("WAYLAND_DISPLAY").is_some() {
        return Err(HotkeyError::Nowhere);
    }
    let (connection, screen) = x11rb::connect(None).map_err(|_| HotkeyError::Nowhere)?;
    let root = connection.setup().roots[screen].root;
    let code = code_of(&connection, combination.key).ok_or(HotkeyError::Nowhere)?;
    for locks in [ModMask::default(), LOCKS[0], LOCKS[1], LOCKS[0] | LOCKS[1]] {
        let held = modifiers(combination) | locks;
        let (now, later) = (GrabMode::ASYNC, GrabMode::ASYNC);
        let cookie = connection.grab_key(false, root, held, code, now, later);
        let grabbed = cookie.map_err(|_| HotkeyError::Nowhere)?.check();
        grabbed.map_err(|_| HotkeyError::Taken)?;
    }
    let window = own_window(&connection, root).ok_or(HotkeyError::Nowhere)?;
    let grab = KeyGrab {
        connection: Arc::new(connection),
        window,
        over: Arc::default(),
    };
    let (connection, over) = (grab.connection.clone(), grab.over.clone());
    std::thread::Builder::new()
        .name("hotkey".into())
        .spawn(move || listen(&connection, &over, &pressed))
        .map_err(|_| HotkeyError::Nowhere)?;
    Ok(grab)
}

impl Drop for KeyGrab {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        let word = ClientMessageEvent::new(32, self.window, 1_u32, [0_u32; 5]);
        // If the server is gone, so is the grab.
        let _ = self
            .connection
            .send_event(false, self.window, EventMask::NO_EVENT, word);
        let _ = self.connection.flush();
    }
}

fn listen(connection: &RustConnection, over: &AtomicBool, pressed: &PressedCallback) {
    while let Ok(event) = connection.wait_for_event() {
        if over.load(Ordering::Acquire) {
            return;
        }
        if let Event::KeyPress(_) = event {
            pressed();
        }
    }
}

fn modifiers(combination: KeyCombination) -> ModMask {
    let KeyCombination {
        control,
        alt,
        shift,
        logo,
        ..
    } = combination;
    let all = [
        (control, ModMask::CONTROL),
        (alt, ModMask::M1),
        (shift, ModMask::SHIFT),
        (logo, ModMask::M4),
    ];
    all.into_iter()
        .filter(|(held, _)| *held)
        .fold(ModMask::default(), |sum, (_, mask)| sum | mask)
}

/// Returns the code of a key. Latin letters and digits are their own key symbols, the letters in
/// lower case (<https://www.x.org/releases/X11R7.7/doc/xproto/x11protocol.html#keysym_encoding>).
fn code_of(connection: &RustConnection, key: char) -> Option<u8> {
    let wanted = u32::from(key.to_ascii_lowercase());
    let setup = connection.setup();
    let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
    let mapping = connection
        .get_keyboard_mapping(first, count)
        .ok()?
        .reply()
        .ok()?;
    let each = usize::from(mapping.keysyms_per_keycode).max(1);
    let place = mapping
        .keysyms
        .chunks(each)
        .position(|symbols| symbols.contains(&wanted))?;
    u8::try_from(place).ok()?.checked_add(first)
}

fn own_window(connection: &RustConnection, root: Window) -> Option<Window> {
    let window = connection.generate_id().ok()?;
    let class = WindowClass::INPUT_ONLY;
    let made = connection.create_window(
        0,
        window,
        root,
        0,
        0,
        1,
        1,
        0,
        class,
        0,
        &Default::default(),
    );
    made.ok()?.check().ok()?;
    Some(window)
}
