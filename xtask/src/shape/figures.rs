//! The printed forms of shares and percentiles.

use std::fmt::{Display, Formatter, Result};

/// Prints a share as `3 of 12 (25 %)`.
pub(super) fn share(part: usize, whole: usize) -> String {
    let percent = (100 * part + whole / 2).checked_div(whole).unwrap_or(0);
    format!("{part} of {whole} ({percent} %)")
}

/// The sizes that half of all, nine in ten, and all do not exceed.
pub(super) struct Percentiles {
    half: usize,
    nine_in_ten: usize,
    most: usize,
}

impl Percentiles {
    pub(super) fn of(sizes: impl Iterator<Item = usize>) -> Self {
        let mut sizes: Vec<usize> = sizes.collect();
        sizes.sort_unstable();
        let at = |percent: usize| {
            let place = (sizes.len() * percent).div_ceil(100).saturating_sub(1);
            sizes.get(place).copied().unwrap_or(0)
        };
        Self {
            half: at(50),
            nine_in_ten: at(90),
            most: at(100),
        }
    }
}

impl Display for Percentiles {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        write!(
            out,
            "half ≤ {}, nine in ten ≤ {}, all ≤ {}",
            self.half, self.nine_in_ten, self.most
        )
    }
}
