//! Systems on which no hot key is taken yet.

use super::{Combination, Error, Pressed};

/// There is none.
pub(super) enum Grab {}

pub(super) fn grab(_combination: Combination, _pressed: Pressed) -> Result<Grab, Error> {
    Err(Error::Nowhere)
}
