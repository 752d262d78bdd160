//! Looks at the descriptor of stdout before the runtime does, and later at its other end.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, fcntl_getfd};
use std::sync::atomic::{AtomicBool, Ordering};

static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

ctor::declarative::ctor! {
    /// Looks at the descriptor. This runs before `main`, and so does nothing but one call of the
    /// system.
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

/// Tells whether the reader has gone. The system reports that whatever is asked for: Linux as an
/// error, macOS as a hang-up.
pub(super) fn has_lost_its_reader() -> bool {
    const AT_ONCE: Timespec = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let stdout = rustix::stdio::stdout();
    let mut ends = [PollFd::new(&stdout, PollFlags::empty())];
    let looked = poll(&mut ends, Some(&AT_ONCE));
    let is_gone = PollFlags::ERR | PollFlags::HUP;
    looked.is_ok() && ends[0].revents().intersects(is_gone)
}
