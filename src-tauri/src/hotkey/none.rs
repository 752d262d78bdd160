//! Systems on which no hot key is taken yet.

use super::{Combination, Error, Pressed};

pub(super) struct Grab;

pub(super) fn grab(_combination: Combination, _pressed: Pressed) -> Result<Grab, Error> {
    Err(Error::Nowhere)
}
