//! Whether a newer Beckon is there, as `status` tells it.

use super::codes::WireWord;
use serde::{Deserialize, Serialize};

/// What is known of a newer version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UpdateStatus {
    /// How it stands.
    #[cfg_attr(test, ts(as = "UpdateState"))]
    pub state: WireWord<UpdateState>,
    /// The newer one.
    #[serde(default)]
    pub version: Option<String>,
}

/// What came of asking for a newer version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum UpdateState {
    /// Nobody wants to know.
    Off,
    /// Somebody does, and this build knows nobody to ask.
    Unavailable,
    /// Nobody has been asked yet, or not for days.
    Waiting,
    /// This is the newest.
    Newest,
    /// There is a newer one.
    Newer,
    /// No connection came about.
    Unreachable,
    /// Somebody answered, with something else.
    NoFeed,
    /// What came is not signed by the project.
    Unsigned,
    /// What came is signed, and not understood.
    Strange,
    /// What came is older than what was heard before.
    Replayed,
    /// What came knows nothing newer, but its date says that there should be another by now.
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

/// A Beckon that does not speak of it does not ask.
impl Default for UpdateStatus {
    fn default() -> Self {
        UpdateState::Off.into()
    }
}
