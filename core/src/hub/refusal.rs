//! The reasons why an answer to another machine's ask came back on its way: its agent has not seen
//! it.
//!
//! Not here: what an owner looks at (`owner.rs`).

use super::AnswerFault;
use crate::ReturnReason;
use serde::{Deserialize, Serialize};

/// The place and the reason at which the answer was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HubRefusal {
    /// The hub: it does not let this device answer.
    Forbidden,
    /// The device here has no key to sign the answer.
    NoKey,
    /// The machine that was asked lists no such device.
    Unlisted,
    /// The machine that was asked could not read the answer, being of another version.
    Unreadable,
    /// The answer does not fit what is asked there.
    Unfit,
    /// Others of the team are to decide.
    Held,
}

impl From<AnswerFault> for ReturnReason {
    fn from(fault: AnswerFault) -> Self {
        match fault {
            AnswerFault::Unreadable => Self::Hub(HubRefusal::Unreadable),
            AnswerFault::Forged => Self::Hub(HubRefusal::Unlisted),
            AnswerFault::OtherContent => Self::Changed,
            AnswerFault::Unfit => Self::Hub(HubRefusal::Unfit),
            AnswerFault::Held => Self::Hub(HubRefusal::Held),
        }
    }
}
