//! The way to the place where a session runs.

use crate::config::{DEMO, DEMO_SESSION, LOCAL_ASKS};
use beckon_core::Ask;
use serde::{Deserialize, Serialize};

/// The answer to `POST /open/{id}`: the thing that came to the front.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "in", rename_all = "snake_case")]
pub enum OpenedSession {
    /// The terminal or program in which the session runs.
    Terminal,
    /// A page in the browser.
    Browser {
        /// The address of the page.
        url: String,
    },
}

/// Whether it is worth looking for the place where the session runs. It is not if the ask came
/// through another Beckon, if its asker has told nothing of itself, or if the agent is the pretend
/// one of the demo.
pub fn opens(ask: &Ask) -> bool {
    let is_told = match ask.id.source.0.as_str() {
        LOCAL_ASKS => ask.session.process.is_some(),
        source => source != DEMO || !ask.session.id.starts_with(DEMO_SESSION),
    };
    ask.session.via.is_empty() && is_told
}
