//! The findings about an ask that are read once, however many surfaces show it: a long command
//! takes milliseconds, and each card, list and line of a watch wants them.
//!
//! Not here: what is dangerous (`risk.rs`), and what a title names (`ask/purpose.rs`).

use super::Entry;
use crate::risk::MarkedRisk;
use crate::{Ask, AskContent, PermissionPurpose, Question};
use alloc::vec::Vec;

/// The findings about an ask, from its content and its project's directory.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Assessment {
    purpose: Option<PermissionPurpose>,
    risks: Vec<MarkedRisk>,
    is_deceptive: bool,
}

impl Assessment {
    pub(super) fn of(ask: &Ask) -> Self {
        match &ask.kind {
            AskContent::Permission(permission) => Self {
                purpose: Some(permission.purpose()),
                risks: ask.risks(),
                is_deceptive: permission.is_deceptive(),
            },
            AskContent::Questions(questions) => Self {
                purpose: None,
                risks: ask.risks(),
                is_deceptive: questions.iter().any(Question::hides_consent),
            },
            AskContent::Confirm(_) | AskContent::Unknown(_) => Self::default(),
        }
    }
}

impl Entry {
    /// Returns the purpose of a permission, as a title names it.
    pub fn purpose(&self) -> Option<&PermissionPurpose> {
        self.assessment.purpose.as_ref()
    }

    /// Returns the risks of allowing it.
    pub fn risks(&self) -> &[MarkedRisk] {
        &self.assessment.risks
    }

    /// Whether any of what a yes would allow could be taken for something else than it is.
    pub fn is_deceptive(&self) -> bool {
        self.assessment.is_deceptive
    }
}
