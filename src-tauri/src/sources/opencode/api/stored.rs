//! The record that a server keeps of an ask that is over.

/// The outcome of an ask, as OpenCode has stored it.
pub(in crate::sources::opencode) enum StoredOutcome {
    /// Answered with these texts, a list for each question.
    Answered(Vec<Vec<String>>),
    /// Rejected or cancelled.
    Dismissed,
    /// Aborted, or a permission, of whose answer nothing is stored.
    Neither,
}
