//! Does nothing, on systems where a program has no console of its own.

pub(super) fn close_own() {}
