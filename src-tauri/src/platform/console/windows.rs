//! By how many programs share it
//! (<https://learn.microsoft.com/windows/console/getconsoleprocesslist>).

use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};

pub(super) fn close_own() {
    let mut sharing = [0_u32; 2];
    // SAFETY: the list is ours and as long as is said; more programs than fit are only counted.
    #[expect(unsafe_code)]
    let count = unsafe { GetConsoleProcessList(sharing.as_mut_ptr(), 2) };
    if count == 1 {
        // SAFETY: takes nothing. What is written to a console that is gone goes nowhere.
        #[expect(unsafe_code)]
        unsafe {
            FreeConsole();
        }
    }
}
