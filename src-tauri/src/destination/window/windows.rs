//! The way to a window on Windows: the first visible window of the program. Where another program
//! has the focus, Windows may only let its button in the taskbar blink.

#![expect(unsafe_code, reason = "the calls of Windows have no safe counterpart")]

use anyhow::{Context, Result, ensure};
use windows_sys::Win32::Foundation::{HWND, LPARAM, TRUE};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    EnumWindows, GetForegroundWindow, GetWindowThreadProcessId, IsIconic, IsWindowVisible,
    SW_RESTORE, SetForegroundWindow, ShowWindow,
};
use windows_sys::core::BOOL;

pub(super) fn raise(lineage: &[u32]) -> Result<()> {
    let windows = windows();
    let of = |pid: &u32| windows.iter().find(|(_, owner)| owner == pid);
    let (window, _) = lineage
        .iter()
        .find_map(of)
        .context("none of its processes has a window")?;
    // SAFETY: a window that has closed meanwhile makes these calls fail, no more.
    let raised = unsafe {
        if IsIconic(*window) != 0 {
            ShowWindow(*window, SW_RESTORE);
        }
        SetForegroundWindow(*window);
        GetForegroundWindow() == *window
    };
    ensure!(raised, "Windows does not raise it");
    Ok(())
}

/// Returns the visible windows and their processes, the uppermost first.
fn windows() -> Vec<(HWND, u32)> {
    let mut found: Vec<(HWND, u32)> = Vec::new();
    // SAFETY: `collect` gets the address of `found`, which lives until the call has returned.
    unsafe { EnumWindows(Some(collect), std::ptr::from_mut(&mut found) as LPARAM) };
    found
}

unsafe extern "system" fn collect(window: HWND, found: LPARAM) -> BOOL {
    // SAFETY: it is the address that `windows` gave.
    let found = unsafe { &mut *(found as *mut Vec<(HWND, u32)>) };
    let mut owner = 0;
    // SAFETY: `owner` lives until the call has returned.
    let visible = unsafe {
        GetWindowThreadProcessId(window, &mut owner);
        IsWindowVisible(window) != 0
    };
    if visible {
        found.push((window, owner));
    }
    TRUE
}
