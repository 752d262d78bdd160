//! What a machine tells the others of its human: whether their hands are there, what they said of it,
//! and whether it could ring for them.
//!
//! Not here: what follows from it (`seats.rs`).

use crate::{PresenceOverride, PresenceSource};
use alloc::collections::BTreeSet;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A machine's word on its human. Only the latest one of each machine is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HereRecord {
    /// [`super::RECORD_VERSION`]
    pub v: u32,
    /// The machine, for people.
    pub machine: String,
    /// A word of this run of its Beckon, that no other run has.
    pub run: String,
    /// Goes up with each record of a run.
    pub count: u64,
    /// Of its Beckon, for people; older ones do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it says.
    #[serde(flatten)]
    pub seat: Seat,
}

/// What is known of the human at one machine. Lengths of time are by that machine's own clock, so
/// that it does not matter what another one shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seat {
    /// What keyboard, mouse and lock tell.
    #[serde(rename = "state", deserialize_with = "super::record::known_or_default")]
    pub hands: Hands,
    /// So long ago was the last touch, if that is known.
    pub idle_ms: Option<u64>,
    /// What tells so.
    #[serde(deserialize_with = "super::record::known_or_default")]
    pub evidence: PresenceSource,
    /// What the human said there.
    #[serde(deserialize_with = "super::record::known_or_default")]
    pub word: PresenceOverride,
    /// Its notifications work, as far as is known.
    pub rings: bool,
    /// It can reach the human who sits nowhere, and may.
    pub phone: bool,
    /// The human has paused it.
    pub paused: bool,
    /// Whose records it believes: what these ask is shown there.
    pub hears: BTreeSet<String>,
}

/// Are the human's hands at a machine?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Hands {
    /// Nobody can tell; also what a later Beckon says and is not known here.
    #[default]
    Unknown,
    /// They are not.
    Away,
    /// They rest, for less long than it takes to count as away.
    Idle,
    /// They were a moment ago.
    Here,
}

impl Seat {
    /// Without anything of whether the human is there, as of a machine where nobody can tell. What it can
    /// do for those who sit elsewhere stays, and that it is paused: that silence is for all.
    pub(crate) fn withheld(self) -> Self {
        let Self {
            rings,
            phone,
            paused,
            hears,
            ..
        } = self;
        Self {
            rings,
            phone,
            paused,
            hears,
            ..Self::default()
        }
    }

    /// How surely the human sits there: 2 if their hands were there a moment ago or they said so, 1 if
    /// they rest, 0 if not as far as is known.
    pub(crate) fn weight(&self) -> u8 {
        match (self.word, self.hands) {
            (PresenceOverride::Here, _) => 2,
            _ => self.hands.weight(),
        }
    }

    /// The same, as others judge who said of themselves that they are away: they do not sit there.
    pub(super) fn weight_for_others(&self) -> u8 {
        // That they said "here" spares the phone (`seats.rs`), and silences no desk: it may have been
        // said from anywhere.
        if self.word == PresenceOverride::Away {
            0
        } else {
            self.hands.weight()
        }
    }
}

impl Hands {
    fn weight(self) -> u8 {
        match self {
            Self::Here => 2,
            Self::Idle => 1,
            Self::Away | Self::Unknown => 0,
        }
    }
}
