//! The directories of one server in which asks are looked for: those that it names, and those in
//! which an ask was seen. Which ones it names is found out in `discovery`.

use std::collections::{BTreeSet, VecDeque};

/// The number of directories that are remembered without an open ask, although the server does not
/// name them. It may still ask in such a one (a session that was deleted meanwhile, a relayed
/// stream). An ask in an older one is still seen as it is asked, but not if the stream is cut at
/// that moment.
const STRAYS: usize = 64;

pub(in crate::sources::opencode) struct KnownDirectories {
    /// The directories that the server named last.
    named: BTreeSet<String>,
    /// The directories in which an ask was seen, the latest at the end.
    seen: VecDeque<String>,
}

impl KnownDirectories {
    /// Starts with the directories in which asks are known already.
    pub(in crate::sources::opencode) fn new(with_asks: BTreeSet<String>) -> Self {
        Self {
            named: BTreeSet::new(),
            seen: with_asks.into_iter().collect(),
        }
    }

    pub(in crate::sources::opencode) fn all(&self) -> BTreeSet<String> {
        self.named.iter().chain(&self.seen).cloned().collect()
    }

    /// Notes that an ask was seen in the directory.
    pub(in crate::sources::opencode) fn saw(&mut self, directory: &str) {
        if self.seen.back().is_some_and(|last| last == directory) {
            return;
        }
        self.seen.retain(|seen| seen != directory);
        self.seen.push_back(directory.to_owned());
    }

    /// Adds directories that the server names, and tells whether some of them are new.
    pub(in crate::sources::opencode) fn found(&mut self, found: BTreeSet<String>) -> bool {
        let before = self.named.len();
        let unseen = found
            .into_iter()
            .filter(|directory| !self.seen.contains(directory));
        self.named.extend(unseen);
        self.named.len() > before
    }

    /// Notes all directories that the server names now. `held` are those that must not be
    /// forgotten, since they may hold an ask.
    pub(in crate::sources::opencode) fn named(
        &mut self,
        named: BTreeSet<String>,
        held: &BTreeSet<&str>,
    ) {
        self.named = named;
        let mut surplus = self.seen.len().saturating_sub(STRAYS);
        self.seen.retain(|directory| {
            let forget = surplus > 0 && !held.contains(directory.as_str());
            surplus -= usize::from(forget);
            !forget
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_directory_that_the_server_no_longer_names_is_forgotten_unless_an_ask_was_seen_in_it() {
        let mut directories = KnownDirectories::new(BTreeSet::new());
        directories.named(names(&["/a", "/b", "/c"]), &BTreeSet::new());
        directories.saw("/b");
        directories.named(names(&["/c"]), &BTreeSet::new());
        assert_eq!(directories.all(), names(&["/b", "/c"]));
    }

    #[test]
    fn of_those_that_no_server_names_the_latest_stay_and_those_that_hold_an_ask() {
        let mut directories = KnownDirectories::new(names(&["/open"]));
        for n in 0..1_000 {
            directories.saw(&format!("/{n}"));
        }
        directories.saw("/7");
        directories.named(BTreeSet::new(), &BTreeSet::from(["/open"]));
        let all = directories.all();
        assert_eq!(all.len(), STRAYS);
        for kept in ["/open", "/7", "/999", "/940"] {
            assert!(all.contains(kept), "{kept}");
        }
        assert!(!all.contains("/900"));
    }

    #[test]
    fn only_what_is_neither_named_nor_seen_yet_is_found_anew() {
        let mut directories = KnownDirectories::new(names(&["/seen"]));
        assert!(directories.found(names(&["/a", "/b"])));
        assert!(!directories.found(names(&["/a", "/seen"])));
        assert!(directories.found(names(&["/c"])));
        assert!(!directories.found(BTreeSet::new()));
    }
}
