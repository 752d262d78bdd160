//! The marks "seen" and "snoozed" of a request: how they are listed, and how they are set.

use beckon_core::{Attention, Fingerprint, Timestamp};
use serde::{Deserialize, Serialize};

/// The mark of an open request of which the human wants to hear no more, or nothing for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum SetAside {
    /// The human has seen it: no reminders, and nothing on the phone.
    Seen,
    /// The human wants to hear of it later.
    Snoozed {
        /// The end of the snooze, in milliseconds since 1970; absent if it lasts until the human is
        /// back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        until: Option<i64>,
    },
}

impl SetAside {
    /// Returns the mark of a request; `None` if it may ring.
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
    /// The mark that the request gets.
    pub is: AttentionWord,
    /// The end of a snooze, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// The length of a snooze from now on, such as `15m`. With neither `until` nor `for` it ends
    /// when the human is back.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub span: Option<String>,
    /// The fingerprint of what was shown. The mark is refused if something else is asked now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Fingerprint>,
}

/// A mark that a request can get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttentionWord {
    /// The request may ring like any other.
    Wanted,
    /// The human has seen it: it rings no more.
    Seen,
    /// The human wants to hear of it later.
    Snoozed,
}

impl AttentionWord {
    /// Returns the attention for the mark, with the end of a snooze.
    pub fn at(self, until: Option<Timestamp>) -> Attention {
        match self {
            Self::Wanted => Attention::default(),
            Self::Seen => Attention::Seen,
            Self::Snoozed => Attention::Snoozed { until },
        }
    }
}
