//! The threads of the hub: a runtime of its own, so that whatever its library begins there is known as the
//! hub's work.
//!
//! Not here: which part other work is of (`part.rs`).

use super::{OF_THREAD, Part};
use std::sync::OnceLock;
use tokio::runtime::{Builder, Handle, Runtime};

static OF_HUB: OnceLock<Option<Runtime>> = OnceLock::new();

impl Part {
    /// Returns a runtime of the hub's own, on whose threads everything is the hub's, also what its
    /// library begins by itself. Reading and checking there does not hold up the loop, either.
    /// Where the system gives no more threads, the hub shares those of its caller.
    pub(crate) fn runtime_of_hub() -> Handle {
        let own = OF_HUB.get_or_init(|| {
            let built = Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("hub")
                .on_thread_start(|| mark_thread(Self::Hub))
                .enable_all()
                .build();
            built
                .inspect_err(|error| tracing::warn!(%error, "the hub has no thread of its own"))
                .ok()
        });
        own.as_ref()
            .map_or_else(Handle::current, |it| it.handle().clone())
    }
}

/// Marks whatever runs on this thread as work of that part.
fn mark_thread(part: Part) {
    OF_THREAD.with(|it| _ = it.set(part));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_a_library_begins_by_itself_is_of_the_part_whose_threads_run_it() {
        let begun = Part::runtime_of_hub().spawn(async {
            let deeper = tokio::spawn(async { Part::current() });
            let thread = tokio::task::spawn_blocking(Part::current);
            (deeper.await.unwrap(), thread.await.unwrap())
        });
        let of = begun.await.unwrap();
        assert_eq!(of, (Some(Part::Hub), Some(Part::Hub)));
        assert_eq!(Part::current(), None);
    }
}
