//! Why an answer to another machine's ask came back on its way: its agent has not seen it.
//!
//! Not here: what an owner looks at (`owner.rs`).

use super::AnswerFault;
use crate::ReturnReason;
use serde::{Deserialize, Serialize};

/// Who has not let it pass, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HubRefusal {
    /// The hub: it does not let this device answer.
    Forbidden,
    /// This device has no key to sign it by.
    NoKey,
    /// The machine that was asked lists no such device.
    Unlisted,
    /// That machine could not read it: it is of another version.
    Unreadable,
    /// It does not fit what is asked there.
    Unfit,
    /// It is for others of the team to decide.
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
