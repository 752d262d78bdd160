//! The grants of "always", as programs see them.

use crate::wire::codes::{AnswerPlace, WireWord};
use crate::wire::purpose::Purpose;
use beckon_core::AlwaysUntil;
use serde::{Deserialize, Serialize};

/// The duration of an "always" grant at the agent.
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

/// Whether a grant still holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GrantState {
    /// The agent's server says that the grant holds, or has run ever since.
    Holds,
    /// The agent's server has restarted, or does not have the grant any more.
    Ended,
    /// Beckon has no server of that name any more, so it cannot ask.
    Unwatched,
    /// The grant cannot be seen from here.
    Unknown,
}

/// An item of `GET /history/always`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlwaysGrant {
    /// The number of the request, which is never used twice.
    pub serial: u64,
    /// The source of the request.
    pub source: String,
    /// The last part of the directory.
    pub project: String,
    /// The whole directory.
    pub directory: String,
    /// The session's title, once it was known.
    pub session: Option<String>,
    /// The agent or program that asked, if its name says something.
    pub agent: Option<String>,
    /// The source's word for what is allowed.
    pub permission: String,
    /// The purpose, as a title names it.
    pub purpose: Purpose,
    /// The patterns that are allowed.
    pub patterns: Vec<String>,
    /// The time of the grant, in milliseconds since 1970.
    pub granted_at: i64,
    /// The place where it was granted.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The duration of the grant.
    pub until: AlwaysEnd,
    /// Whether the grant still holds.
    pub state: GrantState,
    /// Whether the agent's server takes the grant back when asked to.
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
