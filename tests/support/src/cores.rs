//! A limit on how many tests run real agents or web views at the same time.
//!
//! A real agent or web view takes a processor core while it starts and while a turn runs. So no
//! more tests have one at a time than there are cores, however many tests run side by side. The
//! other tests mostly wait, and their time limits are made for waiting.
//!
//! A test that has a core starts as many agents as it likes: two tests could otherwise each hold
//! one and wait for the other's.

use std::cell::RefCell;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};

static TAKEN: Mutex<usize> = Mutex::new(0);
static GIVEN_BACK: Condvar = Condvar::new();

thread_local! {
    /// The core of the test that runs on this thread; libtest gives each test a thread of its own.
    static OF_THIS_TEST: RefCell<Weak<Core>> = const { RefCell::new(Weak::new()) };
}

/// The right to keep a core busy, until all that hold it are dropped.
#[derive(Debug)]
pub(crate) struct Core;

impl Core {
    /// Returns the core of this test; waits for a free one if the test has none yet.
    pub(crate) fn take() -> Arc<Core> {
        OF_THIS_TEST.with_borrow_mut(|mine| {
            mine.upgrade().unwrap_or_else(|| {
                let core = Core::wait();
                *mine = Arc::downgrade(&core);
                core
            })
        })
    }

    fn wait() -> Arc<Core> {
        let cores = std::thread::available_parallelism()
            .map_or(2, usize::from)
            .max(2);
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = GIVEN_BACK
            .wait_while(taken, |taken| *taken >= cores)
            .unwrap_or_else(PoisonError::into_inner);
        *taken += 1;
        Arc::new(Core)
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        *TAKEN.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        GIVEN_BACK.notify_one();
    }
}
