//! What "always" has granted, as others see it.

use crate::wire::codes::{AnswerPlace, WireWord};
use crate::wire::purpose::Purpose;
use beckon_core::AlwaysUntil;
use serde::{Deserialize, Serialize};

/// How long "always" holds at the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AlwaysEnd {
    /// Nobody has said.
    #[default]
    Unsaid,
    /// Until the session ends.
    Session,
    /// Until the agent's server stops.
    Server,
    /// Until somebody revokes it: it is saved for the project.
    Revoked,
}

/// Does it still hold?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GrantState {
    /// The agent's server has said so, or has run ever since.
    Holds,
    /// The agent's server has begun anew, or has it no longer.
    Ended,
    /// Beckon has no server of that name any more, and can ask nobody.
    Unwatched,
    /// It cannot be seen from here.
    Unknown,
}

/// An item of `GET /history/always`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlwaysGrant {
    /// The number of the request, never used twice.
    pub serial: u64,
    /// Where it came from.
    pub source: String,
    /// The last part of the directory.
    pub project: String,
    /// The directory, all of it.
    pub directory: String,
    /// The session's title, once it was known.
    pub session: Option<String>,
    /// The agent or program that asked, if its name says something.
    pub agent: Option<String>,
    /// The source's word for what is allowed.
    pub permission: String,
    /// What it is for, as a title names it.
    pub purpose: Purpose,
    /// What is allowed.
    pub patterns: Vec<String>,
    /// Milliseconds since 1970.
    pub granted_at: i64,
    /// Where it was granted.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// How long it holds.
    pub until: AlwaysEnd,
    /// Does it?
    pub state: GrantState,
    /// The agent's server takes it back when it is asked to.
    pub can_revoke: bool,
}

impl From<AlwaysUntil> for AlwaysEnd {
    fn from(until: AlwaysUntil) -> Self {
        match until {
            AlwaysUntil::Unsaid => Self::Unsaid,
            AlwaysUntil::SessionEnds => Self::Session,
            AlwaysUntil::ServerStops => Self::Server,
            AlwaysUntil::TakenBack => Self::Revoked,
        }
    }
}
