//! macOS: the global-hotkey crate registers the key. The system wants that done on the main thread,
//! where the menu bar's loop runs.

use super::{HotkeyError, KeyCombination, PressedCallback};
use dispatch2::DispatchQueue;
use global_hotkey::hotkey::HotKey;
use global_hotkey::{GlobalHotKeyEvent, GlobalHotKeyManager, HotKeyState};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long the main thread's answer is waited for. Without a menu bar (`--headless`) nothing runs
/// there, and nobody would answer.
const ANSWERS_WITHIN: Duration = Duration::from_millis(500);

/// The callback that the crate's only handler calls. The handler can be set once for a process.
static PRESSED: Mutex<Option<PressedCallback>> = Mutex::new(None);

/// The registered key.
pub(super) struct KeyGrab {
    manager: Arc<GlobalHotKeyManager>,
    hotkey: HotKey,
}

pub(super) fn grab(
    combination: KeyCombination,
    pressed: PressedCallback,
) -> Result<KeyGrab, HotkeyError> {
    let hotkey: HotKey = written(combination)
        .parse()
        .map_err(|_| HotkeyError::Nowhere)?;
    let (reply, answer) = mpsc::channel();
    DispatchQueue::main().exec_async(move || {
        let _ = reply.send(register(hotkey));
    });
    let manager = answer
        .recv_timeout(ANSWERS_WITHIN)
        .map_err(|_| HotkeyError::Nowhere)??;
    *PRESSED.lock().unwrap_or_else(PoisonError::into_inner) = Some(pressed);
    GlobalHotKeyEvent::set_event_handler(Some(on_event));
    Ok(KeyGrab {
        manager: Arc::new(manager),
        hotkey,
    })
}

impl Drop for KeyGrab {
    fn drop(&mut self) {
        let (manager, hotkey) = (self.manager.clone(), self.hotkey);
        DispatchQueue::main().exec_async(move || {
            if let Err(error) = manager.unregister(hotkey) {
                tracing::info!(%error, "the hot key was not given back");
            }
        });
    }
}

fn register(hotkey: HotKey) -> Result<GlobalHotKeyManager, HotkeyError> {
    let manager = GlobalHotKeyManager::new().map_err(|_| HotkeyError::Nowhere)?;
    manager.register(hotkey).map_err(|_| HotkeyError::Taken)?;
    Ok(manager)
}

fn on_event(event: GlobalHotKeyEvent) {
    let pressed = PRESSED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    if event.state == HotKeyState::Pressed
        && let Some(pressed) = pressed
    {
        pressed();
    }
}

/// Writes a combination as the crate reads it.
fn written(combination: KeyCombination) -> String {
    let KeyCombination {
        control,
        alt,
        shift,
        logo,
        key,
    } = combination;
    let held = [
        (control, "control+"),
        (alt, "alt+"),
        (shift, "shift+"),
        (logo, "super+"),
    ];
    let held = held
        .into_iter()
        .filter(|(held, _)| *held)
        .map(|(_, name)| name);
    held.chain([key.to_string().as_str()]).collect()
}
