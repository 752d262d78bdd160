//! The time for which "always" holds at its source, as far as the source has said.

use serde::{Deserialize, Serialize};

/// The event after which what "always" allows has to be asked for again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlwaysUntil {
    /// The source has not said.
    #[default]
    Unsaid,
    /// The end of the session that asks.
    SessionEnds,
    /// The end of the server that asks, which only keeps it in its memory.
    ServerStops,
    /// The withdrawal by a person: it is saved for the project.
    TakenBack,
}

impl AlwaysUntil {
    pub(crate) fn is_unsaid(&self) -> bool {
        *self == Self::Unsaid
    }
}
