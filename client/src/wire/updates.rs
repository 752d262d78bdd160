//! The update check's result, as `status` tells it.

use super::codes::WireWord;
use serde::{Deserialize, Serialize};

/// The knowledge of a newer version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UpdateStatus {
    /// The state of the check.
    #[cfg_attr(test, ts(as = "UpdateState"))]
    pub state: WireWord<UpdateState>,
    /// The newer version, if there is one.
    #[serde(default)]
    pub version: Option<String>,
}

/// The result of asking for a newer version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UpdateState {
    /// The check is switched off.
    Off,
    /// The check is switched on, but this build knows no project to ask.
    Unavailable,
    /// The project has not been asked yet, or not for days.
    Waiting,
    /// The running version is the newest.
    Newest,
    /// There is a newer version.
    Newer,
    /// No connection came about.
    Unreachable,
    /// The answer was something else than a feed.
    NoFeed,
    /// The feed is not signed by the project.
    Unsigned,
    /// The feed is signed, but not understood.
    Strange,
    /// The feed is older than one that was heard before.
    Replayed,
    /// The feed knows nothing newer, but its date says that there should be a newer feed now.
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

/// The default is that the check is off: a Beckon that does not speak of it does not ask.
impl Default for UpdateStatus {
    fn default() -> Self {
        UpdateState::Off.into()
    }
}
