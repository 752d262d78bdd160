//! Tells whether the console is ours alone by how many programs share it
//! (<https://learn.microsoft.com/windows/console/getconsoleprocesslist>).

use std::ptr::null_mut;
use windows_sys::Win32::System::Console::{
    FreeConsole, GetConsoleProcessList, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE,
    SetStdHandle,
};

pub(super) fn close_own() {
    let mut sharing = [0_u32; 2];
    // SAFETY: the list is ours and as long as is said; more programs than fit are only counted.
    #[expect(unsafe_code)]
    let count = unsafe { GetConsoleProcessList(sharing.as_mut_ptr(), 2) };
    if count == 1 {
        // SAFETY: no pointers but null ones, which mean none: the old numbers would soon be those
        // of other files, and what is written to the console must not go there.
        #[expect(unsafe_code)]
        unsafe {
            FreeConsole();
            for handle in [STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
                SetStdHandle(handle, null_mut());
            }
        }
    }
}
