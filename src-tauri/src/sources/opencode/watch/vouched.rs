//! Which asks the stream vouches for: heard on this connection, and their session has not fallen silent
//! since. Of all others it has to be looked whether their turn was stopped (`sessions/stopped.rs`).

use beckon_core::{Ask, AskContent};
use std::collections::{BTreeMap, BTreeSet};

/// What the stream and the lists of one connection have told.
#[derive(Clone, Debug, Default)]
pub(in crate::sources::opencode) struct VouchedAsks {
    asks: BTreeMap<String, KnownAsk>,
    /// Sessions that fell silent, and have asked nothing since.
    silent: BTreeSet<String>,
}

#[derive(Clone, Debug)]
struct KnownAsk {
    /// The ask without its content: enough to look at its turn.
    place: Ask,
    is_vouched: bool,
}

impl VouchedAsks {
    /// Notes that somebody asks. Whatever was stopped before, the session works again.
    pub(in crate::sources::opencode) fn note_asked(&mut self, ask: &Ask) {
        self.silent.remove(&ask.session.id);
        let known = KnownAsk {
            place: without_content(ask),
            is_vouched: true,
        };
        self.asks.insert(ask.id.own.clone(), known);
    }

    /// Notes an ask that is on the list.
    pub(in crate::sources::opencode) fn note_listed(&mut self, ask: &Ask) {
        let own = ask.id.own.clone();
        self.asks.entry(own).or_insert_with(|| KnownAsk {
            place: without_content(ask),
            is_vouched: false,
        });
    }

    /// Notes the end of an ask, and returns it if its turn may have been stopped before.
    pub(in crate::sources::opencode) fn note_ended(&mut self, own: &str) -> Option<Ask> {
        let known = self.asks.remove(own)?;
        (!known.is_vouched).then_some(known.place)
    }

    /// Notes that a session has fallen silent: what it asked before may be over.
    pub(in crate::sources::opencode) fn note_silent(&mut self, session: &str) {
        for known in self.asks.values_mut() {
            if known.place.session.id == session {
                known.is_vouched = false;
            }
        }
        self.silent.insert(session.to_owned());
    }

    /// Forgets a session that was deleted.
    pub(in crate::sources::opencode) fn note_deleted(&mut self, session: &str) {
        self.asks
            .retain(|_, known| known.place.session.id != session);
        self.silent.remove(session);
    }

    /// Forgets what is not on the whole list any more.
    pub(in crate::sources::opencode) fn keep_listed(&mut self, listed: &[(Ask, bool)]) {
        let ids: BTreeSet<&str> = listed.iter().map(|(ask, _)| ask.id.own.as_str()).collect();
        self.asks.retain(|own, _| ids.contains(own.as_str()));

        let sessions: BTreeSet<&str> = listed
            .iter()
            .map(|(ask, _)| ask.session.id.as_str())
            .collect();
        self.silent
            .retain(|session| sessions.contains(session.as_str()));
    }

    /// Whether somebody waits for that ask, going by the stream alone.
    pub(in crate::sources::opencode) fn has(&self, own: &str) -> bool {
        self.asks.get(own).is_some_and(|known| known.is_vouched)
    }

    /// Whether a session fell silent on this connection, and has asked nothing since.
    pub(in crate::sources::opencode) fn fell_silent(&self, session: &str) -> bool {
        self.silent.contains(session)
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
        let mut vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_asked(&ask("b", "two"));
        vouched.note_silent("one");
        assert!(!vouched.has("a"));
        assert!(vouched.fell_silent("one"));
        assert!(vouched.has("b"));
    }

    #[test]
    fn what_a_session_asks_after_its_silence_is_vouched_for_and_what_it_asked_before_is_not() {
        let mut vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_silent("one");
        vouched.note_asked(&ask("b", "one"));
        assert!(vouched.has("b"));
        assert!(!vouched.has("a"));
        assert!(!vouched.fell_silent("one"));
    }

    #[test]
    fn only_of_what_is_vouched_for_an_end_needs_no_look() {
        let mut vouched = VouchedAsks::default();
        vouched.note_asked(&ask("a", "one"));
        vouched.note_listed(&ask("a", "one"));
        vouched.note_listed(&ask("b", "two"));
        assert_eq!(vouched.note_ended("a"), None);
        assert_eq!(vouched.note_ended("b"), Some(ask("b", "two")));
        assert_eq!(vouched.note_ended("b"), None);
    }
}
