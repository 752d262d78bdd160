//! Seen and snoozed: how it is listed, and how it is said.

use beckon_core::{Attention, Fingerprint, Timestamp};
use serde::{Deserialize, Serialize};

/// Of an open request: the human wants to hear no more of it, or nothing for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum SetAside {
    /// They have seen it: no reminders, and nothing on the phone.
    Seen,
    /// Not now.
    Snoozed {
        /// Until then, in milliseconds since 1970; absent: until the human is back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        until: Option<i64>,
    },
}

impl SetAside {
    /// `None`: it may ring.
    pub fn of(attention: Attention) -> Option<Self> {
        match attention {
            Attention::Wanted { .. } => None,
            Attention::Seen => Some(Self::Seen),
            Attention::Snoozed { until } => Some(Self::Snoozed {
                until: until.map(|until| until.0),
            }),
        }
    }
}

/// The body of `POST /attention/{id}`: `{"is": "seen"}`, `{"is": "snoozed", "for": "15m"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttentionBody {
    /// What it is to be.
    pub is: AttentionWord,
    /// Of a snooze, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// The same from now on: `15m` and the like. With neither it ends when the human is back.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub span: Option<String>,
    /// What was shown: refused when it asks something else by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Fingerprint>,
}

/// How far it may ask for attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttentionWord {
    /// As any other.
    Wanted,
    /// No more.
    Seen,
    /// Not now.
    Snoozed,
}

impl AttentionWord {
    /// With its time.
    pub fn at(self, until: Option<Timestamp>) -> Attention {
        match self {
            Self::Wanted => Attention::default(),
            Self::Seen => Attention::Seen,
            Self::Snoozed => Attention::Snoozed { until },
        }
    }
}
