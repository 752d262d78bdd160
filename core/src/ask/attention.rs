//! What the human wants to hear of an ask that they leave open: everything, nothing more, or nothing
//! for a while.
//!
//! Not here: what follows from it (`desk/attending.rs`).

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// How far an open ask may ask for its human's attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// It rings, climbs and reminds.
    Wanted {
        /// The end of its snooze, or of the time in which others decided it: it waits from then on.
        /// `None`: it had none.
        since: Option<Timestamp>,
    },
    /// The human has seen it: no reminders, and nothing on the phone.
    Seen,
    /// Not now.
    Snoozed {
        /// Until then; `None`: until the human is back.
        until: Option<Timestamp>,
    },
}

impl Default for Attention {
    fn default() -> Self {
        Self::Wanted { since: None }
    }
}

impl Attention {
    /// May it ring?
    pub fn is_wanted(self) -> bool {
        matches!(self, Self::Wanted { .. })
    }

    /// Does it stand back for now?
    pub fn is_snoozed(self) -> bool {
        matches!(self, Self::Snoozed { .. })
    }

    /// When its snooze ends by the clock.
    pub fn wakes_at(self) -> Option<Timestamp> {
        match self {
            Self::Snoozed { until } => until,
            Self::Wanted { .. } | Self::Seen => None,
        }
    }

    /// From when its waiting counts, if it was asked at that time.
    pub fn waits_since(self, asked_at: Timestamp) -> Timestamp {
        match self {
            Self::Wanted { since: Some(since) } => asked_at.max(since),
            Self::Wanted { since: None } | Self::Seen | Self::Snoozed { .. } => asked_at,
        }
    }
}
