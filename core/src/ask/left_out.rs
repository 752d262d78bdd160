//! The parts of a permission that are not kept, because there is more of it than anybody reads.
//!
//! Not here: how much is kept (`cut/many.rs`).

use super::Permission;
use alloc::format;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// The items of a permission's lists that are left out. A permission with such items is not allowed
/// by one press on any surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// The number of the items.
    pub count: usize,
    /// A hash of the items: two permissions that differ only there still differ.
    pub hash: u32,
}

impl LeftOut {
    /// Returns the line that a card shows for it, in no language.
    pub fn line(self) -> String {
        format!("⋯ +{} #{:08x} ⋯", self.count, self.hash)
    }
}

impl Permission {
    /// Whether all that is asked for is known here.
    pub fn is_whole(&self) -> bool {
        !self.input.is_partial && self.left_out.is_none()
    }
}
