//! The attention that the human grants an ask that they leave open: all of it, no more of it, or
//! none for a while.
//!
//! Not here: what follows from it (`desk/reminders/attending.rs`).

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// The attention that an open ask may ask its human for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attention {
    /// The ask rings, climbs and reminds.
    Wanted {
        /// The end of its snooze, or of the time in which others decided it: it waits from then on.
        /// `None`: it had none.
        since: Option<Timestamp>,
    },
    /// The human has seen it: no reminders, and nothing on the phone.
    Seen,
    /// An ask that its human wants later.
    Snoozed {
        /// The end of the snooze; `None`: when the human is back.
        until: Option<Timestamp>,
    },
}

impl Default for Attention {
    fn default() -> Self {
        Self::Wanted { since: None }
    }
}

impl Attention {
    /// Whether it may ring.
    pub fn is_wanted(self) -> bool {
        matches!(self, Self::Wanted { .. })
    }

    /// Whether it is set aside for now.
    pub fn is_snoozed(self) -> bool {
        matches!(self, Self::Snoozed { .. })
    }

    /// Returns the time when its snooze ends by the clock.
    pub fn wakes_at(self) -> Option<Timestamp> {
        match self {
            Self::Snoozed { until } => until,
            Self::Wanted { .. } | Self::Seen => None,
        }
    }

    /// Returns the time from which its waiting counts, if it was asked at `asked_at`.
    pub fn waits_since(self, asked_at: Timestamp) -> Timestamp {
        match self {
            Self::Wanted { since: Some(since) } => asked_at.max(since),
            Self::Wanted { since: None } | Self::Seen | Self::Snoozed { .. } => asked_at,
        }
    }
}
