//! A value below this user's `Run` key: "Run and RunOnce Registry Keys" of Microsoft's
//! documentation.

use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::ptr::null_mut;
use windows_sys::Win32::Foundation::{ERROR_FILE_NOT_FOUND, ERROR_MORE_DATA, ERROR_SUCCESS};
use windows_sys::Win32::System::Registry::{
    HKEY_CURRENT_USER, REG_SZ, RRF_RT_REG_SZ, RegDeleteKeyValueW, RegGetValueW, RegSetKeyValueW,
};

const KEY: &str = "Software\\Microsoft\\Windows\\CurrentVersion\\Run";
const VALUE: &str = "Beckon";
/// The length of the longest line that Windows runs.
const LONGEST: usize = 260;

pub(super) fn is_on() -> Result<bool> {
    Ok(line()?.is_some_and(|line| !leads_nowhere(&line)))
}

/// Reads the line that Windows runs at login, if there is one.
fn line() -> Result<Option<String>> {
    let (key, value) = (wide(KEY), wide(VALUE));
    let mut line = [0_u16; LONGEST + 1];
    let mut bytes = u32::try_from(size_of_val(&line)).context("Failed to measure a text")?;
    // SAFETY: both strings end with a zero, and `bytes` is the size of what may be written; all of
    // them outlive the call.
    #[expect(unsafe_code)]
    let result = unsafe {
        let (key, value) = (key.as_ptr(), value.as_ptr());
        let line = line.as_mut_ptr().cast();
        RegGetValueW(
            HKEY_CURRENT_USER,
            key,
            value,
            RRF_RT_REG_SZ,
            null_mut(),
            line,
            &raw mut bytes,
        )
    };
    match result {
        ERROR_SUCCESS => {
            let text: Vec<u16> = line.into_iter().take_while(|unit| *unit != 0).collect();
            Ok(Some(String::from_utf16_lossy(&text)))
        }
        ERROR_FILE_NOT_FOUND | ERROR_MORE_DATA => Ok(None),
        error => bail!("Failed to read the registry: error {error}"),
    }
}

/// Tells whether a line names a program that is gone, which Windows passes by. Whoever wrote a line
/// without quotes knows what they run.
fn leads_nowhere(line: &str) -> bool {
    let program = line.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    program.is_some_and(|(path, _)| !Path::new(path).is_file())
}

/// Writes the line, within quotes: a path with a blank in it would else begin with another
/// program's.
pub(super) fn turn_on(program: &Path) -> Result<()> {
    let line = format!("\"{}\"", program.display());
    ensure!(
        line.len() <= LONGEST,
        "Failed to start at login: the program's path is too long"
    );
    let (key, value, data) = (wide(KEY), wide(VALUE), wide(&line));
    let bytes = u32::try_from(size_of_val(data.as_slice())).context("Failed to measure a text")?;
    // SAFETY: all three strings end with a zero and outlive the call; `bytes` is the data's size.
    #[expect(unsafe_code)]
    let result = unsafe {
        let data = data.as_ptr().cast();
        RegSetKeyValueW(
            HKEY_CURRENT_USER,
            key.as_ptr(),
            value.as_ptr(),
            REG_SZ,
            data,
            bytes,
        )
    };
    ensure!(
        result == ERROR_SUCCESS,
        "Failed to write the registry: error {result}"
    );
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

    /// Turns it on and off in one test, since there is one registry.
    #[test]
    fn it_is_turned_on_and_off_again_and_off_is_also_what_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("a blank").with_extension("exe");
        turn_on(&program).unwrap();
        assert!(!is_on().unwrap());
        std::fs::write(&program, "").unwrap();
        assert!(is_on().unwrap());
        turn_off().unwrap();
        assert!(!is_on().unwrap());
        turn_off().unwrap();
    }
}
