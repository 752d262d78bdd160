//! What of a source could not be read.

/// What of a source could not be read although it answers: something may be asked there that nobody
/// here knows of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadParts {
    /// Directories whose lists could not be read.
    pub directories: usize,
    /// Projects whose sessions, which name directories, could not be read (yet).
    pub projects: usize,
    /// Why, of the last one; `None` where it only takes its time.
    pub reason: Option<String>,
}

impl UnreadParts {
    /// All of it was read.
    pub fn is_empty(&self) -> bool {
        self.directories == 0 && self.projects == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_alone_leaves_nothing_unread() {
        let parts = |directories, projects| UnreadParts {
            directories,
            projects,
            reason: Some("too late".into()),
        };
        assert!(parts(0, 0).is_empty());
        assert!(!parts(1, 0).is_empty() && !parts(0, 1).is_empty());
    }
}
