//! The search for a newer Beckon, as `status` tells of it.

use super::codes::WireWord;
use serde::{Deserialize, Serialize};

/// The result of looking for a newer version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UpdateStatus {
    /// The state of the search.
    #[cfg_attr(test, ts(as = "UpdateState"))]
    pub state: WireWord<UpdateState>,
    /// The newer version.
    #[serde(default)]
    pub version: Option<String>,
}

/// The state of the search for a newer version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UpdateState {
    /// The search is switched off.
    Off,
    /// The search is switched on, but this build has no address to ask.
    Unavailable,
    /// The project has not been asked yet, or not for days.
    Waiting,
    /// Beckon is the newest version.
    Newest,
    /// There is a newer version.
    Newer,
    /// The project's server could not be reached.
    Unreachable,
    /// The server's response was no feed of releases.
    NoFeed,
    /// The feed is not signed by the project.
    Unsigned,
    /// The feed is signed, but could not be understood.
    Strange,
    /// The feed is older than one that was received before.
    Replayed,
    /// The feed has no newer version, but its date is so old that there should be a newer feed.
    Outdated,
}

impl From<UpdateState> for UpdateStatus {
    fn from(state: UpdateState) -> Self {
        Self {
            state: state.into(),
            version: None,
        }
    }
}

/// A Beckon that does not report a state is one that does not search.
impl Default for UpdateStatus {
    fn default() -> Self {
        UpdateState::Off.into()
    }
}
