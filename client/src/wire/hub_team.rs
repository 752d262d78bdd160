//! The people of a hub and the rules among them, as a page shows them. Their sentences are made in
//! the resident, which knows the rules; `beckon hub routes --json` has them as they are written.

use serde::{Deserialize, Serialize};

/// A team. A hub with a single person has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubTeam {
    /// The people, by name.
    pub people: Vec<HubPerson>,
    /// The rules that say who else sees and decides a request: the first one that fits counts.
    pub routes: Vec<HubRoute>,
}

/// A person of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubPerson {
    /// The name of the person.
    pub name: String,
    /// Whether this machine is theirs.
    pub this: bool,
    /// The roles by which routes may name them.
    pub roles: Vec<String>,
    /// The names of their devices.
    pub devices: Vec<String>,
    /// The times when they are on duty, each in a line.
    pub shifts: Vec<String>,
}

/// A rule of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubRoute {
    /// The requests that the rule is for.
    pub scope: String,
    /// The rule itself: who decides, who sees, and whether two must agree.
    pub rule: String,
}
