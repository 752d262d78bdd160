//! The people of a hub and the rules among them, as a page shows them. Their sentences are made where
//! the rules are known; `beckon hub routes --json` has them as they are written.

use serde::{Deserialize, Serialize};

/// A team. Where a hub has one person there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubTeam {
    /// Who is there, by name.
    pub people: Vec<HubPerson>,
    /// Who else sees and decides a request: the first that fits counts.
    pub routes: Vec<HubRoute>,
}

/// Somebody of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubPerson {
    /// Their name.
    pub name: String,
    /// This machine is theirs.
    pub this: bool,
    /// What routes may name instead of them.
    pub roles: Vec<String>,
    /// What their devices are called.
    pub devices: Vec<String>,
    /// When they are on duty, each in a line.
    pub shifts: Vec<String>,
}

/// A rule of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubRoute {
    /// What it is for.
    pub scope: String,
    /// Who decides, who sees, and whether two must agree.
    pub rule: String,
}
