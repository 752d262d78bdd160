//! The identity under which Windows shows our toasts: without a registered one it drops them
//! without a word.
//!
//! Not here: the toasts.

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use windows_sys::Win32::Foundation::ERROR_SUCCESS;
use windows_sys::Win32::System::Registry::{HKEY_CURRENT_USER, REG_SZ, RegSetKeyValueW};
use windows_sys::Win32::UI::Shell::SetCurrentProcessExplicitAppUserModelID;

/// The AppUserModelID. It equals the bundle's identifier, so that it is the installer's too.
pub(super) const ID: &str = "dev.beckon.desk";
const NAME: &str = "Beckon";

/// Registers our identity with Windows, for this process and in the user's registry.
pub(super) fn register() -> Result<()> {
    write("DisplayName", NAME)?;
    if let Some(icon) = icon() {
        write("IconUri", &icon.to_string_lossy())?;
    }
    let id = wide(ID);
    // SAFETY: the string ends with a zero and outlives the call.
    #[expect(unsafe_code)]
    let result = unsafe { SetCurrentProcessExplicitAppUserModelID(id.as_ptr()) };
    ensure!(
        result >= 0,
        "Failed to set the application's identity: {result:#x}"
    );
    Ok(())
}

fn write(name: &str, value: &str) -> Result<()> {
    let (key, name) = (
        wide(&format!("Software\\Classes\\AppUserModelId\\{ID}")),
        wide(name),
    );
    let value = wide(value);
    let bytes = u32::try_from(size_of_val(value.as_slice())).context("Failed to measure a text")?;
    // SAFETY: all three strings end with a zero and outlive the call; `bytes` is the value's size.
    #[expect(unsafe_code)]
    let result = unsafe {
        let data = value.as_ptr().cast();
        RegSetKeyValueW(
            HKEY_CURRENT_USER,
            key.as_ptr(),
            name.as_ptr(),
            REG_SZ,
            data,
            bytes,
        )
    };
    ensure!(
        result == ERROR_SUCCESS,
        "Failed to register for notifications: error {result}"
    );
    Ok(())
}

/// Returns the path of the picture that the installer puts beside the program, if it did.
fn icon() -> Option<PathBuf> {
    let icon = std::env::current_exe()
        .ok()?
        .with_file_name("icons")
        .join("128x128.png");
    icon.is_file().then_some(icon)
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
