//! The way to where a session runs.

use crate::config::{DEMO, DEMO_SESSION, LOCAL_ASKS};
use beckon_core::Ask;
use serde::{Deserialize, Serialize};

/// The response of `POST /open/{id}`: what came to the front.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "in", rename_all = "snake_case")]
pub enum OpenedSession {
    /// The terminal or program in which the session runs.
    Terminal,
    /// A page in the browser.
    Browser {
        /// The page's address.
        url: String,
    },
}

/// Whether it is worth looking for the session. It is not if the ask came through another Beckon,
/// if the asker has said nothing of itself, or if the agent is pretended.
pub fn opens(ask: &Ask) -> bool {
    let is_told = match ask.id.source.0.as_str() {
        LOCAL_ASKS => ask.session.process.is_some(),
        source => source != DEMO || !ask.session.id.starts_with(DEMO_SESSION),
    };
    ask.session.via.is_empty() && is_told
}
