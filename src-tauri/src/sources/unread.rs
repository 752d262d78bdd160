//! The parts of a source that could not be read.

/// The parts of a source that could not be read although it answers. Something may be asked there
/// that nobody here knows of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadParts {
    /// The number of directories whose lists could not be read.
    pub directories: usize,
    /// The number of projects whose sessions, which name directories, could not be read (yet).
    pub projects: usize,
    /// The reason for which the last of them could not be read; `None` where it only takes its
    /// time.
    pub reason: Option<String>,
}

impl UnreadParts {
    /// Tells whether all of it was read.
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
