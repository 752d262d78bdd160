//! The words of one person's machines together, as they count for one of the machines: whether the
//! human sits elsewhere.
//!
//! Not here: who is believed, and for how long (`seats.rs`), and where it rings then (`policy.rs`).

use super::Seat;
use crate::PresenceOverride;
use serde::{Deserialize, Serialize};

/// The words of other machines, as far as they matter for an ask here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Elsewhere {
    /// The other machines say nothing that would change what is done here.
    #[default]
    Unheard,
    /// The human sits at no machine, and one of the machines reaches them.
    Gone,
    /// The human has said that they are there, but no machine sees their hands.
    Beside,
    /// The human sits at another machine, which rings.
    Seated,
    /// The human sits at a machine that can't ring.
    Deaf,
}

impl Elsewhere {
    /// Whether no other machine is known where somebody sits.
    pub fn is_nobody_seated(self) -> bool {
        match self {
            Self::Unheard | Self::Gone => true,
            Self::Beside | Self::Seated | Self::Deaf => false,
        }
    }
}

/// Returns a test for whether `elsewhere` is about a machine: those where the human sits, most
/// surely. If they sit here at least as surely, and notifications here do not work, it is about
/// this one.
pub(super) fn place<'a, I: Iterator<Item = &'a Seat>>(
    elsewhere: Elsewhere,
    own: &Seat,
    others: &impl Fn() -> I,
) -> impl Fn(&Seat) -> bool {
    let rings = elsewhere == Elsewhere::Seated;
    let most = heaviest(others().filter(|seat| seat.rings == rings));
    let is_there = match elsewhere {
        Elsewhere::Seated => true,
        Elsewhere::Deaf => own.rings || most > own.weight_for_others(),
        Elsewhere::Unheard | Elsewhere::Gone | Elsewhere::Beside => false,
    };
    move |seat| is_there && seat.rings == rings && seat.weight_for_others() == most
}

fn heaviest<'a>(seats: impl Iterator<Item = &'a Seat>) -> u8 {
    seats.map(Seat::weight_for_others).max().unwrap_or_default()
}

/// Merges the words of the `others`, as they count beside `own`.
pub(super) fn merge<'a, I: Iterator<Item = &'a Seat>>(
    own: &'a Seat,
    others: &impl Fn() -> I,
) -> Elsewhere {
    let there = heaviest(others().filter(|seat| seat.rings));
    let deaf_there = heaviest(others().filter(|seat| !seat.rings));
    let (here, deaf_here) = if own.rings {
        (own.weight(), 0)
    } else {
        (0, own.weight_for_others())
    };
    // It holds also if they said it by phone to a server without notifications: another one rings.
    let everybody = || core::iter::once(own).chain(others());
    let is_said_here = everybody().any(|seat| seat.word == PresenceOverride::Here)
        && everybody().any(|seat| seat.rings);
    let is_reached = own.phone || others().any(|seat| seat.phone);
    match deaf_there.max(deaf_here) {
        _ if others().next().is_none() => Elsewhere::Unheard,
        deaf if deaf > 0 && deaf >= there.max(here) => Elsewhere::Deaf,
        _ if there > here => Elsewhere::Seated,
        _ if here > 0 => Elsewhere::Unheard,
        _ if is_said_here => Elsewhere::Beside,
        _ if !is_reached => Elsewhere::Unheard,
        _ => Elsewhere::Gone,
    }
}
