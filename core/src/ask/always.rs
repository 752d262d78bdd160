//! The time for which "always" holds at its source, as far as the source has said.

use serde::{Deserialize, Serialize};

/// When what "always" allows has to be asked for again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlwaysUntil {
    /// Nobody has said.
    #[default]
    Unsaid,
    /// When the session that asks has ended.
    SessionEnds,
    /// When the server that asks has stopped, which keeps it in its memory.
    ServerStops,
    /// When somebody has taken it back: it is saved for the project.
    TakenBack,
}

impl AlwaysUntil {
    pub(crate) fn is_unsaid(&self) -> bool {
        *self == Self::Unsaid
    }
}
