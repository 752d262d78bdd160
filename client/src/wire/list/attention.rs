//! Requests that a human has seen or snoozed: how they are listed, and how the human says so.

use beckon_core::{Attention, Fingerprint, Timestamp};
use serde::{Deserialize, Serialize};

/// The wish of a human to hear no more of an open request, or nothing for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum SetAside {
    /// The human has seen it: there are no reminders, and nothing goes to the phone.
    Seen,
    /// The human does not want to hear of it for now.
    Snoozed {
        /// The end of the snooze, in milliseconds since 1970; absent: when the human is back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        until: Option<i64>,
    },
}

impl SetAside {
    /// Converts what the desk knows; `None` for a request that may ring.
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
    /// The attention that the request may ask for from now on.
    pub is: AttentionWord,
    /// The end of a snooze, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// The length of a snooze from now on: `15m` and the like. With neither, it ends when the human
    /// is back.
    #[serde(default, rename = "for", skip_serializing_if = "Option::is_none")]
    pub span: Option<String>,
    /// The fingerprint of what was shown. The request is refused if the ask has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Fingerprint>,
}

/// The attention that a request may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttentionWord {
    /// The request may ring as any other.
    Wanted,
    /// The request may not ring any more.
    Seen,
    /// The request may not ring for now.
    Snoozed,
}

impl AttentionWord {
    /// Converts the word to what the desk knows, with the end of a snooze.
    pub fn at(self, until: Option<Timestamp>) -> Attention {
        match self {
            Self::Wanted => Attention::default(),
            Self::Seen => Attention::Seen,
            Self::Snoozed => Attention::Snoozed { until },
        }
    }
}
