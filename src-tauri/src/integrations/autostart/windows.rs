//! A value below this user's `Run` key: "Run and RunOnce Registry Keys" of Microsoft's documentation.

use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::ptr::null_mut;
use windows_sys::Win32::Foundation::{ERROR_FILE_NOT_FOUND, ERROR_SUCCESS};
use windows_sys::Win32::System::Registry::{
    HKEY_CURRENT_USER, REG_SZ, RRF_RT_REG_SZ, RegDeleteKeyValueW, RegGetValueW, RegSetKeyValueW,
};

const KEY: &str = "Software\\Microsoft\\Windows\\CurrentVersion\\Run";
const VALUE: &str = "Beckon";
/// A longer line is not run.
const LONGEST: usize = 260;

pub(super) fn is_on() -> Result<bool> {
    let (key, value) = (wide(KEY), wide(VALUE));
    // SAFETY: both strings end with a zero and outlive the call; nothing is written anywhere.
    #[expect(unsafe_code)]
    let result = unsafe {
        let (key, value) = (key.as_ptr(), value.as_ptr());
        RegGetValueW(
            HKEY_CURRENT_USER,
            key,
            value,
            RRF_RT_REG_SZ,
            null_mut(),
            null_mut(),
            null_mut(),
        )
    };
    match result {
        ERROR_SUCCESS => Ok(true),
        ERROR_FILE_NOT_FOUND => Ok(false),
        error => bail!("Failed to read the registry: error {error}"),
    }
}

/// Within quotes: a path with a blank in it would else begin with another program's.
pub(super) fn turn_on(program: &Path) -> Result<()> {
    let line = format!("\"{}\"", program.display());
    ensure!(line.len() <= LONGEST, "Failed to start at login: the program's path is too long");
    let (key, value, data) = (wide(KEY), wide(VALUE), wide(&line));
    let bytes = u32::try_from(size_of_val(data.as_slice())).context("Failed to measure a text")?;
    // SAFETY: all three strings end with a zero and outlive the call; `bytes` is the data's size.
    #[expect(unsafe_code)]
    let result = unsafe {
        let data = data.as_ptr().cast();
        RegSetKeyValueW(HKEY_CURRENT_USER, key.as_ptr(), value.as_ptr(), REG_SZ, data, bytes)
    };
    ensure!(result == ERROR_SUCCESS, "Failed to write the registry: error {result}");
    Ok(())
}

pub(super) fn turn_off() -> Result<()> {
    let (key, value) = (wide(KEY), wide(VALUE));
    // SAFETY: both strings end with a zero and outlive the call.
    #[expect(unsafe_code)]
    let result = unsafe { RegDeleteKeyValueW(HKEY_CURRENT_USER, key.as_ptr(), value.as_ptr()) };
    let gone = matches!(result, ERROR_SUCCESS | ERROR_FILE_NOT_FOUND);
    ensure!(gone, "Failed to write the registry: error {result}");
    Ok(())
}

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_turned_on_and_off_again() {
        turn_on(Path::new("C:\\Program Files\\Beckon\\beckon.exe")).unwrap();
        assert!(is_on().unwrap());
        turn_off().unwrap();
        assert!(!is_on().unwrap());
        turn_off().unwrap();
    }
}
