//! What a server keeps of asks that are over.

/// What OpenCode has stored of how an ask ended.
pub(in crate::sources::opencode) enum StoredOutcome {
    /// With these texts, a list for each question.
    Answered(Vec<Vec<String>>),
    /// Rejected or cancelled.
    Dismissed,
    /// Aborted, or a permission, of which nothing is stored.
    Neither,
}
