//! Looks at the descriptor before the runtime does.

use rustix::io::{Errno, fcntl_getfd};
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

ctor::declarative::ctor! {
    /// Runs before `main`, and so does nothing but one call of the system.
    #[ctor(unsafe)]
    fn look() {
        let looked = fcntl_getfd(rustix::stdio::stdout());
        let is_closed = matches!(looked, Err(Errno::BADF));
        WAS_CLOSED.store(is_closed, Ordering::Relaxed);
    }
}

pub(super) fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}
