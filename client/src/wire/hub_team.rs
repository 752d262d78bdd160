//! The people of a hub and the rules among them, as a page shows them. The resident makes the
//! sentences, since it knows the rules; `beckon hub routes --json` has the rules as they are
//! written.

use serde::{Deserialize, Serialize};

/// A team. A hub with one person has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubTeam {
    /// The people, by name.
    pub people: Vec<HubPerson>,
    /// The rules for who else sees and decides a request. The first one that fits counts.
    pub routes: Vec<HubRoute>,
}

/// A person of a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubPerson {
    /// Their name.
    pub name: String,
    /// Whether this machine is theirs.
    pub this: bool,
    /// The roles, which routes may name instead of the person.
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
    /// The rule: who decides, who sees, and whether two must agree.
    pub rule: String,
}
