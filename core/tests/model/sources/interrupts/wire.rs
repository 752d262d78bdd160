//! An interrupt, as the wire brings it.

use beckon_core::Kind;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interrupt {
    pub(super) thread: Option<String>,
    pub(super) title: Option<String>,
    pub(super) kind: Kind,
    pub(super) words: Option<String>,
    pub(super) ordinary: bool,
}
