//! The permissions that "always" has granted, as other programs see them.

use crate::wire::codes::{AnswerPlace, WireWord};
use crate::wire::purpose::Purpose;
use beckon_core::AlwaysUntil;
use serde::{Deserialize, Serialize};

/// The time until which "always" holds at the agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AlwaysEnd {
    /// The agent has not said.
    #[default]
    Unsaid,
    /// Until the session ends.
    Session,
    /// Until the agent's server stops.
    Server,
    /// Until somebody revokes it: it is saved for the project.
    Revoked,
}

/// The state of a grant: whether it still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GrantState {
    /// The grant holds: the agent's server has said so, or has run ever since.
    Holds,
    /// The grant has ended: the agent's server was started again, or has it no longer.
    Ended,
    /// The state is not known: Beckon has no server of that name any more, and can ask nobody.
    Unwatched,
    /// The state cannot be seen from here.
    Unknown,
}

/// An item of `GET /history/always`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlwaysGrant {
    /// The number of the request, never used twice.
    pub serial: u64,
    /// The source that the request came from.
    pub source: String,
    /// The last part of the directory.
    pub project: String,
    /// The whole directory.
    pub directory: String,
    /// The title of the session, once it was known.
    pub session: Option<String>,
    /// The agent or program that asked, if its name says something.
    pub agent: Option<String>,
    /// The source's word for what is allowed.
    pub permission: String,
    /// The purpose of the permission, as a title names it.
    pub purpose: Purpose,
    /// The patterns that are allowed.
    pub patterns: Vec<String>,
    /// The time of the grant, in milliseconds since 1970.
    pub granted_at: i64,
    /// The place where it was granted.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The time until which it holds.
    pub until: AlwaysEnd,
    /// The state: whether it still holds.
    pub state: GrantState,
    /// Whether the agent's server takes it back when it is asked to.
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
