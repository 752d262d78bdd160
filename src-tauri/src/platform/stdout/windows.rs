//! Windows: no shell closes stdout.

pub(super) fn was_closed() -> bool {
    false
}

/// Returns false: Windows tells it to whoever writes.
pub(super) fn has_lost_its_reader() -> bool {
    false
}
