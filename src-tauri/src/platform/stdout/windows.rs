//! No shell of Windows closes it.

pub(super) fn was_closed() -> bool {
    false
}

/// Windows tells it to whoever writes.
pub(super) fn has_lost_its_reader() -> bool {
    false
}
