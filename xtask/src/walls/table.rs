//! The table of the walls: what each room may name, and why.

/// One room.
pub(super) struct Row {
    pub(super) room: &'static str,
    pub(super) may_name: &'static [&'static str],
}

pub(super) const ALLOWED: &[Row] = &[];
