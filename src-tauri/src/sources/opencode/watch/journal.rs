//! The journal of what the stream says while a list is read. A list is a picture of some moment in
//! between, so the stream counts where the two differ.

use crate::sources::opencode::sessions::stopped::is_told_by_session;
use beckon_core::{Ask, SourceListing};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(in crate::sources::opencode) struct StreamJournal {
    asked: BTreeMap<String, Ask>,
    ended: BTreeSet<String>,
    /// Sessions that fell silent.
    quiet: BTreeSet<String>,
    /// Sessions whose turn was broken off.
    aborted: BTreeSet<String>,
    /// Sessions that were deleted.
    gone: BTreeSet<String>,
    /// Directories that were disposed of.
    disposed: BTreeSet<String>,
}

impl StreamJournal {
    pub(in crate::sources::opencode) fn asked(&mut self, ask: &Ask) {
        self.quiet.remove(&ask.session.id);
        self.disposed.remove(&ask.session.directory);
        self.asked.insert(ask.id.own.clone(), ask.clone());
    }

    pub(in crate::sources::opencode) fn ended(&mut self, own: &str) {
        self.asked.remove(own);
        self.ended.insert(own.to_owned());
    }

    pub(in crate::sources::opencode) fn quiet(&mut self, session: &str) {
        self.quiet.insert(session.to_owned());
    }

    pub(in crate::sources::opencode) fn busy(&mut self, session: &str) {
        self.quiet.remove(session);
    }

    pub(in crate::sources::opencode) fn gone(&mut self, session: &str) {
        self.gone.insert(session.to_owned());
    }

    /// Notes that a turn was broken off: what its session asked before has ended, and what it asks
    /// later has not.
    pub(in crate::sources::opencode) fn aborted(&mut self, session: &str) {
        self.asked
            .retain(|_, ask| ask.session.id != session || !is_told_by_session(ask));
        self.aborted.insert(session.to_owned());
    }

    pub(in crate::sources::opencode) fn disposed(&mut self, directory: &str) {
        self.asked
            .retain(|_, ask| ask.session.directory != directory);
        self.disposed.insert(directory.to_owned());
    }

    /// Returns the ids of the listed asks that were ended by an abort that was heard while the list
    /// was read.
    pub(in crate::sources::opencode) fn aborted_of(&self, listing: &SourceListing) -> Vec<String> {
        let asks = listing.asks.iter().map(|(ask, _)| ask);
        asks.filter(|ask| self.was_aborted(ask) && !self.asked.contains_key(&ask.id.own))
            .map(|ask| ask.id.own.clone())
            .collect()
    }

    fn was_aborted(&self, ask: &Ask) -> bool {
        self.aborted.contains(&ask.session.id) && is_told_by_session(ask)
    }

    /// Returns the list, or what is known of it so far, as it stands after what the stream said
    /// meanwhile.
    pub(in crate::sources::opencode) fn reconcile(
        &self,
        mut listing: SourceListing,
    ) -> SourceListing {
        let Self {
            asked,
            ended,
            quiet,
            gone,
            disposed,
            ..
        } = self;
        let was_aborted = |ask: &Ask| self.was_aborted(ask);
        for own in self.aborted_of(&listing) {
            listing.unsure.remove(&own);
        }
        listing.asks.retain(|(ask, _)| {
            !ended.contains(&ask.id.own)
                && !asked.contains_key(&ask.id.own)
                && !was_aborted(ask)
                && !disposed.contains(&ask.session.directory)
        });
        listing
            .asks
            .extend(asked.values().map(|ask| (ask.clone(), true)));
        listing
            .asks
            .retain(|(ask, _)| !gone.contains(&ask.session.id));
        for (ask, busy) in &mut listing.asks {
            *busy &= !quiet.contains(&ask.session.id);
        }
        listing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{AskContent, AskId, Session, Timestamp};

    fn ask(own: &str) -> Ask {
        let session = Session {
            id: "ses".into(),
            directory: "/a".into(),
            ..Session::default()
        };
        let (kind, id) = (AskContent::Questions(Vec::new()), AskId::new("local", own));
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        }
    }

    fn listing(own: &str) -> SourceListing {
        SourceListing {
            asks: vec![(ask(own), true)],
            ..SourceListing::default()
        }
    }

    #[test]
    fn what_was_asked_while_the_list_was_read_is_in_and_what_ended_is_out() {
        let mut journal = StreamJournal::default();
        journal.asked(&ask("new"));
        journal.ended("old");
        let reconciled = journal.reconcile(listing("old"));
        assert_eq!(reconciled.asks, [(ask("new"), true)]);
    }

    #[test]
    fn what_was_aborted_while_the_list_was_read_is_over_also_if_nobody_could_look_at_it() {
        let mut journal = StreamJournal::default();
        journal.aborted("ses");
        let mut listing = listing("a");
        listing.unsure.insert("a".to_owned());
        assert_eq!(journal.aborted_of(&listing), ["a"]);
        let reconciled = journal.reconcile(listing);
        assert!(reconciled.asks.is_empty());
        assert!(reconciled.unsure.is_empty());
    }

    #[test]
    fn an_ask_whose_session_fell_silent_is_a_suspect() {
        let mut journal = StreamJournal::default();
        journal.quiet("ses");
        assert_eq!(journal.reconcile(listing("a")).asks, [(ask("a"), false)]);
    }

    #[test]
    fn a_deleted_session_and_a_disposed_directory_take_their_asks_along() {
        let mut journal = StreamJournal::default();
        journal.gone("ses");
        assert!(journal.reconcile(listing("a")).asks.is_empty());
        let mut journal = StreamJournal::default();
        journal.disposed("/a");
        assert!(journal.reconcile(listing("a")).asks.is_empty());
    }

    #[test]
    fn an_aborted_turn_takes_along_what_was_asked_before_and_nothing_that_is_asked_later() {
        let mut journal = StreamJournal::default();
        journal.asked(&ask("before"));
        journal.aborted("ses");
        journal.asked(&ask("later"));
        let asks = journal.reconcile(listing("listed")).asks;
        assert_eq!(asks, [(ask("later"), true)]);
    }

    #[test]
    fn a_session_that_works_again_is_no_suspect() {
        let mut journal = StreamJournal::default();
        journal.quiet("ses");
        journal.busy("ses");
        assert_eq!(journal.reconcile(listing("a")).asks, [(ask("a"), true)]);
    }

    #[test]
    fn a_disposed_directory_takes_along_what_was_asked_there_and_nothing_else() {
        let mut journal = StreamJournal::default();
        let mut other = ask("other");
        other.session.directory = "/b".into();
        journal.asked(&ask("a"));
        journal.asked(&other);
        journal.disposed("/a");
        let asks = journal.reconcile(SourceListing::default()).asks;
        assert_eq!(asks, [(other, true)]);
    }
}
