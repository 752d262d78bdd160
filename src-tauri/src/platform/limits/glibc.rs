//! Sets glibc's threshold for large memory. glibc maps what is large and unmaps it when it is
//! freed. But each such free raises the threshold, up to 32 MB, and from then on the memory stays
//! (`M_MMAP_THRESHOLD` in mallopt(3)). After three edits of 20 MB it was 137 MiB instead of 30.

use libc::{M_MMAP_THRESHOLD, c_int, mallopt};

/// The threshold in bytes. It is large enough that nothing of the daily work is mapped.
const LARGE: c_int = 256 << 10;

pub(super) fn give_back_memory() {
    // SAFETY: the call takes two numbers, and sets one of the allocator's.
    #[expect(unsafe_code)]
    let is_set = unsafe { mallopt(M_MMAP_THRESHOLD, LARGE) };
    if is_set == 0 {
        tracing::debug!("freed large allocations may not be returned to the system");
    }
}
