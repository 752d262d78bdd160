//! The records in which a machine tells the others of its human: whether they use it, what they
//! said of themselves, and whether it could ring for them.
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
    /// A random word of this run of its Beckon, that no other run has.
    pub run: String,
    /// A number that goes up with each record of a run.
    pub count: u64,
    /// The version of its Beckon, for people; older ones do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The machine's word on its human.
    #[serde(flatten)]
    pub seat: Seat,
}

/// The human's presence at one machine, as it tells it. Lengths of time are by that machine's own
/// clock, so that other machines' clocks do not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seat {
    /// The reading of keyboard, mouse and lock.
    #[serde(rename = "state", deserialize_with = "super::record::known_or_default")]
    pub hands: Hands,
    /// The milliseconds since the last input, if known.
    pub idle_ms: Option<u64>,
    /// The evidence for it.
    #[serde(deserialize_with = "super::record::known_or_default")]
    pub evidence: PresenceSource,
    /// The human's own word at that machine.
    #[serde(deserialize_with = "super::record::known_or_default")]
    pub word: PresenceOverride,
    /// Whether its notifications work, as far as is known.
    pub rings: bool,
    /// Whether it can, and may, reach the human who sits nowhere.
    pub phone: bool,
    /// Whether the human has paused it.
    pub paused: bool,
    /// The machines whose records it believes: what these ask is shown there.
    pub hears: BTreeSet<String>,
}

/// The state of a human's hands at a machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Hands {
    /// The machine can't tell; also for a state that a later Beckon says and that is not known
    /// here.
    #[default]
    Unknown,
    /// The hands are not there.
    Away,
    /// The hands rest, but not for long enough to count as away.
    Idle,
    /// The hands were there a moment ago.
    Here,
}

impl Seat {
    /// Returns the seat without anything about whether the human is there, like that of a machine
    /// without presence. What it can do for a human who sits elsewhere stays, and that it is
    /// paused: that silence is for all machines.
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

    /// Returns how surely the human sits there: 2 if they used it a moment ago or said so, 1 if it
    /// is idle for a short while, 0 otherwise.
    pub(crate) fn weight(&self) -> u8 {
        match (self.word, self.hands) {
            (PresenceOverride::Here, _) => 2,
            _ => self.hands.weight(),
        }
    }

    /// Returns how surely the human sits there as other machines judge it: if they said that they
    /// are away, they do not sit there.
    pub(super) fn weight_for_others(&self) -> u8 {
        // Their word "here" spares the phone (`seats.rs`), and silences no desk: they may have said
        // it from anywhere.
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
