//! The contents of an interrupt, as the wire brings them.

use beckon_core::AskContent;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interrupt {
    pub(super) thread: Option<String>,
    pub(super) title: Option<String>,
    pub(super) kind: AskContent,
    pub(super) words: Option<String>,
    pub(super) ordinary: bool,
}
