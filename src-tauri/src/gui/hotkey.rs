//! The hot key that opens the answer window from everywhere. It is off unless it is set. Where the
//! system lets no program have one (Wayland), the error says so.

#[cfg_attr(target_os = "linux", path = "hotkey/x11.rs")]
#[cfg_attr(target_os = "macos", path = "hotkey/macos.rs")]
#[cfg_attr(windows, path = "hotkey/windows.rs")]
mod platform;

use std::str::FromStr;
use std::sync::Arc;

/// The callback for when the hot key is pressed. It is called on a thread of its own.
pub(crate) type PressedCallback = Arc<dyn Fn() + Send + Sync>;

/// A key, and the modifiers that are held beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyCombination {
    /// Ctrl.
    pub control: bool,
    /// Alt.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
    /// The key with the logo (Super, Cmd, Win).
    pub logo: bool,
    /// A letter in upper case, or a digit.
    pub key: char,
}

/// The hot key. Dropping it gives the key back to the system.
#[derive(Default)]
pub(crate) struct Hotkey {
    text: String,
    held: Option<platform::KeyGrab>,
}

impl Hotkey {
    /// Takes another combination; an empty text means none. The one before is given back.
    ///
    /// # Errors
    /// The reason for which it cannot be had.
    pub(crate) fn set(
        &mut self,
        text: &str,
        pressed: impl Fn() + Send + Sync + 'static,
    ) -> Result<(), HotkeyError> {
        if self.text == text {
            return Ok(());
        }
        (self.held, self.text) = (None, text.to_owned());
        if !text.is_empty() {
            self.held = Some(platform::grab(text.parse()?, Arc::new(pressed))?);
            tracing::info!(hotkey = text, "the hot key is registered");
        }
        Ok(())
    }
}

impl Hotkey {
    /// Tells whether the hot key is taken, or none is wanted.
    pub(crate) fn is_well(&self) -> bool {
        self.text.is_empty() || self.held.is_some()
    }
}

impl std::fmt::Debug for Hotkey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Hotkey").field(&self.text).finish()
    }
}

/// The reason for which there is no hot key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HotkeyError {
    /// The name of the keys cannot be read.
    #[error("window.hotkey is {0:?}; allowed are \"\" and keys like \"Ctrl+Alt+B\"")]
    Unreadable(String),
    /// Another program has the hot key.
    #[error("another program has the hot key already")]
    Taken,
    /// The system gives no program a hot key.
    #[error(
        "programs can have no hot key here; bind `beckon show --window` in the settings of the desktop"
    )]
    Nowhere,
}

impl FromStr for KeyCombination {
    type Err = HotkeyError;

    /// Reads the names of the keys. Ctrl, Alt or the logo must be held, since a lone letter would
    /// be taken from every text field.
    fn from_str(text: &str) -> Result<Self, HotkeyError> {
        let unreadable = || HotkeyError::Unreadable(text.to_owned());
        let mut parts: Vec<String> = text.split('+').map(|p| p.trim().to_lowercase()).collect();
        let key = parts.pop().unwrap_or_default();
        let mut letters = key.chars();
        let (Some(key), None) = (letters.next(), letters.next()) else {
            return Err(unreadable());
        };
        let key = key.to_ascii_uppercase();
        let mut found = Self {
            control: false,
            alt: false,
            shift: false,
            logo: false,
            key,
        };
        for part in &parts {
            match part.as_str() {
                "ctrl" | "control" => found.control = true,
                "alt" => found.alt = true,
                "shift" => found.shift = true,
                "super" | "cmd" | "win" => found.logo = true,
                _ => return Err(unreadable()),
            }
        }
        let held = found.control || found.alt || found.logo;
        if held && key.is_ascii_alphanumeric() {
            Ok(found)
        } else {
            Err(unreadable())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combination_is_read_however_it_is_written() {
        let wanted = KeyCombination {
            control: true,
            alt: true,
            shift: false,
            logo: false,
            key: 'B',
        };
        for text in ["Ctrl+Alt+B", "control + alt + b", "ALT+CTRL+b"] {
            assert_eq!(text.parse(), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_would_be_taken_from_every_text_field_is_refused() {
        for text in [
            "b", "Shift+B", "Ctrl+", "Ctrl+Alt", "Hyper+B", "Ctrl+ö", "+",
        ] {
            assert!(text.parse::<KeyCombination>().is_err(), "{text}");
        }
    }
}
