//! The asks that the stream vouches for. They were heard on this connection, and their session has
//! not fallen silent since, so somebody still waits for them. For any other ask it has to be
//! checked whether its turn was stopped (`sessions/stopped.rs`).

use super::aborted::AbortedAsks;
use crate::sources::opencode::sessions::stopped;
use beckon_core::{Ask, AskContent, SourceListing};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The asks that a server's stream and lists have told. The watcher writes it; the reader of lists
/// and the delivery read it. It outlives a connection, since an abort also ends asks from before.
#[derive(Debug, Default)]
pub(in crate::sources::opencode) struct VouchedAsks {
    heard: Mutex<HeardAsks>,
    /// The asks that were ended by an abort.
    aborted: AbortedAsks,
}

#[derive(Debug, Default)]
struct HeardAsks {
    asks: BTreeMap<String, KnownAsk>,
    /// The sessions that fell silent and have asked nothing since.
    silent: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct KnownAsk {
    /// The ask without its content, which is enough for a look at its turn.
    place: Ask,
    is_vouched: bool,
}

impl VouchedAsks {
    /// Begins a connection, of which nothing was heard yet: it vouches for nothing.
    pub(in crate::sources::opencode) fn begin_connection(&self) {
        let mut heard = self.heard();
        for known in heard.asks.values_mut() {
            known.is_vouched = false;
        }
        heard.silent.clear();
    }

    fn heard(&self) -> MutexGuard<'_, HeardAsks> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that somebody asks. Whatever was stopped before, the session works again. A list may
    /// have named the ask before the stream told of an abort in front of it.
    pub(in crate::sources::opencode) fn note_asked(&self, ask: &Ask) {
        self.aborted.forget(&ask.id.own);
        let mut heard = self.heard();
        heard.silent.remove(&ask.session.id);
        let known = KnownAsk {
            place: without_content(ask),
            is_vouched: true,
        };
        heard.asks.insert(ask.id.own.clone(), known);
    }

    /// Notes an ask that is on the list.
    pub(in crate::sources::opencode) fn note_listed(&self, ask: &Ask) {
        let own = ask.id.own.clone();
        let mut heard = self.heard();
        heard.asks.entry(own).or_insert_with(|| KnownAsk {
            place: without_content(ask),
            is_vouched: false,
        });
    }

    /// Notes the end of an ask, and returns it if its turn may have been stopped before.
    pub(in crate::sources::opencode) fn note_ended(&self, own: &str) -> Option<Ask> {
        let known = self.heard().asks.remove(own)?;
        (!known.is_vouched).then_some(known.place)
    }

    /// Notes that a session has fallen silent: what it asked before may be over.
    pub(in crate::sources::opencode) fn note_silent(&self, session: &str) {
        let mut heard = self.heard();
        for known in heard.asks.values_mut() {
            if known.place.session.id == session {
                known.is_vouched = false;
            }
        }
        heard.silent.insert(session.to_owned());
    }

    /// Notes that the turn of a session was broken off, and returns the ids of what it asked
    /// before. All of these have ended.
    pub(in crate::sources::opencode) fn note_aborted(&self, session: &str) -> Vec<String> {
        let heard = self.heard();
        let is_ended = |known: &&KnownAsk| {
            known.place.session.id == session && stopped::is_told_by_session(&known.place)
        };
        let ended = heard.asks.values().filter(is_ended);
        let ids: Vec<String> = ended.map(|known| known.place.id.own.clone()).collect();
        self.aborted.note(&ids);
        ids
    }

    /// Notes asks that an abort has ended, although they were not known when it was heard.
    pub(in crate::sources::opencode) fn note_ended_by_abort(&self, ids: &[String]) {
        self.aborted.note(ids);
    }

    /// Tells whether an ask was ended by an abort that was heard.
    pub(in crate::sources::opencode) fn was_aborted(&self, own: &str) -> bool {
        self.aborted.has(own)
    }

    /// Forgets a session that was deleted.
    pub(in crate::sources::opencode) fn note_deleted(&self, session: &str) {
        let mut heard = self.heard();
        heard
            .asks
            .retain(|_, known| known.place.session.id != session);
        heard.silent.remove(session);
    }

    /// Forgets what is not on the whole list any more. What stands in a directory that could not be
    /// read may still be asked.
    pub(in crate::sources::opencode) fn keep_listed(&self, listing: &SourceListing) {
        let mut heard = self.heard();
        let listed = &listing.asks;
        let ids: BTreeSet<&str> = listed.iter().map(|(ask, _)| ask.id.own.as_str()).collect();
        heard.asks.retain(|own, known| {
            ids.contains(own.as_str()) || listing.unread.contains(&known.place.session.directory)
        });

        let sessions: BTreeSet<String> = heard
            .asks
            .values()
            .map(|known| known.place.session.id.clone())
            .chain(listed.iter().map(|(ask, _)| ask.session.id.clone()))
            .collect();
        heard.silent.retain(|session| sessions.contains(session));
    }

    /// Tells whether somebody waits for that ask, by the stream alone.
    pub(in crate::sources::opencode) fn has(&self, own: &str) -> bool {
        let heard = self.heard();
        heard.asks.get(own).is_some_and(|known| known.is_vouched)
    }

    /// Tells whether a session fell silent on this connection, and has asked nothing since.
    pub(in crate::sources::opencode) fn fell_silent(&self, session: &str) -> bool {
        self.heard().silent.contains(session)
    }
}

fn without_content(ask: &Ask) -> Ask {
    Ask {
        id: ask.id.clone(),
        kind: AskContent::Questions(Vec::new()),
        session: ask.session.clone(),
        call: ask.call.clone(),
        asked_at: ask.asked_at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beckon_core::{AskId, Session, Timestamp};

    fn ask(own: &str, session: &str) -> Ask {
        let session = Session {
            id: session.into(),
            ..Session::default()
        };
        Ask {
            id: AskId::new("local", own),
            kind: AskContent::Questions(Vec::new()),
            session,
            call: None,
            asked_at: Timestamp(0),
        }
    }

    #[test]
    fn a_silent_session_takes_its_vouching_along_and_no_others() {
        let vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_asked(&ask("b", "two"));
        vouched.note_silent("one");
        assert!(!vouched.has("a"));
        assert!(vouched.fell_silent("one"));
        assert!(vouched.has("b"));
    }

    #[test]
    fn what_a_session_asks_after_its_silence_is_vouched_for_and_what_it_asked_before_is_not() {
        let vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_silent("one");
        vouched.note_asked(&ask("b", "one"));
        assert!(vouched.has("b"));
        assert!(!vouched.has("a"));
        assert!(!vouched.fell_silent("one"));
    }

    #[test]
    fn an_abort_ends_what_was_asked_before_it_also_on_the_next_connection() {
        let vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_listed(&ask("b", "one"));
        vouched.note_asked(&ask("c", "two"));
        assert_eq!(vouched.note_aborted("one"), ["a", "b"]);
        vouched.note_asked(&ask("d", "one"));

        vouched.begin_connection();
        assert!(vouched.was_aborted("a"));
        assert!(vouched.was_aborted("b"));
        assert!(!vouched.was_aborted("c"));
        assert!(!vouched.was_aborted("d"));
    }

    #[test]
    fn an_abort_ends_what_was_asked_on_the_connection_before_which_vouches_for_nothing_any_more() {
        let vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.begin_connection();
        assert!(!vouched.has("a"));
        assert_eq!(vouched.note_aborted("one"), ["a"]);
    }

    #[test]
    fn an_ask_in_a_directory_that_could_not_be_read_is_known_when_its_turn_is_aborted() {
        let vouched = VouchedAsks::default();
        let mut unread = ask("a", "one");
        unread.session.directory = "/unread".into();
        vouched.note_asked(&unread);
        vouched.note_asked(&ask("b", "two"));
        vouched.keep_listed(&SourceListing {
            unread: ["/unread".to_owned()].into(),
            ..SourceListing::default()
        });
        assert_eq!(vouched.note_aborted("one"), ["a"]);
        assert_eq!(vouched.note_aborted("two"), Vec::<String>::new());
    }

    #[test]
    fn what_is_asked_after_an_abort_is_not_ended_by_it_although_a_list_has_named_it_before() {
        let vouched = VouchedAsks::default();
        vouched.note_listed(&ask("a", "one"));
        vouched.note_aborted("one");
        assert!(vouched.was_aborted("a"));
        vouched.note_asked(&ask("a", "one"));
        assert!(!vouched.was_aborted("a"));
    }

    #[test]
    fn only_of_what_is_vouched_for_an_end_needs_no_look() {
        let vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_listed(&ask("a", "one"));
        vouched.note_listed(&ask("b", "two"));
        assert_eq!(vouched.note_ended("a"), None);
        assert_eq!(vouched.note_ended("b"), Some(ask("b", "two")));
        assert_eq!(vouched.note_ended("b"), None);
    }
}
