//! Readings of whether the human is here, with their evidence, and when they count as away.

use crate::{Span, Timestamp};
use serde::{Deserialize, Serialize};

/// The knowledge of the human at the desk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// Keyboard or mouse were used a moment ago.
    Here,
    /// There was no input for a while.
    Idle,
    /// The screen is locked.
    Locked,
    /// The machine sleeps.
    Asleep,
    /// No source can tell. Counts as here and as away at once, so it rings in both places.
    #[default]
    Unknown,
}

/// The evidence that a reading rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PresenceSource {
    /// There is no evidence: nothing on this system tells.
    #[default]
    None,
    /// The human's own word.
    Said,
    /// The idle counter of the X server.
    X11,
    /// The Wayland protocol `ext-idle-notify-v1`.
    Wayland,
    /// GNOME's idle monitor.
    Mutter,
    /// systemd-logind.
    Logind,
    /// A screen saver's signal.
    ScreenSaver,
    /// The operating system's own interface (Windows, macOS).
    System,
    /// A clock that stood still beside one that goes on while the machine sleeps.
    ClockJump,
}

/// A reading of presence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresenceReading {
    /// The presence that it reads.
    pub presence: Presence,
    /// The evidence that it rests on.
    pub evidence: PresenceSource,
    /// The time of the last input, if known. Of a locked screen only if nobody has touched anything
    /// since: whether a lock counts as away is a setting.
    pub last_input: Option<Timestamp>,
}

/// The human's own word about where they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PresenceOverride {
    /// The readings count.
    #[default]
    Auto,
    /// The human counts as here.
    Here,
    /// The human counts as away.
    Away,
}

/// The reading together with what the human said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PresenceState {
    /// The last reading.
    pub reading: PresenceReading,
    /// The human's own word.
    pub said: PresenceOverride,
}

impl PresenceState {
    /// Whether the human counts as away. Unknown does not: then it rings everywhere it may (see
    /// [`crate::Policy`]).
    pub fn away(&self, now: Timestamp, away_after: Span, lock_is_away: bool) -> bool {
        match (self.said, self.reading.presence) {
            (PresenceOverride::Here, _) => false,
            (PresenceOverride::Away, _) => true,
            (PresenceOverride::Auto, Presence::Asleep) => true,
            (PresenceOverride::Auto, Presence::Locked) => {
                lock_is_away
                    || self
                        .reading
                        .last_input
                        .is_some_and(|at| now - at >= away_after)
            }
            (PresenceOverride::Auto, Presence::Idle) => self
                .reading
                .last_input
                .is_none_or(|at| now - at >= away_after),
            (PresenceOverride::Auto, Presence::Here | Presence::Unknown) => false,
        }
    }

    /// Returns the state by the reading alone.
    pub fn unsaid(self) -> Self {
        Self {
            said: PresenceOverride::Auto,
            ..self
        }
    }

    /// Whether the human's place is unknown.
    pub fn unknown(&self) -> bool {
        self.said == PresenceOverride::Auto && self.reading.presence == Presence::Unknown
    }

    /// Returns when an idle human will count as away if no other reading comes.
    pub fn leaves_at(&self, away_after: Span) -> Option<Timestamp> {
        match (self.said, self.reading.presence) {
            (PresenceOverride::Auto, Presence::Idle | Presence::Locked) => {
                self.reading.last_input.map(|at| at + away_after)
            }
            _ => None,
        }
    }
}
