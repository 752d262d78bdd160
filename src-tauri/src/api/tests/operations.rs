//! The operations: what each path takes and answers, in the groups of the router. Tests in `routes`
//! compare the paths and methods with those that are served, tests in `responses` the answers.

mod asks;
mod dialect;
mod setting_up;

use super::operation::{Operation, get};
use crate::api::serving::proof::ChallengeQuery;
use beckon_client::connection::proof;

/// Operations that belong together.
pub(super) struct Group {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) operations: Vec<Operation>,
}

pub(super) fn all() -> [Group; 4] {
    [
        Group {
            name: "OpenCode's dialect",
            about: "What OpenCode has too, so that a Beckon can be watched and answered like one.",
            operations: dialect::operations(),
        },
        Group {
            name: "Asks and answers",
            about: "What Beckon says beyond it.",
            operations: asks::operations(),
        },
        Group {
            name: "Setting up",
            about: "Settings and checks, for Beckon's own windows and commands.",
            operations: setting_up::operations(),
        },
        Group {
            name: "Proof",
            about: "For whoever does not know yet who listens.",
            operations: vec![proof()],
        },
    ]
}

fn proof() -> Operation {
    get(proof::PATH, "Proves that this listener knows the token")
        .query::<ChallengeQuery>()
        .says("The HMAC of a sentence and the nonce under the token, in hexadecimal.")
        .open_to_all()
}
