//! One place that asks come from, of whatever kind, as the file has it.

use super::{InterruptsKind, InterruptsService, OpenCodeServer};

/// A table of `[[opencode]]` or of `[[interrupts]]`.
#[derive(Clone, Debug, PartialEq)]
pub enum OriginTable {
    /// An OpenCode server, or another Beckon.
    OpenCode(OpenCodeServer),
    /// A service with interrupts, or a LangGraph server.
    Service(InterruptsService),
}

impl OriginTable {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::OpenCode(server) => &server.name,
            Self::Service(service) => &service.name,
        }
    }

    /// What its password or token is called in the keychain.
    pub fn secret(&self) -> String {
        match self {
            Self::OpenCode(server) => format!("opencode:{}", server.name),
            Self::Service(service) => format!("interrupts:{}", service.name),
        }
    }

    /// The addresses that count for its kind; the first is the one that people know it by.
    pub fn addresses(&self) -> Vec<&str> {
        match self {
            Self::OpenCode(server) => vec![&server.url],
            Self::Service(service) => match service.kind {
                InterruptsKind::Resume => vec![&service.stream, &service.resume],
                InterruptsKind::LangGraph => vec![&service.url],
            },
        }
    }
}
